"""Output kept within bounds: the head and the tail stay, the middle goes."""

import os

_CHUNK = 65536
_FULL_PIPES = 32


class Capture:
    """What was read from one pipe. Never holds more than about the limit, reads on past it."""

    def __init__(self, fd: int, limit: int) -> None:
        os.set_blocking(fd, False)
        self.fd = fd
        self.total = 0
        self._half = max(limit // 2, 1)
        self._head = bytearray()
        self._tail = bytearray()

    def read(self) -> bool:
        """Take one chunk that is there now. False at the end of the pipe, or when nothing is there."""
        try:
            chunk = os.read(self.fd, _CHUNK)
        except BlockingIOError:
            return False
        self._keep(chunk)
        return bool(chunk)

    def drain(self) -> None:
        """Take what is there now: more than a pipe can hold is written by somebody who does not end."""
        for _ in range(_FULL_PIPES):
            if not self.read():
                return

    @property
    def kept(self) -> bytes:
        """Head and tail, and between them how much was cut."""
        cut = self.total - len(self._head) - min(len(self._tail), self._half)
        tail = bytes(self._tail[-self._half :])
        return bytes(self._head) + tail if cut <= 0 else bytes(self._head) + _note(cut) + tail

    def _keep(self, chunk: bytes) -> None:
        self.total += len(chunk)
        room = self._half - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        if len(self._tail) > self._half + (1 << 20):
            del self._tail[: -self._half]


def _note(cut: int) -> bytes:
    return f"\n[... {cut} bytes cut ...]\n".encode()
