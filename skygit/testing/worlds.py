"""Simulated worlds: an algorithm against a score function, without git, models or time.

A `World` asks and tells as the engine does. Chance is seeded by (seed, ticket), so a world
that was killed at any event and replayed must go on exactly as one that was not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, TypeVar

from skygit.domain.algorithm import Algorithm, Turn
from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.domain.event import Answered, Closing, Computed, Evaluated, Failed, Steered
from skygit.domain.request import Compute, Consult, Proposal, Remeasure
from skygit.domain.ticket import Ticket
from skygit.testing.landscapes import Genome, Landscape

State = TypeVar("State")


@dataclass(kw_only=True)
class World(Generic[State]):
    """One run: `closed` tickets (and what was steered) in order, `pending` ones by number.

    `advice` answers consultations: text, or None for a failure; without it no model can be
    consulted. The base is judged at the start.
    """

    algorithm: Algorithm[State]
    landscape: Landscape
    seed: int = 0
    advice: Callable[[Consult], str | None] | None = None
    closed: list[Ticket | Steered] = field(default_factory=list)
    pending: dict[int, Ticket] = field(default_factory=dict)
    genomes: dict[str, Genome] = field(default_factory=dict)
    number: int = 1

    def __post_init__(self) -> None:
        self.state = self.algorithm.start()
        self._tell(self._judged(Ticket(number=0, request=Proposal(parents=())), self.landscape.base()))

    def ask(self, room: int = 1) -> list[Ticket]:
        """The tickets the algorithm opens now."""
        requests = self.algorithm.ask(self.state, self.turn(room))
        opened = [Ticket(number=self.number + place, request=one) for place, one in enumerate(requests)]
        self.number += len(opened)
        self.pending.update((ticket.number, ticket) for ticket in opened)
        return opened

    def turn(self, room: int = 1) -> Turn:
        """What the next ask is given; a fresh one at every call, equal in all it says."""
        waiting = tuple(self.pending[number] for number in sorted(self.pending))
        rng = Random(f"{self.seed}/{self.number}")
        return Turn(ticket=self.number, room=room, rng=rng, pending=waiting, advised=self.advice is not None)

    def close(self, number: int) -> Ticket:
        """Close a pending ticket; what comes of it depends on seed, number and request alone."""
        ticket = self._outcome(self.pending.pop(number))
        self._tell(ticket)
        return ticket

    def steer(self, word: Steered) -> None:
        """A person's word."""
        self._tell(word)

    def kill(self) -> None:
        """The process dies: the state is lost and what was closed is replayed; open tickets go on."""
        self.state = self.replayed()

    def forget(self) -> None:
        """Open tickets are lost, as when the process died before they were written down."""
        self.number = min(self.pending, default=self.number)
        self.pending.clear()

    def replayed(self) -> State:
        """The state as a fold over all that was closed."""
        state = self.algorithm.start()
        for news in self.closed:
            state = self.algorithm.tell(state, news)
        return state

    def run(self, closings: int, *, workers: int = 1, order: Random | None = None) -> "World[State]":
        """Go on until so many more tickets are closed: the oldest first, or drawn by `order`."""
        for _ in range(closings):
            if len(self.pending) < workers:
                self.ask(workers - len(self.pending))
            assert self.pending, "nothing is pending and nothing was asked"
            numbers = sorted(self.pending)
            self.close(order.choice(numbers) if order else numbers[0])
        return self

    @property
    def tickets(self) -> list[Ticket]:
        """The closed tickets, ticket 0 not among them."""
        return [news for news in self.closed if isinstance(news, Ticket) and news.number]

    @property
    def best(self) -> float:
        """The best score."""
        survivors = [news.survivor for news in self.closed if isinstance(news, Ticket)]
        return max(survivor.score for survivor in survivors if survivor)

    def _tell(self, news: Ticket | Steered) -> None:
        self.closed.append(news)
        self.state = self.algorithm.tell(self.state, news)

    def _outcome(self, ticket: Ticket) -> Ticket:
        match ticket.request:
            case Proposal() as proposal:
                rng = Random(f"{self.seed}:{ticket.number}")
                child = self.landscape.vary(self.genomes[proposal.parents[0]], proposal, rng)
                if child is None:
                    return _ended(ticket, _failed(ticket, "noop"))
                return self._judged(ticket, child)
            case Consult() as consult:
                text = self.advice(consult) if self.advice else None
                answer = _failed(ticket, "outage") if text is None else Answered(ticket=ticket.number, text=text)
                return _ended(ticket, answer)
            case Compute():
                return _ended(ticket, Computed(ticket=ticket.number, output="", error="nothing runs here"))
            case Remeasure(commit=commit):
                evaluation = _evaluation(self.landscape.score(self.genomes[commit]))
                return _ended(ticket, Evaluated(ticket=ticket.number, commit=commit, evaluation=evaluation))

    def _judged(self, ticket: Ticket, genome: Genome) -> Ticket:
        candidate = _candidate(ticket, genome, self.landscape.sketch(genome))
        self.genomes[candidate.commit] = genome
        evaluation = _evaluation(self.landscape.score(genome))
        closing = Evaluated(ticket=ticket.number, commit=candidate.commit, evaluation=evaluation)
        return Ticket(number=ticket.number, request=ticket.request, candidate=candidate, closing=closing)


def proposals(tickets: Sequence[Ticket]) -> list[Proposal]:
    """The proposals among the requests of some tickets."""
    return [ticket.request for ticket in tickets if isinstance(ticket.request, Proposal)]


AnyWorld = World[Any]


def _ended(ticket: Ticket, closing: Closing) -> Ticket:
    return Ticket(number=ticket.number, request=ticket.request, closing=closing)


def _failed(ticket: Ticket, word: str) -> Failed:
    return Failed(ticket=ticket.number, word=word, message=f"simulated: {word}")


def _candidate(ticket: Ticket, genome: Genome, sketch: tuple[int, ...]) -> Candidate:
    request = ticket.request
    assert isinstance(request, Proposal)
    return Candidate(
        commit=f"{ticket.number:08x}",
        tree=repr(genome) if genome else f"broken {ticket.number}",
        parents=request.parents,
        island=request.island,
        generation=ticket.number,
        summary=f"child {ticket.number}",
        operator=request.operator or "simulated",
        sketch=sketch,
    )


def _evaluation(score: float | None) -> Evaluation:
    if score is None:
        return Evaluation(verdict=Verdict.CRASHED, message="simulated: crashed")
    return Evaluation(verdict=Verdict.PASSED, score=score)
