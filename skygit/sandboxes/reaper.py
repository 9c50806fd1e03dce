"""The reaper: a small process that owns all that a sandbox runs.

It forks a supervisor per command without starting a program, so a command costs two forks
and no interpreter start. When its control socket ends, because skygit closed it or was
killed, everything below it is killed and its folder removed.
"""

import gc
import os
import select
import signal
import socket
import struct
import sys
import time

from skygit.sandboxes import cells, family
from skygit.sandboxes.supervisor import supervise

MESSAGE = struct.Struct("!cQ")
"""A control message: `r` run (with a socket), `k` kill (with a socket closed when done); the command's number."""

_FAREWELL = 0.5
_PATIENCE = 10.0


def main(root: str) -> None:
    """Serve the control socket, which is file descriptor 0, until it ends."""
    family.adopt()
    os.makedirs(root, 0o700, exist_ok=True)  # noqa: PTH103 - pathlib would fatten every fork
    reaper = Reaper(_control())
    gc.collect()
    gc.freeze()
    reaper.serve()
    reaper.close()
    cells.remove([root])


def _control() -> socket.socket:
    """The control socket on a descriptor of its own, so that no pipe ever becomes 0, 1 or 2."""
    control = socket.socket(fileno=os.dup(0))
    empty = os.open("/dev/null", os.O_RDWR)
    os.dup2(empty, 0, inheritable=False)
    os.close(empty)
    return control


class Reaper:
    """The supervisors and what is left of those that died."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._life, self._pulse = os.pipe()
        self._woken, waker = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        self._supervisors: dict[int, int] = {}

    def serve(self) -> None:
        """Until the control socket ends."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._woken, select.POLLIN)
        while True:
            ready = [fd for fd, _ in poll.poll()]
            if self._woken in ready:
                self._tidy()
            if self._control.fileno() in ready and not self._obey():
                return

    def close(self) -> None:
        """Let the supervisors end their commands, then end what is left."""
        os.close(self._pulse)
        limit = time.monotonic() + _FAREWELL
        while not family.childless() and time.monotonic() < limit:
            family.reap()
            time.sleep(0.002)
        family.end(_PATIENCE)

    def _obey(self) -> bool:
        try:
            message, fds, _, _ = socket.recv_fds(self._control, MESSAGE.size, 1)
        except OSError:
            return False
        if len(message) < MESSAGE.size or not fds:
            return False
        kind, number = MESSAGE.unpack(message)
        if kind == b"r":
            self._supervisors[self._fork(fds[0])] = number
        else:
            self._kill(number)
        os.close(fds[0])
        return True

    def _fork(self, fd: int) -> int:
        pid = os.fork()
        if pid:
            return pid
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.set_inheritable(fd, False)
            os.close(self._pulse)
            self._control.close()
            supervise(socket.socket(fileno=fd), self._life)
        finally:
            os._exit(0 if sys.exc_info()[0] is None else 1)

    def _tidy(self) -> None:
        try:
            os.read(self._woken, 4096)
        except BlockingIOError:
            pass
        statuses = {
            pid: status for pid, status in family.reap().items() if self._supervisors.pop(pid, None) is not None
        }
        if any(statuses.values()):
            self._end_orphans()

    def _kill(self, number: int) -> None:
        for pid in [pid for pid, one in self._supervisors.items() if one == number]:
            family.send([pid], signal.SIGKILL)
            del self._supervisors[pid]
        self._end_orphans()

    def _end_orphans(self) -> None:
        """What a supervisor that died left behind is ours now: kill it to the last."""
        ended, _ = family.end(_PATIENCE, self._supervisors)
        for pid in ended:
            self._supervisors.pop(pid, None)
