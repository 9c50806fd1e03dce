"""The fold of a run's events: tickets, judged candidates, leaders, credits and spending.

Nothing here is saved. Reading the journal and recording its events in order gives the same
history that grew while the run went on.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec

from skygit.domain.brief import Credit
from skygit.domain.candidate import Judged
from skygit.domain.event import (
    Adjusted,
    Answered,
    Committed,
    Computed,
    Evaluated,
    Event,
    Failed,
    Replied,
    Requested,
    Started,
    Steered,
    Stopped,
)
from skygit.domain.request import Proposal, Remeasure
from skygit.domain.ticket import Ticket
from skygit.domain.value import Value


class Spending(Value, frozen=True, kw_only=True):
    """What was paid: model calls, tokens, US dollars; `unpriced` calls have no known price."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0

    def plus(self, reply: Replied) -> "Spending":
        return Spending(
            calls=self.calls + 1,
            prompt_tokens=self.prompt_tokens + reply.prompt_tokens,
            completion_tokens=self.completion_tokens + reply.completion_tokens,
            cost=self.cost + (reply.seen.cost or 0.0),
            unpriced=self.unpriced + (reply.seen.cost is None),
        )


class History:
    """Everything a run knows about itself. Changed only by `record`."""

    def __init__(self) -> None:
        self.started: Started | None = None
        self.stopped: Stopped | None = None
        self.tickets: dict[int, Ticket] = {}
        self.pending: dict[int, Ticket] = {}
        self.judged: dict[str, Judged] = {}
        self.trees: dict[str, str] = {}
        self.leaders: dict[int, Judged] = {}
        self.best: Judged | None = None
        self.children: defaultdict[str, list[int]] = defaultdict(list)
        self.credits: dict[str, Credit] = {}
        self.spending = Spending()
        self.iterations = 0
        self.outcomes: Counter[str] = Counter()
        self.settings: dict[str, object] = {}

    def record(self, event: Event) -> Ticket | Steered | None:
        """Take one event in. Returns what an algorithm is to be told: a closed ticket, a person's word."""
        match event:
            case Started():
                self.started, self.settings = event, dict(event.settings)
            case Adjusted():
                self.settings |= event.settings
            case Stopped():
                self.stopped = event
            case Steered():
                return event
            case Requested() | Replied() | Committed():
                self._advance(event)
            case Evaluated() | Failed() | Answered() | Computed():
                return self._close(event)
        return None

    @property
    def next_ticket(self) -> int:
        """The number the next request will get."""
        return len(self.tickets)

    @property
    def requested(self) -> int:
        """Proposals asked for so far, open ones included, ticket 0 (the base) not."""
        return self.iterations + sum(_counts(ticket) for ticket in self.pending.values())

    @property
    def base(self) -> Judged:
        """The base as judged by ticket 0."""
        judged = self.tickets[0].judged
        assert judged is not None, "ticket 0 is not judged yet"
        return judged

    def rises(self, judged: Judged) -> tuple[str, ...]:
        """The branches ("island-2", "best") that this candidate would take the lead of."""
        if not judged.evaluation.passed:
            return ()
        leader = self.leaders.get(judged.candidate.island)
        names = [f"island-{judged.candidate.island}"] if leader is None or judged.score > leader.score else []
        if self.best is None or judged.score > self.best.score:
            names.append("best")
        return tuple(names)

    def ranked(self) -> list[Judged]:
        """All candidates that passed, best first, the earlier one first among equals."""
        passed = (judged for judged in self.judged.values() if judged.evaluation.passed)
        return sorted(passed, key=lambda judged: (-judged.score, judged.ticket))

    def lineage(self, commit: str) -> list[Judged]:
        """The candidate and its first parents, newest first, down to the base."""
        line = []
        while commit in self.judged:
            line.append(self.judged[commit])
            if not line[-1].candidate.parents or line[-1].ticket == 0:
                break
            commit = line[-1].candidate.parents[0]
        return line

    def _advance(self, event: Requested | Replied | Committed) -> None:
        match event:
            case Requested():
                self._open(event)
            case Replied():
                self.spending = self.spending.plus(event)
                self._replace(event.ticket, replies=(*self.pending[event.ticket].replies, event))
            case Committed():
                self.trees.setdefault(event.candidate.tree, event.candidate.commit)
                self._replace(event.ticket, candidate=event.candidate)

    def _open(self, event: Requested) -> None:
        ticket = Ticket(number=event.ticket, request=event.request)
        self.tickets[event.ticket] = self.pending[event.ticket] = ticket
        if isinstance(event.request, Proposal) and event.request.parents:
            self.children[event.request.parents[0]].append(event.ticket)

    def _replace(self, number: int, **changes: object) -> Ticket:
        ticket = msgspec.structs.replace(self.pending[number], **changes)
        self.tickets[number] = self.pending[number] = ticket
        return ticket

    def _close(self, event: Evaluated | Failed | Answered | Computed) -> Ticket:
        ticket = self._replace(event.ticket, closing=event)
        del self.pending[event.ticket]
        self.iterations += _counts(ticket)
        if not isinstance(ticket.request, Remeasure):
            self._judge(ticket)
        self.outcomes[_outcome(event)] += _counts(ticket)
        return ticket

    def _judge(self, ticket: Ticket) -> None:
        judged = ticket.judged
        if judged is None:
            return
        self.judged[judged.candidate.commit] = judged
        self._credit(judged)
        for name in self.rises(judged):
            if name == "best":
                self.best = judged
            else:
                self.leaders[judged.candidate.island] = judged

    def _credit(self, judged: Judged) -> None:
        gain = _gained(judged, self.judged)
        for kind in dict.fromkeys(judged.candidate.kinds):
            old = self.credits.get(kind, Credit())
            self.credits[kind] = Credit(tries=old.tries + 1, gains=old.gains + gain)


def replay(events: Iterable[Event]) -> History:
    """The history that these events give."""
    history = History()
    for event in events:
        history.record(event)
    return history


def _counts(ticket: Ticket) -> bool:
    return ticket.number > 0 and isinstance(ticket.request, Proposal)


def _outcome(event: Evaluated | Failed | Answered | Computed) -> str:
    match event:
        case Evaluated():
            return str(event.evaluation.verdict)
        case Failed():
            return event.word
        case Answered():
            return "answered"
        case Computed():
            return "computed"


def _gained(judged: Judged, known: dict[str, Judged]) -> bool:
    parents = judged.candidate.parents
    if not judged.evaluation.passed or not parents or parents[0] not in known:
        return False
    return judged.score > known[parents[0]].score
