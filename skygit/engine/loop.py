"""The coordinator: the one thread that decides and writes.

Each turn: take in what the workers brought, ask the algorithm, write all of it in one
append, then start what is due. Effects follow the append, so a kill at any moment leaves a
journal from which the same function of each open ticket goes on.
"""

import gc
from random import Random
from typing import Any

from skygit.domain.algorithm import Algorithm, Turn
from skygit.domain.event import Adjusted, Computed, Evaluated, Stopped
from skygit.domain.history import History
from skygit.engine.dispatch import Dispatcher
from skygit.engine.ledger import Ledger
from skygit.engine.limits import Ending, Limits, Mode
from skygit.engine.outcome import Broken, Happened, Held, Outcome
from skygit.engine.workers import Workers
from skygit.engine.world import World
from skygit.errors import Denied, DiskFull, Outage


class Loop:
    """One session of a run: from its journal to a reason to stop."""

    def __init__(self, *, world: World, algorithm: Algorithm[Any], limits: Limits) -> None:
        self._world = world
        self._algorithm = algorithm
        self.limits = limits
        self._ending: Ending | None = None
        self._bug: BaseException | None = None
        self._begun = world.clock()
        self._packed = 0
        self._ledger = Ledger(journal=world.journal, algorithm=algorithm, observers=world.observers, clock=world.clock)
        self._workers = Workers(models=limits.models, evaluations=limits.evaluations)
        self._dispatcher = Dispatcher(world, self.history, self._ledger.recorder, self._workers)
        self._ledger.recover()
        self._dispatcher.recover(seed=self._ledger.opening.seed)

    @property
    def history(self) -> History:
        """The run so far."""
        return self._ledger.history

    def stop(self, reason: str, message: str) -> None:
        """End the session soon: replies being paid are kept, evaluations are repeated later."""
        self._ending = Ending(reason=reason, message=message, mode=Mode.HALT)
        self._workers.wake()

    def adjust(self, settings: dict[str, Any]) -> None:
        """Record settings that differ from the run's and may change."""
        self._ledger.take(Adjusted(settings=settings, seen=self._ledger.now()))

    def run(self) -> Stopped:
        """Go on until a limit, a goal, an outage or `stop`."""
        gc.freeze()  # what is here stays to the end: no collection needs to walk a history of thousands again
        with self._workers:
            try:
                self._turns()
            finally:
                self._world.executor.close()
        ending = self._ending or self.limits.done(self.history)
        stopped = Stopped(reason=ending.reason, message=ending.message, seen=self._ledger.now())
        self._ledger.take(stopped)
        self._ledger.write()
        if self._bug is not None:
            raise self._bug
        return stopped

    def _turns(self) -> None:
        while True:
            self._watch()
            self._ask()
            self._ledger.write()
            self._pack()
            self._dispatcher.start(self._ending)
            if not self._workers.busy:
                return
            for outcome in self._workers.wait(1.0):
                self._absorb(outcome)

    def _watch(self) -> None:
        """See whether a limit is reached. A harder ending replaces a softer one."""
        elapsed = self._world.clock() - self._begun
        found = self.limits.ending(self.history, elapsed=elapsed, free_mb=self._world.free_mb())
        if found is not None and (self._ending is None or found.mode is Mode.HALT):
            self._ending = self._ending if self._halting() else found
        if self._ending is not None and self._ending.mode is not Mode.DRAIN:
            self._world.models.cease()
        if self._halting():
            self._world.executor.stop()

    def _halting(self) -> bool:
        return self._ending is not None and self._ending.mode is Mode.HALT

    def _ask(self) -> None:
        if self._ending is not None or not self._base_passed():
            return
        room = self._room()
        if room < 1:
            return
        requests = list(
            self._algorithm.ask(self._ledger.state, _turn(self._ledger, room, advised=bool(self._world.models.names())))
        )[:room]
        for request in requests:
            self._ledger.open(request)
        if not requests and not self.history.pending:
            self._ending = Ending(reason="exhausted", message="the algorithm asks for nothing more", mode=Mode.DRAIN)

    def _base_passed(self) -> bool:
        """Ticket 0 judges the base: nothing is asked before, and nothing at all when it fails."""
        if not self.history.tickets:
            self._ledger.open_base(self._world.repository.tree_id(self._ledger.opening.base))
        if 0 in self.history.pending:
            return False
        base = self.history.base.evaluation
        if not base.passed:
            message = f"the base did not pass its own evaluation: {base.verdict}: {base.message}"
            self._ending = Ending(reason="base", message=message, mode=Mode.FINISH)
        return base.passed

    def _room(self) -> int:
        """How many requests are welcome: the free capacity, within the iterations left."""
        left = self.limits.iterations - self.history.requested
        if left < 1 and not self.history.pending:
            self._ending = self.limits.done(self.history)
        return min(left, self.limits.capacity - len(self.history.pending))

    def _absorb(self, outcome: Outcome) -> None:
        match outcome:
            case Happened():
                self._happened(outcome)
            case Held(ticket=ticket):
                self._dispatcher.hold(ticket)
            case Broken(ticket=ticket, error=error):
                self._dispatcher.hold(ticket)
                self._broken(error)

    def _happened(self, outcome: Happened) -> None:
        event = outcome.event
        if isinstance(event, Evaluated | Computed) and self._halting():
            return  # it was killed half-way; a later session measures it whole
        if outcome.reply is not None:
            self._dispatcher.replied(event.ticket, outcome.reply)
        self._ledger.take(event, outcome.papers)

    def _broken(self, error: BaseException) -> None:
        """An outage pauses the run with its ticket open; anything unforeseen is a bug.

        A bug is raised too, but in the end: replies that are being paid come into the journal first.
        """
        match error:
            case Denied():
                reason = "denied"
            case Outage():
                reason = "outage"
            case DiskFull():
                reason = "disk"
            case _:
                reason, self._bug = "bug", self._bug or error
        if self._ending is None:
            self._ending = Ending(reason=reason, message=str(error) or repr(error), mode=Mode.FINISH)

    def _pack(self) -> None:
        if self.history.iterations - self._packed >= self.limits.pack_every:
            self._world.repository.pack()
            self._packed = self.history.iterations


def _turn(ledger: Ledger, room: int, *, advised: bool) -> Turn:
    number = ledger.history.next_ticket
    return Turn(
        ticket=number,
        room=room,
        rng=Random(f"{ledger.opening.seed}/{number}"),
        pending=tuple(ledger.history.pending.values()),
        advised=advised,
    )
