"""Splices: replacements of byte ranges, several at a time, and the edits made of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Splice:
    """Replace the bytes `start:end` of a file. `start == end` inserts."""

    path: str
    start: int
    end: int
    new: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One idea: where, what in one line for people, and the operator kind it is credited to."""

    splices: tuple[Splice, ...]
    what: str
    kind: str

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted({splice.path for splice in self.splices}))


def disjoint(splices: Iterable[Splice]) -> bool:
    """Whether no two splices touch the same bytes or insert at the same place."""
    ordered = sorted(splices, key=lambda splice: (splice.path, splice.start, splice.end))
    return all(one.path != two.path or _apart(one, two) for one, two in pairwise(ordered))


def spliced(data: bytes, splices: Sequence[Splice]) -> bytes:
    """The bytes after all splices of one file, given in any order and disjoint."""
    for splice in sorted(splices, key=lambda splice: (splice.start, splice.end), reverse=True):
        data = data[: splice.start] + splice.new + data[splice.end :]
    return data


def _apart(one: Splice, two: Splice) -> bool:
    return one.end <= two.start and (one.start, one.end) != (two.start, two.end)
