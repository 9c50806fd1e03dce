"""The run in memory: history and algorithm state, grown only by events that are then written."""

from collections.abc import Callable, Sequence
from typing import Any

from skygit.domain.algorithm import Algorithm
from skygit.domain.candidate import base_candidate
from skygit.domain.event import Committed, Evaluated, Event, Requested, Seen, Started
from skygit.domain.history import History
from skygit.domain.request import Proposal, Request
from skygit.domain.ticket import Ticket
from skygit.engine.recorder import Recorder
from skygit.ports import Journal, Observer, Recorded


class Ledger:
    """Takes events in, tells the algorithm, and writes them in one append."""

    def __init__(
        self, *, journal: Journal, algorithm: Algorithm[Any], observers: Sequence[Observer], clock: Callable[[], float]
    ) -> None:
        self.history = History()
        self.state = algorithm.start()
        self.recorder = Recorder(journal)
        self._algorithm = algorithm
        self._observers = observers
        self._clock = clock

    def recover(self) -> None:
        """Read the journal: the state after it is the state that wrote it."""
        for recorded in self.recorder.read():
            self._grow(recorded.event)

    @property
    def opening(self) -> Started:
        """The run's first event. A journal without one is not a journal."""
        started = self.history.started
        assert started is not None, "the journal has no first event"
        return started

    def now(self) -> Seen:
        """The observation that an event takes place now."""
        return Seen(at=self._clock())

    def open(self, request: Request) -> None:
        """Open a ticket."""
        self.take(Requested(ticket=self.history.next_ticket, request=request, seen=self.now()))

    def open_base(self, tree: str) -> None:
        """Open ticket 0: the base, already a commit, is to be judged."""
        commit = self.opening.base
        self.open(Proposal(parents=(), operator="base"))
        self.take(Committed(ticket=0, candidate=base_candidate(commit, tree), seen=self.now()))

    def take(self, event: Event, papers: dict[str, bytes] | None = None) -> None:
        """Take an event in; it is written with the next `write`."""
        self.recorder.take(event, papers)
        news = self._grow(event)
        if isinstance(event, Evaluated) and isinstance(news, Ticket):
            self.recorder.move(self._led(news), event.commit)
        if isinstance(event, Committed):
            self._reuse(event)

    def write(self) -> None:
        """Append what was taken, then let the observers see it."""
        for item in self.recorder.write():
            for observer in self._observers:
                _show(observer, item, self.history)

    def _grow(self, event: Event) -> object:
        news = self.history.record(event)
        if news is not None:
            self.state = self._algorithm.tell(self.state, news)
        return news

    def _reuse(self, event: Committed) -> None:
        """Close a ticket whose tree was judged before with that evaluation."""
        first = self.history.judged.get(self.history.trees[event.candidate.tree])
        if first is None:
            return
        commit, evaluation = event.candidate.commit, first.evaluation
        self.take(Evaluated(ticket=event.ticket, commit=commit, evaluation=evaluation, cached=True, seen=self.now()))

    def _led(self, ticket: Ticket) -> list[str]:
        """The branches whose lead the ticket's child has just taken."""
        judged = ticket.judged
        if judged is None:
            return []
        island = judged.candidate.island
        names = [f"island-{island}"] if self.history.leaders.get(island) == judged else []
        return [*names, "best"] if self.history.best == judged else names


def _show(observer: Observer, item: Recorded, history: History) -> None:
    try:
        observer(item, history)
    except Exception as error:  # noqa: BLE001
        # An observer only shows: a fault in it must not cost a run.
        import warnings

        warnings.warn(f"the observer {observer!r} failed: {error!r}", RuntimeWarning, stacklevel=2)
