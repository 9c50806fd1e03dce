"""What a folder looked like: cheap to take, and no program can forge it (the kernel sets ctime)."""

import os
import stat
from collections.abc import Iterator
from typing import Final

Stamp = tuple[int, ...]
"""Of a file or link: kind and mode, inode, size, mtime and ctime in ns. Of a folder: kind and mode."""

Stamps = dict[str, Stamp]

_OPEN: Final = 0o700


def take(root: str) -> Stamps:
    """The stamp of everything below a folder."""
    return dict(_below(root, ""))


def stamp(place: str) -> Stamp | None:
    """The stamp of one place, None when nothing is there."""
    try:
        return _stamp(os.lstat(place))
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_folder(mark: Stamp) -> bool:
    """Whether a stamp is a folder's."""
    return stat.S_ISDIR(mark[0])


def _below(root: str, prefix: str) -> Iterator[tuple[str, Stamp]]:
    with os.scandir(f"{root}/{prefix}") as entries:
        found = [(entry.name, entry.stat(follow_symlinks=False)) for entry in entries]
    for name, about in found:
        path = prefix + name
        yield path, _stamp(about)
        if stat.S_ISDIR(about.st_mode):
            if about.st_mode & _OPEN != _OPEN:
                os.chmod(f"{root}/{path}", _OPEN)  # noqa: PTH101 - closed by a run; it is ours
            yield from _below(root, f"{path}/")


def _stamp(about: os.stat_result) -> Stamp:
    if stat.S_ISDIR(about.st_mode):
        return (about.st_mode,)
    return (about.st_mode, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
