"""What lies before an operator: the file it shall edit, other files, chance and step sizes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from skygit.edits.mutations.source import Source
from skygit.edits.mutations.splice import Edit, Splice


class Around(Protocol):
    """The files beside the one that is edited, read only when asked for."""

    def near(self, path: str, word: bytes) -> Iterator[Source]:
        """Files in scope close to a path that hold a word, without the file itself; a bounded number."""
        ...

    def neighbour(self, path: str, rng: Random) -> Source | None:
        """One file in scope close to a path."""
        ...

    def muse(self, path: str, rng: Random) -> Source | None:
        """The file as one of the inspirations has it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One drawing of one edit. `spread` is the standard deviation of a move on a log scale."""

    source: Source
    rng: Random
    spread: float
    around: Around

    def pick(self, positions: Sequence[int]) -> int | None:
        """One of the positions, None when there are none."""
        return self.rng.choice(positions) if positions else None

    def put(self, position: int, new: bytes) -> Splice:
        """The splice that replaces a node."""
        node = self.source.nodes[position]
        return Splice(path=self.source.path, start=node.start, end=node.end, new=new)

    def replace(self, position: int, new: bytes, kind: str) -> Edit | None:
        """The edit that replaces one node; None when that changes nothing."""
        old = self.source.text(position)
        if old == new:
            return None
        what = f"{self.source.where(position)} {shown(old)} -> {shown(new)} ({kind})"
        return Edit(splices=(self.put(position, new),), what=what, kind=kind)


Operator = Callable[[Ground], Edit | None]
"""Draws one edit; None when the file has no place for it or the draw changed nothing."""


def shown(text: bytes) -> str:
    """Bytes for people: one line, cut."""
    line = " ".join(text.decode("utf-8", "replace").split())
    return line if len(line) <= 40 else line[:37] + "..."
