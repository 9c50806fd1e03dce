"""Open tickets -> steps for the workers."""

import sys
import tempfile
from collections.abc import Callable, Sequence

from skygit.domain.brief import Brief, Message, Reply
from skygit.domain.history import History
from skygit.domain.request import Compute, Consult, Proposal, Remeasure
from skygit.domain.ticket import Ticket
from skygit.engine import advice, briefing, steps
from skygit.engine.desk import RunDesk
from skygit.engine.limits import Ending, Mode
from skygit.engine.outcome import Outcome
from skygit.engine.recorder import Recorder
from skygit.engine.workers import Kind, Workers
from skygit.engine.world import World


class Dispatcher:
    """Starts the next step of every open ticket that may go on."""

    def __init__(self, world: World, history: History, recorder: Recorder, workers: Workers) -> None:
        self._seed = 0
        self._world = world
        self._history = history
        self._recorder = recorder
        self._workers = workers
        self._replies: dict[int, list[Reply]] = {}
        self._briefs: dict[int, Brief] = {}
        self._held: set[int] = set()
        self._buying = True

    def recover(self, *, seed: int) -> None:
        """Find the replies that open tickets were paid in earlier sessions. `seed` is the run's."""
        self._seed = seed
        for ticket in self._history.pending.values():
            texts = self._recorder.papers(ticket.number, "reply.md")
            pairs = zip(ticket.replies, texts, strict=True)
            self._replies[ticket.number] = [
                Reply(
                    text=text.decode("utf-8", "surrogatepass"),
                    model=told.model,
                    prompt_tokens=told.prompt_tokens,
                    completion_tokens=told.completion_tokens,
                    cost=told.seen.cost,
                    truncated=told.truncated,
                )
                for told, text in pairs
            ]

    def replied(self, ticket: int, reply: Reply) -> None:
        """A reply is about to be in the journal: the next step may read it."""
        self._replies.setdefault(ticket, []).append(reply)

    def hold(self, ticket: int) -> None:
        """Leave a ticket open for a later session."""
        self._held.add(ticket)

    def start(self, ending: Ending | None) -> None:
        """Start whatever is due and has a free worker."""
        self._buying = ending is None or ending.mode is Mode.DRAIN
        if ending is not None and ending.mode is Mode.HALT:
            return
        for ticket in list(self._history.pending.values()):
            if self._workers.flying(ticket.number) or ticket.number in self._held:
                continue
            kind = _kind(ticket)
            if self._workers.free(kind):
                self._workers.start(ticket.number, kind, self._step(ticket))
        self._forget()

    def _step(self, ticket: Ticket) -> Callable[[], Outcome]:
        world, request = self._world, ticket.request
        if isinstance(request, Consult):
            return self._consult(ticket)
        if isinstance(request, Compute):
            return lambda: self._compute(ticket)
        candidate = (
            self._history.judged[request.commit].candidate if isinstance(request, Remeasure) else ticket.candidate
        )
        if candidate is not None:
            return lambda: steps.judge(world, ticket, candidate)
        return self._propose(ticket)

    def _propose(self, ticket: Ticket) -> Callable[[], Outcome]:
        replies = tuple(self._replies.get(ticket.number, ()))
        told = self._briefs.get(ticket.number)
        if told is None:
            told = briefing.brief(self._world, self._history, self._recorder.paper, ticket, self._seed)
            self._briefs[ticket.number] = told
        desk = RunDesk(self._world.repository, self._world.syntax, self._history.trees)
        work = steps.Draftwork(ticket=ticket, brief=told, desk=desk, replies=replies)
        return lambda: steps.propose(self._world, work, lambda: self._buying)

    def _consult(self, ticket: Ticket) -> Callable[[], Outcome]:
        replies = self._replies.get(ticket.number, [])
        if replies:
            return lambda: steps.answer(self._world, ticket, replies[-1])
        return lambda: steps.advise(self._world, ticket, self._facts, self._seed, lambda: self._buying)

    def _facts(self, consult: Consult) -> Sequence[Message]:
        return advice.messages(self._world, self._history, consult)

    def _compute(self, ticket: Ticket) -> Outcome:
        with tempfile.TemporaryDirectory(prefix="skygit-compute-") as folder:
            return steps.compute(self._world, ticket, sys.executable, folder)

    def _forget(self) -> None:
        """Closed tickets need no replies and no brief."""
        for number in self._replies.keys() - self._history.pending.keys():
            del self._replies[number]
        for number in self._briefs.keys() - self._history.pending.keys():
            del self._briefs[number]


def _kind(ticket: Ticket) -> Kind:
    if isinstance(ticket.request, Compute | Remeasure):
        return "evaluation"
    return "evaluation" if isinstance(ticket.request, Proposal) and ticket.candidate is not None else "model"
