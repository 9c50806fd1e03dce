"""Reads objects through one persistent `git cat-file --batch`."""

import threading
from typing import Final

from skygit.errors import RepositoryError
from skygit.git.command import Git, Running
from skygit.git.recent import Recent

_KEPT_BYTES: Final = 4 << 20
_LARGEST_KEPT: Final = 256 << 10


class ObjectReader:
    """Objects by id. Safe to use from several threads; small ones just read are remembered."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._lock = threading.Lock()
        self._running: Running | None = None
        self._recent: Recent[str, tuple[str, bytes]] = Recent(_KEPT_BYTES)

    def read(self, oid: str) -> tuple[str, bytes]:
        """The kind ("blob", "tree", "commit", "tag") and the bytes. Raises KeyError when it is not there."""
        kept = self._recent.get(oid)
        if kept is not None:
            return kept
        with self._lock:
            found = self._ask(oid)
        self.remember(oid, *found)
        return found

    def remember(self, oid: str, kind: str, data: bytes) -> None:
        """Spare the reading of an object that was just written."""
        if len(data) <= _LARGEST_KEPT:
            self._recent.put(oid, (kind, data), len(data) + 200)

    def close(self) -> None:
        """End the process. A later read starts another."""
        with self._lock:
            if self._running is not None:
                self._running.close()
                self._running = None

    def _ask(self, oid: str) -> tuple[str, bytes]:
        """One question. A process that somebody ended is replaced once."""
        answer = self._once(oid) or self._once(oid)
        if answer is None:
            raise RepositoryError("git cat-file ends as soon as it is started")
        if len(answer) == 1:
            raise KeyError(oid)
        return answer[0], answer[1]

    def _once(self, oid: str) -> tuple[str, bytes] | tuple[str] | None:
        if self._running is None:
            self._running = self._git.start("cat-file", "--batch")
        try:
            self._running.stdin.write(oid.encode() + b"\n")
            self._running.stdin.flush()
            words = self._running.stdout.readline().split()
        except BrokenPipeError:
            words = []
        if not words:
            self._running.close()
            self._running = None
            return None
        if len(words) != 3:
            return ("missing",)
        data = self._running.stdout.read(int(words[2]) + 1)[:-1]
        return words[1].decode(), data
