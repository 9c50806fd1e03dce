"""Draws out of populations: a parent, inspirations, and how broad an edit may be."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from skygit.domain.brief import Credit
from skygit.domain.island import Islands
from skygit.domain.population import Member, Population
from skygit.domain.request import Breadth, Proposal


def drawn_parent(population: Population, pending: Sequence[Proposal], rng: Random, explore: float) -> Member:
    """The leader, or with probability `explore` a draw by rank that spares those with many children."""
    if rng.random() >= explore:
        return population.leader
    waiting = Counter(proposal.parents[0] for proposal in pending)
    weights = [
        1 / ((1 + rank) ** 2 * (1 + one.children + waiting[one.commit])) for rank, one in enumerate(population.members)
    ]
    return rng.choices(population.members, weights)[0]


def drawn_breadth(intensity: float, credits: Mapping[str, Credit], rng: Random) -> Breadth:
    """Focused mostly; at intensity 0.7 a third of the edits is wider, a third of those a rewrite.

    A wider breadth that gains less often than focused edits is drawn less, in that proportion.
    """
    draw = rng.random()
    rewrite = intensity**2 / 4 * _standing(credits, "rewrite")
    if draw < rewrite:
        return "rewrite"
    several = (intensity / 2 - intensity**2 / 4) * _standing(credits, "several")
    return "several" if draw < rewrite + several else "focused"


def _standing(credits: Mapping[str, Credit], breadth: Breadth) -> float:
    return min(1.0, _rate(credits, breadth) / _rate(credits, "focused"))


def _rate(credits: Mapping[str, Credit], breadth: Breadth) -> float:
    """The share of gains, after one imagined gain in four tries."""
    credit = credits.get(breadth, Credit())
    return (credit.gains + 1) / (credit.tries + 4)


def inspirations(islands: Islands, place: int, parent: Member, count: int, rng: Random) -> tuple[str, ...]:
    """The leaders, the best first, then members of the island; never the parent, no two of one score."""
    leaders = sorted((one.population.leader for one in islands), key=lambda one: -one.score)
    members = islands[place].population.members
    shown = {parent.score}
    commits: list[str] = []
    for one in (*leaders, *rng.sample(members, min(len(members), count))):
        if one.score not in shown:
            shown.add(one.score)
            commits.append(one.commit)
    return tuple(commits[:count])
