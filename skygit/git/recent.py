"""What was used last, up to a weight."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept")


class Recent(Generic[Key, Kept]):
    """A bounded memory that forgets what was not used for longest. Safe to use from several threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._weight = 0
        self._kept: OrderedDict[Key, tuple[Kept, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Kept | None:
        """What was put under the key, unless it is forgotten."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: Key, value: Kept, weight: int) -> None:
        """Remember, and forget the oldest while the sum of weights is over the limit."""
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = (value, weight)
            self._weight += weight
            while self._weight > self._limit and self._kept:
                _, (_, dropped) = self._kept.popitem(last=False)
                self._weight -= dropped
