"""skygit's side of the reaper: started when first needed, started again when it died."""

import itertools
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from skygit.sandboxes import cells, family
from skygit.sandboxes.order import Order, Outcome, receive, send
from skygit.sandboxes.reaper import MESSAGE

_PACKAGE = str(Path(__file__).parents[2])
_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from skygit.sandboxes.reaper import main; main(sys.argv[2])"
_LATE = 0.75
_KILLING = 4.0
_BROKEN = Outcome(-signal.SIGKILL, False, 0.0, 0.0, 0, 0, "sandbox: the process that watched the command was killed")
_CLOSED = Outcome(-signal.SIGKILL, False, 0.0, 0.0, 0, 0, "sandbox: closed")

Reply = tuple[Outcome, list[bytes]]


class ReaperClient:
    """The door to one reaper process. Safe to use from several threads at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._root = f"{tempfile.gettempdir()}/skygit-cells-{secrets.token_hex(6)}"
        self._numbers = itertools.count(1)
        self._taken: set[int] = set()
        self._closed = False

    @property
    def root(self) -> str:
        """The folder of all cells. The reaper makes it and removes it, so that nobody's death leaves it."""
        return self._root

    @contextmanager
    def cell(self) -> Iterator[str]:
        """A private folder for one command; the supervisor makes it."""
        with self._lock:
            if not self._closed:
                self._ensure()
            number = min(set(range(len(self._taken) + 1)) - self._taken)
            self._taken.add(number)
        try:
            yield f"{self._root}/{number:04d}"
        finally:
            self._taken.discard(number)

    def run(self, order: Order, stdin: bytes) -> Reply:
        """Have a command run to its end. The fault says so when its supervisor or the reaper died."""
        number = next(self._numbers)
        began = time.monotonic()
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                if not self._tell(b"r", number, theirs):
                    return _CLOSED, [b"", b"", b""]
            try:
                return self._converse(ours, order, stdin)
            except (EOFError, OSError):
                self._put_down(number)
                return self._broken(order, time.monotonic() - began), [b"", b"", b""]

    def close(self) -> None:
        """End the reaper and all it runs. Nothing can be run afterwards."""
        with self._lock:
            self._closed = True
            self._stop()

    def _converse(self, link: socket.socket, order: Order, stdin: bytes) -> Reply:
        link.settimeout(order.seconds + _LATE if order.seconds else None)
        send(link, order, [stdin])
        header, blobs = receive(link)
        with suppress(OSError):
            link.recv(1)
        return Outcome(*header), blobs

    def _broken(self, order: Order, wall: float) -> Outcome:
        if self._closed:
            return _CLOSED
        return _BROKEN._replace(wall=wall, timed_out=bool(order.seconds) and wall >= order.seconds)

    def _tell(self, kind: bytes, number: int, link: socket.socket) -> bool:
        with self._lock:
            if self._closed:
                return False
            self._ensure()
            assert self._control is not None
            try:
                socket.send_fds(self._control, [MESSAGE.pack(kind, number)], [link.fileno()])
            except OSError:
                self._stop()
                self._ensure()
                socket.send_fds(self._control, [MESSAGE.pack(kind, number)], [link.fileno()])
            return True

    def _put_down(self, number: int) -> None:
        """Kill what is left of a command. A reaper that cannot do it is itself killed, with all marked by it."""
        if self._have_killed(number):
            return
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._stop()

    def _have_killed(self, number: int) -> bool:
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                if not self._tell(b"k", number, theirs):
                    return False
            ours.settimeout(_KILLING)
            try:
                ours.recv(1)
            except OSError:
                return False
        return True

    def _ensure(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._stop()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _PROGRAM, _PACKAGE, self._root],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"SKYGIT_CELLS": self._root},
                start_new_session=True,
            )
        self._control = ours

    def _stop(self) -> None:
        process, control = self._process, self._control
        self._process = self._control = None
        if control is not None:
            control.close()
        if process is None:
            return
        try:
            process.wait(_KILLING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.returncode != 0:
            _sweep(self._root)
            cells.remove([self._root])


def _sweep(root: str) -> None:
    """Kill every process whose environment names the root, until none is left."""
    limit = time.monotonic() + _KILLING
    while (found := _marked(os.fsencode(root))) and time.monotonic() < limit:
        family.send(found, signal.SIGKILL)
        time.sleep(0.005)


def _marked(root: bytes) -> list[int]:
    found = []
    for name in sorted(path.name for path in Path("/proc").iterdir()):
        try:
            if name.isdigit() and root in Path(f"/proc/{name}/environ").read_bytes():
                found.append(int(name))
        except OSError:
            continue
    return found
