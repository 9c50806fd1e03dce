"""One command under supervision: started, watched, ended with all it started.

Runs in a fork of the reaper, is the sub-reaper of its command, and exits when it has
answered. When skygit or the reaper goes away first, the command is ended at once.
"""

# ruff: noqa: PTH123 - pathlib would fatten the process that is forked for every command

import os
import resource
import select
import signal
import socket
import time

from skygit.sandboxes import cells, family, mounting
from skygit.sandboxes.capture import Capture
from skygit.sandboxes.order import Order, Outcome, order_of, receive, send

_CHANNEL_FD = 3
_CHANNEL_BYTES = 4 << 20
_PATIENCE = 10.0
_TICK = 0.05
_LONG = 1.0
_RESET = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD)
_RAISED = signal.SIGKILL


def supervise(link: socket.socket, life: int) -> None:
    """Serve one order from the link; `life` is a pipe that ends with the reaper."""
    family.adopt()
    header, blobs = receive(link)
    order = order_of(header)
    cells.ready(order.cell)
    watch = Watch(order, blobs[0], [link.fileno(), life])
    outcome = watch.outcome()
    if order.overlay:
        os.chdir("/")
        mounting.unmount(order.folder)
    cells.leave(order.cell)
    send(link, outcome, watch.output())


class Watch:
    """The life of one command."""

    def __init__(self, order: Order, stdin: bytes, lifelines: list[int]) -> None:
        self._order = order
        self._stdin = stdin
        self._lifelines = lifelines
        self._captures: dict[int, Capture] = {}
        self._poll = select.poll()
        self._pid = 0
        self._status: int | None = None
        self._fault = ""
        self._timed_out = False
        self._largest_kb = 0
        self._began = time.monotonic()
        self._wall = 0.0

    def outcome(self) -> Outcome:
        """Run the command to its end."""
        floor_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            self._start()
        except OSError as error:
            return Outcome(127, False, 0.0, 0.0, 0, 0, f"cannot start {self._order.argv[0]!r}: {error.strerror}")
        self._watch()
        strays = self._end()
        for capture in self._captures.values():
            capture.drain()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = used.ru_maxrss if used.ru_maxrss > floor_kb else self._largest_kb
        status = -_RAISED if self._status is None else self._status
        cpu = used.ru_utime + used.ru_stime
        return Outcome(status, self._timed_out, self._wall, cpu, peak, strays, self._fault)

    def output(self) -> list[bytes]:
        """stdout, stderr and what came over the result channel."""
        kept = [capture.kept for capture in self._captures.values()]
        return [*kept, *[b""] * (3 - len(kept))]

    def _start(self) -> None:
        order = self._order
        if order.overlay:
            mounting.mount(order.overlay, order.folder)
        os.chdir(order.folder)
        _limit(order)
        actions = [(os.POSIX_SPAWN_DUP2, _input(self._stdin), 0)]
        actions += [(os.POSIX_SPAWN_DUP2, self._pipe(order.output), fd) for fd in (1, 2)]
        if order.channel:
            actions.append((os.POSIX_SPAWN_DUP2, self._pipe(_CHANNEL_BYTES), _CHANNEL_FD))
        os.environ["PATH"] = order.env.get("PATH", os.defpath)
        self._began = time.monotonic()
        self._pid = os.posix_spawnp(
            order.argv[0], order.argv, order.env, file_actions=actions, setsid=True, setsigmask=(), setsigdef=_RESET
        )
        for _, fd, _ in actions:
            os.close(fd)
        _offer_to_the_oom_killer(self._pid)

    def _pipe(self, limit: int) -> int:
        reading, writing = os.pipe()
        self._captures[reading] = Capture(reading, limit)
        self._poll.register(reading, select.POLLIN)
        return writing

    def _watch(self) -> None:
        exit_fd = os.pidfd_open(self._pid)
        self._poll.register(exit_fd, select.POLLIN)
        for fd in self._lifelines:
            self._poll.register(fd, select.POLLIN)
        while self._status is None and not self._fault and not self._timed_out:
            self._step(self._pause())
            self._note(family.reap())
            self._judge_limits()
        self._wall = time.monotonic() - self._began
        self._poll.unregister(exit_fd)

    def _step(self, seconds: float) -> None:
        for fd, _ in self._poll.poll(max(seconds, 0) * 1000):
            if fd in self._lifelines:
                self._fault = "abandoned: skygit ended"
            elif fd in self._captures:
                self._take(self._captures[fd])

    def _take(self, capture: Capture) -> None:
        before = capture.total
        capture.read()
        if capture.total == before:
            self._poll.unregister(capture.fd)
        if self._order.flood and capture.total > self._order.flood:
            self._fault = f"output limit: more than {self._order.flood >> 20} MB written"

    def _pause(self) -> float:
        left = self._began + self._order.seconds - time.monotonic() if self._order.seconds else _LONG
        return min(left, _TICK if self._order.memory_mb or self._order.processes else _LONG)

    def _note(self, ended: dict[int, int]) -> None:
        if self._pid in ended:
            self._status = os.waitstatus_to_exitcode(ended[self._pid])

    def _judge_limits(self) -> None:
        if self._status is not None or self._fault:
            return
        if self._order.seconds and time.monotonic() - self._began >= self._order.seconds:
            self._timed_out = True
        elif self._order.memory_mb or self._order.processes:
            self._judge_tree()

    def _judge_tree(self) -> None:
        count, total_kb, largest_kb = family.census("self")
        self._largest_kb = max(self._largest_kb, largest_kb)
        limit_kb, most = self._order.memory_mb << 10, self._order.processes
        if limit_kb and total_kb > limit_kb and family.shared_out_kb("self") > limit_kb:
            self._fault = f"memory limit: more than {self._order.memory_mb} MB used"
        elif most and count > most:
            self._fault = f"process limit: more than {most} processes"

    def _end(self) -> int:
        self._grant_grace()
        if family.childless():
            return 0
        ended, seen = family.end(_PATIENCE)
        self._note(ended)
        if not family.childless():
            self._fault = self._fault or "processes were left that could not be killed"
        return len(seen - {self._pid})

    def _grant_grace(self) -> None:
        """Let what ends by itself end: a pool's tracker outlives its parent by a moment."""
        limit = min(time.monotonic() + self._order.grace, self._began + (self._order.seconds or 1e9))
        while self._status is not None and not family.childless() and time.monotonic() < limit:
            self._step(_TICK / 10)
            family.reap()


def _limit(order: Order) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _lower(resource.RLIMIT_NOFILE, 4096)
    if order.file_mb:
        _lower(resource.RLIMIT_FSIZE, order.file_mb << 20)
    if order.data_mb:
        _lower(resource.RLIMIT_DATA, order.data_mb << 20)


def _lower(which: int, to: int) -> None:
    _, hard = resource.getrlimit(which)
    most = to if hard == resource.RLIM_INFINITY else min(to, hard)
    resource.setrlimit(which, (most, most))


def _input(data: bytes) -> int:
    if not data:
        return os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    fd = os.memfd_create("stdin")
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _offer_to_the_oom_killer(pid: int) -> None:
    """When memory runs out, the candidate shall go first, not what supervises it."""
    try:
        with open(f"/proc/{pid}/oom_score_adj", "wb", buffering=0) as file:
            file.write(b"900")
    except OSError:
        return
