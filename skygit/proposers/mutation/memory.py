"""What a proposer remembers so that a draft costs what it changes: nothing here is state.

Every value is a function of its key: a survey of (path, content), a listing of a commit.
Forgetting costs time only.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from skygit.domain.scope import Scope
from skygit.edits.mutations.source import Source

Key = TypeVar("Key")
Kept = TypeVar("Kept")


class Shelf(Generic[Key, Kept]):
    """The values used last, up to a total weight. Safe to use from several threads."""

    def __init__(self, limit: int, weigh: Callable[[Kept], int]) -> None:
        self._limit, self._weigh = limit, weigh
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, key: Key) -> Kept | None:
        """The value, or None when it was never put or is forgotten."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Key, value: Kept) -> Kept:
        """Remember a value; the least recently used ones go until the rest is light enough."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = value
                self._weight += self._weigh(value)
            while self._weight > self._limit and len(self._kept) > 1:
                _, dropped = self._kept.popitem(last=False)
                self._weight -= self._weigh(dropped)
        return value


class Memory:
    """The shelves of one proposer."""

    def __init__(self) -> None:
        self.surveys: Shelf[tuple[str, bytes], Source | None] = Shelf(NODES, _nodes)
        self.listings: Shelf[tuple[str, Scope], tuple[str, ...]] = Shelf(COMMITS, lambda _: 1)
        self.verdicts: dict[Scope, dict[str, bool]] = {}


NODES = 120_000
"""Syntax nodes kept (about 200 bytes each)."""
COMMITS = 50_000
"""Listings kept; commits with the same files share one."""


def digest(data: bytes) -> bytes:
    """A short name of a content."""
    return hashlib.blake2b(data, digest_size=16).digest()


def _nodes(source: Source | None) -> int:
    return 1 if source is None else len(source.nodes)
