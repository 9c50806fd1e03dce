"""Hill climbing: every child is made from the best so far. The control that a search must beat."""

from collections.abc import Sequence
from dataclasses import dataclass

from skygit.domain.algorithm import Turn
from skygit.domain.event import Steered
from skygit.domain.population import Member, member
from skygit.domain.request import Proposal, Request
from skygit.domain.ticket import Ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class HillClimb:
    """No options. The state is the best so far; of equals the first to get there."""

    def start(self) -> Member | None:
        return None

    def tell(self, state: Member | None, news: Ticket | Steered) -> Member | None:
        if isinstance(news, Steered) or news.survivor is None:
            return state
        child = member(news.survivor)
        return child if state is None or child.score > state.score else state

    def ask(self, state: Member | None, turn: Turn) -> Sequence[Request]:
        if state is None:
            return ()
        return [Proposal(parents=(state.commit,)) for _ in range(turn.room)]


PLUGIN = HillClimb
