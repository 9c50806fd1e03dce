"""The paths of a tree, held as a shared list and a difference."""

import heapq
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from skygit.git.command import Git
from skygit.git.difference import difference
from skygit.git.recent import Recent
from skygit.git.treeobject import TreeReader, decode

_FAR: Final = 4
"""A difference of more than a quarter of the list is listed afresh."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Collection[str]):
    """Paths in sorted order: those of `anchor` without `removed`, and `added`."""

    anchor: dict[str, None]
    added: tuple[str, ...] = ()
    removed: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.anchor) + len(self.added) - len(self.removed)

    def __contains__(self, path: object) -> bool:
        return path in self.added or (path in self.anchor and path not in self.removed)

    def __iter__(self) -> Iterator[str]:
        if not self.added and not self.removed:
            return iter(self.anchor)
        return heapq.merge((path for path in self.anchor if path not in self.removed), self.added)


class Lister:
    """Lists trees. The first tree listed becomes the anchor that later ones are told apart from."""

    def __init__(self, git: Git, trees: TreeReader) -> None:
        self._git = git
        self._trees = trees
        self._anchor: tuple[str, Listing] | None = None
        self._recent: Recent[str, Listing] = Recent(200)

    def paths(self, tree: str) -> Listing:
        """The paths of a tree. After the first, the cost follows the difference from the first."""
        anchor = self._anchor
        if anchor is None:
            anchor = self._anchor = (tree, self._afresh(tree))
        if anchor[0] == tree:
            return anchor[1]
        known = self._recent.get(tree)
        if known is None:
            known = self._apart(tree, *anchor)
            self._recent.put(tree, known, 1 + len(known.removed) // 50 + len(known.added) // 50)
        return known

    def _apart(self, tree: str, anchor: str, listing: Listing) -> Listing:
        added: list[str] = []
        removed: list[str] = []
        for path, old, new in difference(self._trees, anchor, tree):
            if old is None:
                added.append(path)
            elif new is None:
                removed.append(path)
            if (len(added) + len(removed)) * _FAR > len(listing) + 100:
                return self._afresh(tree)
        return Listing(anchor=listing.anchor, added=tuple(sorted(added)), removed=frozenset(removed))

    def _afresh(self, tree: str) -> Listing:
        names = self._git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree).split(b"\0")[:-1]
        return Listing(anchor=dict.fromkeys(sorted(map(decode, names))))
