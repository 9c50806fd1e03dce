"""Folders of one process in the user's cache, removed by the next start when the process was killed."""

import fcntl
import hashlib
import os
import secrets
from pathlib import Path

from skygit.git.laying import remove_tree


def cache_folder() -> Path:
    """Where skygit may keep what can be made again: $XDG_CACHE_HOME/skygit, else ~/.cache/skygit."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(configured) if configured.startswith("/") else Path.home() / ".cache"
    return home / "skygit"


def shelf(cache: Path, common: Path) -> Path:
    """The part of the cache that belongs to one repository."""
    return cache / hashlib.sha256(os.fsencode(common)).hexdigest()[:12]


def sweep(folder: Path) -> int:
    """Remove what processes left that are no more. Returns how many there were."""
    return sum(_swept(lease) for lease in sorted(folder.glob("*.lease")))


class Session:
    """One process's folder on a shelf. The kernel frees the lease however the process ends."""

    def __init__(self, shelf: Path) -> None:
        shelf.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lease, self._handle = _leased(shelf)
        self.folder = self._lease.with_suffix("")
        self.folder.mkdir(mode=0o700)

    def close(self) -> None:
        """Remove the folder. Idempotent."""
        if self._handle >= 0:
            remove_tree(str(self.folder))
            self._lease.unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = -1


def _leased(shelf: Path) -> tuple[Path, int]:
    """A new lease, held. One that a sweep took away before it was held is made anew."""
    while True:
        lease = shelf / f"{secrets.token_hex(4)}.lease"
        handle = os.open(lease, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if lease.exists():
            return lease, handle
        os.close(handle)


def _swept(lease: Path) -> bool:
    try:
        handle = os.open(lease, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return False
    folder = lease.with_suffix("")
    if folder.exists():
        remove_tree(str(folder))
    lease.unlink(missing_ok=True)
    os.close(handle)
    return True
