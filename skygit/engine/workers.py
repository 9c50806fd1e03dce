"""Threads that wait: for models, and for evaluations, each with a limit of its own."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Literal, Self

from skygit.engine.outcome import Broken, Outcome

Kind = Literal["model", "evaluation"]


class Workers:
    """Runs steps beside the coordinator and hands their outcomes back, in order of completion."""

    def __init__(self, *, models: int, evaluations: int) -> None:
        self._limits: dict[Kind, int] = {"model": models, "evaluation": evaluations}
        self._pools: dict[Kind, ThreadPoolExecutor] = {
            kind: ThreadPoolExecutor(limit, thread_name_prefix=f"skygit-{kind}") for kind, limit in self._limits.items()
        }
        self._flying: dict[int, Kind] = {}
        self._outcomes: SimpleQueue[tuple[int, Future[Outcome]] | None] = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=kind is None, cancel_futures=True)

    @property
    def busy(self) -> bool:
        """Whether anything is in flight."""
        return bool(self._flying)

    def flying(self, ticket: int) -> bool:
        """Whether a step of this ticket is in flight."""
        return ticket in self._flying

    def free(self, kind: Kind) -> bool:
        """Whether a step of this kind may start now."""
        return sum(flying == kind for flying in self._flying.values()) < self._limits[kind]

    def start(self, ticket: int, kind: Kind, step: Callable[[], Outcome]) -> None:
        """Run a step. At most one per ticket is in flight."""
        self._flying[ticket] = kind
        future = self._pools[kind].submit(step)
        future.add_done_callback(lambda done: self._outcomes.put((ticket, done)))

    def wake(self) -> None:
        """End a wait early. Safe in a signal handler."""
        self._outcomes.put(None)

    def wait(self, seconds: float) -> list[Outcome]:
        """What came in: at least one outcome, or nothing when woken or after `seconds`."""
        found: list[Outcome] = []
        try:
            self._take(found, self._outcomes.get(timeout=seconds))
            while True:
                self._take(found, self._outcomes.get_nowait())
        except Empty:
            return found

    def _take(self, found: list[Outcome], item: tuple[int, Future[Outcome]] | None) -> None:
        if item is not None:
            ticket, done = item
            del self._flying[ticket]
            error = done.exception()
            found.append(done.result() if error is None else Broken(ticket=ticket, error=error))
