"""Beam search: each level gives every member of the beam its children; the best of all are the next beam."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from skygit.domain.algorithm import Turn
from skygit.domain.event import Steered
from skygit.domain.population import Population, member, settled
from skygit.domain.request import Proposal, Request
from skygit.domain.ticket import Ticket
from skygit.domain.value import Value
from skygit.numeric.bounds import between


class Level(Value, frozen=True, kw_only=True):
    """The beam with its closed children, the best so far of beam and children, and the level's depth."""

    beam: Population = Population()
    best: Population = Population()
    depth: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Beam:
    """`width` members in the beam, `children` of each per level. The last ones of a level are waited for.

    After `levels` levels the beam begins again from its best member alone (0: never), so that
    a beam of close relatives is not the end.
    """

    width: int = 4
    children: int = 4
    levels: int = 0

    def __post_init__(self) -> None:
        between("width", self.width, 1, 1e6)
        between("children", self.children, 1, 1e6)
        between("levels", self.levels, 0, 1e6)

    def start(self) -> Level:
        return Level()

    def tell(self, state: Level, news: Ticket | Steered) -> Level:
        if isinstance(news, Steered) or not isinstance(news.request, Proposal):
            return state
        best = state.best.joined(member(news.survivor), self.width) if news.survivor else state.best
        if not news.request.parents:
            return Level(beam=best, best=best)
        beam = state.beam.parented(news.request.parents[0])
        if sum(one.children for one in beam.members) < self.children * len(beam.members):
            return replace(state, beam=beam, best=best)
        return self._next(state.depth + 1, best)

    def ask(self, state: Level, turn: Turn) -> Sequence[Request]:
        open_ = Counter(
            ticket.request.parents[0]
            for ticket in turn.pending
            if isinstance(ticket.request, Proposal) and ticket.request.parents
        )
        lacking = {one.commit: self.children - one.children - open_[one.commit] for one in state.beam.members}
        asked: list[Request] = []
        while len(asked) < turn.room and any(count > 0 for count in lacking.values()):
            parent = max(lacking, key=lambda commit: lacking[commit])
            lacking[parent] -= 1
            asked.append(Proposal(parents=(parent,)))
        return asked

    def _next(self, depth: int, best: Population) -> Level:
        again = self.levels > 0 and depth % self.levels == 0
        beam = settled(best.members[:1] if again else best.members, self.width)
        return Level(beam=beam, best=beam, depth=depth)


PLUGIN = Beam
