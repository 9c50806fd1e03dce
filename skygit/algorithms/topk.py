"""Top-k: the parent is drawn from the k best so far."""

from collections.abc import Sequence
from dataclasses import dataclass

from skygit.domain.algorithm import Turn
from skygit.domain.event import Steered
from skygit.domain.population import Population, member
from skygit.domain.request import Proposal, Request
from skygit.domain.ticket import Ticket
from skygit.numeric.bounds import between


@dataclass(frozen=True, slots=True, kw_only=True)
class TopK:
    """`k` parents are drawn from, each as likely; `inspirations` of the others are shown, the best first."""

    k: int = 5
    inspirations: int = 2

    def __post_init__(self) -> None:
        between("k", self.k, 1, 1e6)
        between("inspirations", self.inspirations, 0, 100)

    def start(self) -> Population:
        return Population()

    def tell(self, state: Population, news: Ticket | Steered) -> Population:
        if isinstance(news, Steered) or news.survivor is None:
            return state
        return state.joined(member(news.survivor), self.k)

    def ask(self, state: Population, turn: Turn) -> Sequence[Request]:
        if not state.members:
            return ()
        commits = [one.commit for one in state.members]
        return [self._proposal(commits, turn.rng.choice(commits)) for _ in range(turn.room)]

    def _proposal(self, commits: Sequence[str], parent: str) -> Proposal:
        others = tuple(commit for commit in commits if commit != parent)
        return Proposal(parents=(parent,), inspirations=others[: self.inspirations])


PLUGIN = TopK
