"""Exports that outlast a session. One is used again only when nobody touched it since it was made."""

import fcntl
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from skygit.git.laying import remove_tree
from skygit.git.seal import seal
from skygit.git.stamps import outlast

_KEPT: Final = 2
"""So many exports stay, those used last: a bundle that is being worked on changes the key each time."""


class Base:
    """One export, held: while it is, nobody removes it. The kernel lets it go however the process ends."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.folder = place / "files"
        self._handle = _opened(place)
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    def release(self) -> None:
        """Let it go. Idempotent."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


class Bases:
    """The exports of one repository. One process at a time looks for one, makes one or removes some.

    Each lies in `<key>-<random>/`: `files` is the export, `held` the lock of those who use it,
    and `seal`, written last, what `files` looked like then. One that was touched loses its seal;
    while others hold it, it stays beside the new one.
    """

    def __init__(self, shelf: Path) -> None:
        self._folder = shelf / "bases"

    def take(self, key: str, make: Callable[[Path], None]) -> Base:
        """The export of that key, which `make` writes when there is no whole and untouched one."""
        with _alone(self._folder):
            base = self._untouched(key) or self._made(key, make)
            self._prune()
            return base

    def remove(self) -> int:
        """Remove every export that nobody holds. Returns how many there were."""
        if not self._folder.exists():
            return 0
        with _alone(self._folder):
            removed = sum(_remove(place) for place in self._by_use())
            if not self._by_use():
                remove_tree(str(self._folder))
        return removed

    def _untouched(self, key: str) -> Base | None:
        for place in sorted(self._folder.glob(f"{key}-*")):
            if _untouched(place):
                os.utime(place / "seal")
                return Base(place)
            (place / "seal").unlink(missing_ok=True)
        return None

    def _made(self, key: str, make: Callable[[Path], None]) -> Base:
        place = self._folder / f"{key}-{secrets.token_hex(4)}"
        place.mkdir(mode=0o700)
        base = Base(place)
        try:
            make(base.folder)
            outlast(time.time_ns())
            draft = place / "draft"
            draft.write_text(seal(str(base.folder)))
            draft.rename(place / "seal")
        except BaseException:
            base.release()
            _remove(place)
            raise
        return base

    def _prune(self) -> None:
        known = self._by_use()
        for place in [place for place in known if not _used(place)] + known[_KEPT:]:
            _remove(place)

    def _by_use(self) -> list[Path]:
        """The one used last first; those that were never finished come last."""
        return sorted((place for place in self._folder.iterdir() if place.is_dir()), key=_used, reverse=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the lock of all exports. One that was removed before it was held is made anew."""
    while True:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except FileNotFoundError:
            continue
        fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            break
        os.close(handle)
    try:
        yield
    finally:
        os.close(handle)


def _untouched(place: Path) -> bool:
    try:
        return (place / "seal").read_text() == seal(str(place / "files"))
    except (OSError, UnicodeDecodeError):
        return False


def _used(place: Path) -> int:
    try:
        return (place / "seal").stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _remove(place: Path) -> bool:
    """Remove an export unless somebody holds it."""
    if not place.exists():
        return False
    handle = _opened(place)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove_tree(str(place))
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True


def _opened(place: Path) -> int:
    return os.open(place / "held", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
