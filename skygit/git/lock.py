"""One writer per run: a file lock that the kernel frees however the holder ends."""

import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from skygit.errors import UserError
from skygit.git.naming import checked
from skygit.git.repository import GitRepository

_STALE_SECONDS: Final = 2.0
_LOCKED: Final = ("refs/skygit", "refs/heads/skygit")


def run_folder(repository: GitRepository, run: str) -> Path:
    """Where a run keeps its lock: beside git's own files, shared by all working trees."""
    return repository.common / "skygit" / checked(run)


@contextmanager
def writing(repository: GitRepository, run: str) -> Iterator[None]:
    """Be the only writer of a run. Raises UserError, naming the holder, when there is one.

    Ref locks that a killed writer left are removed: nobody else takes those of this run.
    """
    folder = run_folder(repository, run)
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _take(handle, run)
        _free_refs(repository.common, run)
        yield
    finally:
        os.close(handle)


def holder(repository: GitRepository, run: str) -> str:
    """Who writes the run now ("process 12 on host"), "" when nobody does."""
    try:
        handle = os.open(run_folder(repository, run) / "lock", os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return ""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(handle)
    finally:
        os.close(handle)
    return ""


def _take(handle: int, run: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UserError(f"run {run} is being written by {_read(handle)}: wait for it, or name another run") from error
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)


def _read(handle: int) -> str:
    return os.pread(handle, 4096, 0).decode(errors="replace").strip() or "another process"


def _free_refs(common: Path, run: str) -> None:
    """Git locks a ref by a file. One that is still there after a while has no owner."""
    for left in [lock for part in _LOCKED for lock in (common / part / run).glob("*.lock")]:
        age = time.time() - left.stat().st_mtime if left.exists() else _STALE_SECONDS
        time.sleep(min(max(0.0, _STALE_SECONDS - age), _STALE_SECONDS))
        left.unlink(missing_ok=True)
