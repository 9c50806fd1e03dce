"""An island: a population and its signal of improvement."""

from msgspec.structs import replace

from skygit.domain.population import Member, Population
from skygit.domain.value import Value


class Island(Value, frozen=True, kw_only=True):
    """A population with its signal G. `closings` counts its closed proposals.

    `spawned`: it came later, seeded with what lay far from the leaders.
    """

    population: Population
    signal: float = 0.0
    closings: int = 0
    spawned: bool = False

    def grown(self, parent: str, child: Member | None, signal: float, cap: int) -> "Island":
        """After a proposal was closed: its child, if one survived, and the signal that follows."""
        population = self.population.parented(parent)
        if child is not None:
            population = population.joined(child, cap)
        return replace(self, population=population, signal=signal, closings=self.closings + 1)


Islands = tuple[Island, ...]


def put(islands: Islands, place: int, island: Island) -> Islands:
    """The islands with one of them exchanged."""
    return (*islands[:place], island, *islands[place + 1 :])


def split(islands: Islands) -> tuple[list[Member], list[Member]]:
    """The leaders, and all other members, each commit once."""
    leaders = {island.population.leader.commit: island.population.leader for island in islands}
    everyone = {one.commit: one for island in islands for one in island.population.members}
    return list(leaders.values()), [one for commit, one in everyone.items() if commit not in leaders]


def migrated(islands: Islands, cap: int, youth: int) -> Islands:
    """Along the ring each leader joins the next island as well.

    A spawned island is left alone for its first `youth` closings: a guest that is better than
    all its seeds would end what makes it different.
    """
    after = islands
    for home, island in enumerate(islands):
        place = (home + 1) % len(islands)
        host = after[place]
        if place != home and not (host.spawned and host.closings < youth):
            guest = replace(island.population.leader, children=0)
            after = put(after, place, replace(host, population=host.population.joined(guest, cap)))
    return after
