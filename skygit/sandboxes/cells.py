"""Private folders: each holds the HOME and TMPDIR of one command at a time.

A cell found as it was made serves the next command; one that was used is made anew.
"""

# ruff: noqa: PTH101, PTH102, PTH108, PTH112, PTH114, PTH118, PTH208 - pathlib would fatten every fork

import os
import stat
from collections.abc import Iterable

_ROOMS = ("home", "tmp")
_MODE = stat.S_IFDIR | 0o700


def ready(cell: str) -> None:
    """Have a cell with empty rooms, whatever was left there."""
    if not _fresh(cell):
        remove([cell])
        _make(cell)


def leave(cell: str) -> None:
    """Remove what a command left in it."""
    if not _fresh(cell):
        remove([cell])


def remove(folders: Iterable[str]) -> None:
    """Remove folders with all that is in them, whatever modes it was given. Never follows a link out."""
    for folder in folders:
        if os.path.lexists(folder):
            _remove(folder)


def _make(cell: str) -> None:
    for path in (cell, *(f"{cell}/{room}" for room in _ROOMS)):
        os.mkdir(path, 0o700)


def _fresh(cell: str) -> bool:
    """Whether it holds its two rooms, both empty and its own."""
    try:
        return sorted(os.listdir(cell)) == [*_ROOMS] and all(_untouched(f"{cell}/{room}") for room in _ROOMS)
    except OSError:
        return False


def _untouched(room: str) -> bool:
    return os.lstat(room).st_mode == _MODE and not os.listdir(room)


def _remove(folder: str) -> None:
    import shutil

    if os.path.islink(folder) or not os.path.isdir(folder):
        os.unlink(folder)
        return
    for inner, _, _ in os.walk(folder):
        _open_up(inner)
    shutil.rmtree(folder, ignore_errors=True)


def _open_up(folder: str) -> None:
    for name in (".", *os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            os.chmod(path, 0o700)
