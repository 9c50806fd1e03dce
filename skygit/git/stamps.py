"""What a folder looked like: cheap to take, and no program can forge it (the kernel sets ctime)."""

import os
import stat
import time
from typing import Final

Stamp = tuple[int, ...]
"""Of a file or link: kind and mode, inode, size and ctime in ns. Of a folder: kind and mode."""

Stamps = dict[str, Stamp]

_OPEN: Final = 0o700
_TICK: Final = 10_000_000
"""Nanoseconds after which the kernel's clock for files has moved on (it ticks at least 100 times a second)."""


def take(root: str) -> Stamps:
    """The stamp of everything below a folder."""
    found: Stamps = {}
    folders = [""]
    while folders:
        prefix = folders.pop()
        with os.scandir(f"{root}/{prefix}") as entries:
            for entry in entries:
                about = entry.stat(follow_symlinks=False)
                path = prefix + entry.name
                found[path] = _stamp(about)
                if stat.S_ISDIR(about.st_mode):
                    folders.append(f"{path}/")
                    _open(f"{root}/{path}", about.st_mode)
    return found


def stamp(place: str) -> Stamp | None:
    """The stamp of one place, None when nothing is there."""
    try:
        return _stamp(os.lstat(place))
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_folder(mark: Stamp) -> bool:
    """Whether a stamp is a folder's."""
    return stat.S_ISDIR(mark[0])


def outlast(written: int) -> None:
    """Wait until what is written from now on gets a later ctime than `written` (ns)."""
    left = written + _TICK - time.time_ns()
    if left > 0:
        time.sleep(min(left, _TICK) / 1e9)


def newest(stamps: Stamps) -> int:
    """The latest ctime among files, 0 when there are none."""
    return max((mark[-1] for mark in stamps.values() if not is_folder(mark)), default=0)


def _stamp(about: os.stat_result) -> Stamp:
    if stat.S_ISDIR(about.st_mode):
        return (about.st_mode,)
    return (about.st_mode, about.st_ino, about.st_size, about.st_ctime_ns)


def _open(place: str, mode: int) -> None:
    """A folder that a run closed is opened to look into it: it is ours."""
    if mode & _OPEN != _OPEN:
        os.chmod(place, _OPEN)  # noqa: PTH101
