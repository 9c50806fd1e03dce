"""Process trees by `/proc`: who descends from whom, what they use, and ending them all.

A sub-reaper inherits every orphan below it, so its tree is complete however often a program
forks, detaches or starts a session of its own.
"""

# ruff: noqa: PTH123, PTH208 - pathlib would fatten the process that is forked for every command

import ctypes
import os
import signal
import time
from collections.abc import Collection, Iterable
from functools import cache
from typing import NamedTuple

_PR_SET_CHILD_SUBREAPER = 36
_PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
_CALM = 0.002


class Census(NamedTuple):
    """A tree at one moment: how many processes, their resident memory, the largest one's."""

    processes: int
    total_kb: int
    largest_kb: int


def adopt() -> None:
    """Become the sub-reaper of everything below. Raises OSError when the system refuses."""
    if libc().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot become a sub-reaper")


@cache
def libc() -> ctypes.CDLL:
    """The C library. Loaded once, before the forks: each would pay for it again."""
    return ctypes.CDLL(None, use_errno=True)


def children(pid: int | str) -> list[int]:
    """The living and dead children of a process; none when it has gone."""
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for thread in threads:
        found.extend(_children_of_thread(pid, thread))
    return found


def descendants(pid: int | str, spare: Collection[int] = ()) -> list[int]:
    """All below a process, nearest first, without `spare` and what is below them.

    What forks meanwhile may be missed: ask again.
    """
    found: list[int] = []
    ahead = [child for child in children(pid) if child not in spare]
    while ahead:
        found.extend(ahead)
        ahead = [child for parent in ahead for child in children(parent)]
    return found


def reap() -> dict[int, int]:
    """Collect the children that ended: pid to wait status."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status


def childless() -> bool:
    """Whether nothing is left below: for a sub-reaper, that no descendant lives."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def end(patience: float, spare: Collection[int] = ()) -> tuple[dict[int, int], set[int]]:
    """Kill everything below, `spare` and what is below them excepted, until nothing is left.

    All that is found is stopped before any of it is killed, so that nothing can replace what
    died; what was forked meanwhile is found next time, there is less of it each time. Gives
    up after `patience` seconds. Returns the wait statuses of what was reaped, and the pids
    that were alive when found.
    """
    ended: dict[int, int] = {}
    seen: set[int] = set()
    limit = time.monotonic() + patience
    ended.update(reap())
    while (found := descendants("self", spare)) and time.monotonic() < limit:
        fresh = [pid for pid in found if pid not in seen]
        send(fresh, signal.SIGSTOP)
        seen.update(pid for pid in fresh if not _dead(pid))
        send(found, signal.SIGKILL)
        if not fresh:
            time.sleep(_CALM)
        ended.update(reap())
    return ended, seen


def send(pids: Iterable[int], number: int) -> None:
    """Signal each one that is still there and ours."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue


def census(pid: int | str) -> Census:
    """Count a tree and its memory."""
    sizes = [_resident_kb(one) for one in descendants(pid)]
    return Census(len(sizes), sum(sizes), max(sizes, default=0))


def shared_out_kb(pid: int | str) -> int:
    """The memory of a tree in kB, pages held by several processes counted once."""
    return sum(_proportional_kb(one) for one in descendants(pid))


def _children_of_thread(pid: int | str, thread: str) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _dead(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in b"ZX"
    except OSError:
        return True


def _resident_kb(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE_KB
    except (OSError, IndexError):
        return 0


def _proportional_kb(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return next((int(line.split()[1]) for line in file if line.startswith(b"Pss:")), 0)
    except OSError:
        return _resident_kb(pid)
