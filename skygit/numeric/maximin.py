"""A few that lie far apart: greedy maximin choice (Gonzalez 1985), and the distance of fingerprints."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def mismatch(one: Sequence[int], other: Sequence[int]) -> float:
    """The share of positions in which two fingerprints differ, 0 to 1; a missing position differs."""
    longest = max(len(one), len(other))
    if longest == 0:
        return 0.0
    return 1.0 - sum(a == b for a, b in zip(one, other, strict=False)) / longest


def farthest(
    items: Sequence[Item], count: int, distance: Callable[[Item, Item], float], *, away: Sequence[Item] = ()
) -> list[Item]:
    """Up to `count` items, each the one farthest from those chosen before it and from `away`.

    Without `away` the first item is chosen first. Earlier items win ties.
    """
    nearest = [min((distance(item, mark) for mark in away), default=float("inf")) for item in items]
    chosen: list[Item] = []
    left = list(range(len(items)))
    while left and len(chosen) < count:
        best = max(left, key=lambda index: nearest[index])
        left.remove(best)
        chosen.append(items[best])
        for index in left:
            nearest[index] = min(nearest[index], distance(items[index], items[best]))
    return chosen
