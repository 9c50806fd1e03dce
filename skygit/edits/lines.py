"""Differences between two lists of lines, in bounded time."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

Difference = tuple[int, int, int, int]
"""Old lines [0]..[1] became new lines [2]..[3]."""

DETAIL: Final = 2_000_000
"""Products of lengths beyond which the middle counts as one difference."""


def differences(old: Sequence[str], new: Sequence[str]) -> list[Difference]:
    """Where two texts differ, in order, neither touching nor overlapping."""
    head = _common(old, new)
    tail = _common(old[:head:-1] if head else old[::-1], new[:head:-1] if head else new[::-1])
    tail = min(tail, len(old) - head, len(new) - head)
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if not left and not right:
        return []
    return [(head + a, head + b, head + c, head + d) for a, b, c, d in _middle(left, right)]


def _middle(left: Sequence[str], right: Sequence[str]) -> list[Difference]:
    if not left or not right or len(left) * len(right) > DETAIL:
        return [(0, len(left), 0, len(right))]
    matcher = SequenceMatcher(None, left, right, autojunk=len(left) * len(right) > DETAIL // 10)
    return [(a, b, c, d) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count
