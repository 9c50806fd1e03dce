"""Numbers for slots: the lowest free one, so that paths repeat and have equal length."""

import heapq
import threading


class Rooms:
    """Hands out names like "s000". Safe to use from several threads."""

    def __init__(self) -> None:
        self._free: list[int] = []
        self._made = 0
        self._lock = threading.Lock()

    def take(self) -> str:
        """A name that nobody has."""
        with self._lock:
            if self._free:
                return f"s{heapq.heappop(self._free):03}"
            self._made += 1
            return f"s{self._made - 1:03}"

    def give_back(self, name: str) -> None:
        """The name may be handed out again."""
        with self._lock:
            heapq.heappush(self._free, int(name[1:]))
