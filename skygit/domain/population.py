"""A bounded set of survivors, best first. What most algorithms keep as their memory."""

from bisect import bisect_right
from collections.abc import Iterable

from msgspec.structs import replace

from skygit.domain.candidate import Judged
from skygit.domain.value import Value


class Member(Value, frozen=True, kw_only=True):
    """A survivor as a population knows it. `children` counts its closed proposals there."""

    commit: str
    tree: str
    score: float
    ticket: int
    sketch: tuple[int, ...] = ()
    children: int = 0


def member(judged: Judged) -> Member:
    """A survivor as a member without children."""
    candidate = judged.candidate
    return Member(
        commit=candidate.commit,
        tree=candidate.tree,
        score=judged.score,
        ticket=judged.ticket,
        sketch=candidate.sketch,
    )


class Population(Value, frozen=True, kw_only=True):
    """Members by falling score, the earlier of equals first; so the leader is the first to reach its score."""

    members: tuple[Member, ...] = ()

    @property
    def leader(self) -> Member:
        """The best member. Only a population that is not empty has one."""
        return self.members[0]

    def joined(self, newcomer: Member, cap: int) -> "Population":
        """With one more, at most `cap`. A tree that is there already does not come in twice.

        The worst has to go; of equally bad ones the one with most children, then the oldest.
        """
        if any(known.tree == newcomer.tree for known in self.members):
            return self
        place = bisect_right(self.members, -newcomer.score, key=lambda known: -known.score)
        members = (*self.members[:place], newcomer, *self.members[place:])
        return Population(members=members if len(members) <= cap else _without_worst(members))

    def score(self, commit: str, otherwise: float) -> float:
        """The score of the member of that commit; `otherwise` when it is no longer there."""
        return next((known.score for known in self.members if known.commit == commit), otherwise)

    def parented(self, commit: str) -> "Population":
        """With one child more counted for the member of that commit, if it is still there."""
        for place, known in enumerate(self.members):
            if known.commit == commit:
                older = replace(known, children=known.children + 1)
                return Population(members=(*self.members[:place], older, *self.members[place + 1 :]))
        return self


def settled(members: Iterable[Member], cap: int) -> Population:
    """A new population of these members, their children not yet counted."""
    population = Population()
    for one in members:
        population = population.joined(replace(one, children=0), cap)
    return population


def _without_worst(members: tuple[Member, ...]) -> tuple[Member, ...]:
    lowest = members[-1].score
    ties = [place for place, known in enumerate(members) if place > 0 and known.score == lowest]
    out = max(ties, key=lambda place: (members[place].children, -members[place].ticket))
    return members[:out] + members[out + 1 :]
