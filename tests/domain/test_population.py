"""A population is sorted, bounded, without twins, and keeps its leader."""

from hypothesis import given
from hypothesis import strategies as st

from skygit.domain.population import Member, Population, settled


def one(ticket: int, score: float, *, tree: str = "", children: int = 0) -> Member:
    return Member(commit=f"c{ticket}", tree=tree or f"t{ticket}", score=score, ticket=ticket, children=children)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 30)), max_size=60), st.integers(1, 8))
def test_the_best_stay_in_order(draws: list[tuple[int, int]], cap: int) -> None:
    population = Population()
    seen: dict[str, Member] = {}
    for ticket, (score, tree) in enumerate(draws):
        newcomer = one(ticket, float(score), tree=f"t{tree}-{score}")
        seen.setdefault(newcomer.tree, newcomer)
        population = population.joined(newcomer, cap)
    scores = [member.score for member in population.members]
    assert scores == sorted((member.score for member in seen.values()), reverse=True)[:cap]
    assert len({member.tree for member in population.members}) == len(population.members)
    if seen:
        top = max(member.score for member in seen.values())
        assert population.leader == next(member for member in seen.values() if member.score == top)


def test_of_equals_the_most_tried_goes() -> None:
    population = settled([one(0, 2.0), one(1, 1.0), one(2, 1.0)], 3).parented("c2")
    assert [member.ticket for member in population.joined(one(3, 1.0), 3).members] == [0, 1, 3]


def test_on_a_plateau_the_leader_stays_and_the_rest_turns_over() -> None:
    population = Population()
    for ticket in range(10):
        population = population.joined(one(ticket, 1.0), 3)
    assert [member.ticket for member in population.members] == [0, 8, 9]


def test_children_are_counted_for_members_only() -> None:
    population = settled([one(0, 1.0, children=7)], 3)
    assert population.leader.children == 0
    assert population.parented("c0").parented("elsewhere").leader.children == 1
