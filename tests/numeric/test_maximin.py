"""Far apart means far apart."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from skygit.numeric.maximin import farthest, mismatch


def gap(one: float, other: float) -> float:
    return abs(one - other)


def test_on_a_line_the_ends_come_first() -> None:
    assert farthest([1.0, 4.0, 9.0, 6.0], 2, gap, away=[0.0]) == [9.0, 4.0]
    assert farthest([3.0, 0.0, 7.0], 2, gap) == [3.0, 7.0]


def test_fewer_items_than_wanted() -> None:
    assert farthest([1.0], 5, gap) == [1.0]
    assert farthest([], 5, gap) == []


def test_fingerprints() -> None:
    assert mismatch((1, 2, 3, 4), (1, 2, 0, 0)) == 0.5
    assert mismatch((1, 2), (1, 2, 3, 4)) == 0.5
    assert mismatch((), ()) == 0.0


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=12, unique=True), st.integers(2, 5))
def test_half_as_good_as_the_best_choice(items: list[int], count: int) -> None:
    """Greedy maximin reaches at least half of the best possible smallest distance."""
    count = min(count, len(items))
    chosen = farthest(items, count, gap)
    spread = min(gap(a, b) for a, b in combinations(chosen, 2))
    best = max(min(gap(a, b) for a, b in combinations(some, 2)) for some in combinations(items, count))
    assert 2 * spread >= best
