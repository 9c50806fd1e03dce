"""A world in memory that can crash: the engine's ports without git, processes or models.

    world = MemoryWorld(score=lambda text: float(len(text)))
    stopped = world.session(algorithm, Limits(iterations=20))

`journal.crash_at = n` makes the n-th append fail before it is written (odd kinds of death
are the same to the engine: what was not appended never happened); a new session then goes
on with the same journal, as a new process would.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from skygit.domain.algorithm import Algorithm
from skygit.domain.event import SCHEMA, Event, Started, Stopped
from skygit.domain.history import History
from skygit.domain.scope import Scope
from skygit.engine.limits import Limits
from skygit.engine.loop import Loop
from skygit.engine.world import World
from skygit.ports import (
    Entry,
    Observer,
    Proposer,
)
from skygit.testing.memory_ports import (
    EchoSandbox,
    MemoryExecutor,
    MemoryModels,
    MemoryProposer,
    MemoryScribe,
    NoSyntax,
)
from skygit.testing.memory_store import MemoryJournal, MemoryRepository


class MemoryWorld:
    """One run in memory, and as many sessions of it as wanted."""

    def __init__(
        self,
        *,
        score: Callable[[bytes], float | None],
        reply: Callable[[str], str] | None = None,
        proposer: Proposer | None = None,
        seed: int = 1,
    ) -> None:
        self.repository = MemoryRepository({"program": b"a"})
        self.journal = MemoryJournal()
        self.models = MemoryModels(reply)
        self.executor = MemoryExecutor(self.repository, score)
        self.time = 0.0
        self.free_mb = 1e6
        self._proposer = proposer or MemoryProposer(self.models)
        started = Started(schema=SCHEMA, run="memory", base=self.repository.base, seed=seed, settings={})
        self.journal.append([Entry(event=started)])
        self.journal.appends = 0

    def loop(self, algorithm: Algorithm[Any], limits: Limits, *observers: Observer) -> Loop:
        """A new session over the same journal."""
        return Loop(world=self._world(observers), algorithm=algorithm, limits=limits)

    def session(self, algorithm: Algorithm[Any], limits: Limits, *observers: Observer) -> Stopped:
        """Run one session to its end."""
        return self.loop(algorithm, limits, *observers).run()

    def events(self) -> list[Event]:
        """Everything that happened."""
        return [item.event for item in self.journal.events()]

    def history(self) -> History:
        """The fold of everything that happened."""
        history = History()
        for event in self.events():
            history.record(event)
        return history

    @contextmanager
    def dying(self, *, at: int, after: bool) -> Iterator[None]:
        """The n-th append from now on is the process's last."""
        self.journal.appends, self.journal.crash_at, self.journal.after = 0, at, after
        yield
        self.journal.crash_at = 0

    def _world(self, observers: Sequence[Observer]) -> World:
        return World(
            run="memory",
            journal=self.journal,
            repository=self.repository,
            proposer=self._proposer,
            models=self.models,
            scribe=MemoryScribe(),
            executor=self.executor,
            sandbox=EchoSandbox(),
            syntax=NoSyntax(),
            scope=Scope(evolvable=("**",)),
            clock=self._tick,
            free_mb=lambda: self.free_mb,
            observers=tuple(observers),
        )

    def _tick(self) -> float:
        self.time += 0.001
        return self.time
