"""Migration along the ring."""

from msgspec.structs import replace

from skygit.domain.island import Island, migrated, split
from skygit.domain.population import Member, settled


def island(number: int, *, spawned: bool = False, closings: int = 0) -> Island:
    one = Member(commit=f"c{number}", tree=f"t{number}", score=float(number), ticket=number, children=9)
    return Island(population=settled([one], 20), spawned=spawned, closings=closings)


def commits(one: Island) -> list[str]:
    return [member.commit for member in one.population.members]


def test_each_leader_joins_the_next_island_and_none_goes_two_steps() -> None:
    after = migrated((island(3), island(2), island(1)), 20, 20)
    assert [commits(one) for one in after] == [["c3", "c1"], ["c3", "c2"], ["c2", "c1"]]
    assert all(member.children == 0 for one in after for member in one.population.members)


def test_a_young_spawned_island_takes_no_guest_but_sends_one() -> None:
    young = island(1, spawned=True, closings=5)
    assert [commits(one) for one in migrated((island(3), young), 20, 20)] == [["c3", "c1"], ["c1"]]
    grown = replace(young, closings=20)
    assert commits(migrated((island(3), grown), 20, 20)[1]) == ["c3", "c1"]


def test_one_island_alone_stays_as_it_is() -> None:
    alone = (island(1),)
    assert migrated(alone, 20, 20) == alone


def test_leaders_and_others_are_each_named_once() -> None:
    leaders, others = split(migrated((island(3), island(2)), 20, 0))
    assert [one.commit for one in leaders] == ["c3"]
    assert [one.commit for one in others] == ["c2"]
