"""No isolation: the user's environment and a deadline. Only when named, for programs one trusts."""

import os
import select
import signal
import subprocess
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field

from skygit.ports import Command, Finished
from skygit.sandboxes import channel
from skygit.sandboxes.capture import Capture

_CHANNEL_BYTES = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Bare:
    """Runs a command as a shell would, in a session of its own that ends with it."""

    _running: set[int] = field(init=False, repr=False, compare=False, default_factory=set)

    @property
    def name(self) -> str:
        """The tier."""
        return "bare"

    @property
    def overlays(self) -> bool:
        """It mounts nothing."""
        return False

    def run(self, command: Command) -> Finished:
        """Run to the end or the deadline, then kill the session. What left the session stays."""
        nonce = channel.open_nonce()
        with ExitStack() as stack:
            run = _Run(command, stack, nonce)
            try:
                pid = run.start()
            except OSError as error:
                return Finished(status=127, fault=f"cannot start {command.argv[0]!r}: {error.strerror}")
            self._running.add(pid)
            try:
                return run.finish()
            finally:
                self._running.discard(pid)

    def close(self) -> None:
        """Kill the sessions that still run. Idempotent."""
        for pid in list(self._running):
            _kill_session(pid)


class _Run:
    def __init__(self, command: Command, stack: ExitStack, nonce: str) -> None:
        self._command = command
        self._stack = stack
        self._nonce = nonce
        self._captures: dict[int, Capture] = {}
        self._poll = select.poll()
        self._began = time.monotonic()

    def start(self) -> int:
        command = self._command
        stdin = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
        stdin.write(command.stdin)
        stdin.seek(0)
        with ExitStack() as ends:
            stdout, stderr = (self._pipe(ends, command.output) for _ in range(2))
            report = (self._pipe(ends, _CHANNEL_BYTES),) if command.channel else ()
            env = {**os.environ, **command.env, **(channel.variable(self._nonce, report[0]) if report else {})}
            self._process = subprocess.Popen(
                command.argv,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pass_fds=report,
                cwd=command.slot.folder,
                env=env,
                start_new_session=True,
            )
        return self._process.pid

    def finish(self) -> Finished:
        timed_out = not self._wait()
        wall = time.monotonic() - self._began
        _kill_session(self._process.pid)
        _, status, used = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        for capture in self._captures.values():
            capture.drain()
        stdout, stderr, *received = (capture.kept for capture in self._captures.values())
        result, fault = channel.verdict(self._nonce, received[0]) if received else ("", "")
        return Finished(
            status=self._process.returncode,
            timed_out=timed_out,
            stdout=stdout,
            stderr=stderr,
            result=result,
            wall=wall,
            cpu=used.ru_utime + used.ru_stime,
            peak_kb=used.ru_maxrss,
            fault=fault if self._process.returncode == 0 else "",
        )

    def _pipe(self, ends: ExitStack, limit: int) -> int:
        reading, writing = os.pipe()
        ends.callback(os.close, writing)
        self._stack.callback(os.close, reading)
        self._captures[reading] = Capture(reading, limit)
        self._poll.register(reading, select.POLLIN)
        return writing

    def _wait(self) -> bool:
        """Read until the process has ended: True; or the deadline has come: False."""
        exit_fd = os.pidfd_open(self._process.pid)
        self._stack.callback(os.close, exit_fd)
        self._poll.register(exit_fd, select.POLLIN)
        deadline = self._began + self._command.seconds if self._command.seconds else float("inf")
        while (left := deadline - time.monotonic()) > 0:
            ready = [fd for fd, _ in self._poll.poll(min(left, 60.0) * 1000)]
            for fd in ready:
                if fd in self._captures and not self._captures[fd].read():
                    self._poll.unregister(fd)
            if exit_fd in ready:
                return True
        return False


def _kill_session(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


PLUGIN = Bare
