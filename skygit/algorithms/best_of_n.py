"""Best of n: a generation is n children of one parent; the best of parent and children is the next one."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from skygit.domain.algorithm import Turn
from skygit.domain.event import Steered
from skygit.domain.population import Member, member
from skygit.domain.request import Proposal, Request
from skygit.domain.ticket import Ticket
from skygit.domain.value import Value
from skygit.numeric.bounds import between


class Generation(Value, frozen=True, kw_only=True):
    """The parent of a generation, the best so far among it and its children, and how many were closed."""

    parent: Member | None = None
    best: Member | None = None
    closed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfN:
    """`n` children per generation. The last ones of a generation are waited for."""

    n: int = 8

    def __post_init__(self) -> None:
        between("n", self.n, 1, 1e6)

    def start(self) -> Generation:
        return Generation()

    def tell(self, state: Generation, news: Ticket | Steered) -> Generation:
        if isinstance(news, Steered) or not isinstance(news.request, Proposal):
            return state
        child = member(news.survivor) if news.survivor else None
        if state.parent is None or state.best is None:
            return Generation(parent=child, best=child)
        best = child if child and child.score > state.best.score else state.best
        if state.closed + 1 < self.n:
            return replace(state, best=best, closed=state.closed + 1)
        return Generation(parent=best, best=best)

    def ask(self, state: Generation, turn: Turn) -> Sequence[Request]:
        if state.parent is None:
            return ()
        open_ = sum(isinstance(ticket.request, Proposal) for ticket in turn.pending)
        left = self.n - state.closed - open_
        return [Proposal(parents=(state.parent.commit,)) for _ in range(min(left, turn.room))]


PLUGIN = BestOfN
