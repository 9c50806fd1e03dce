"""Puts files into a folder that nobody else writes to, never through a link, and takes folders away."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from skygit.git.evaluationtree import Laid
from skygit.git.treeobject import LINK, SUBMODULE

_EXECUTABLE: Final = b"100755"


def lay(root: str, path: str, laid: Laid) -> None:
    """Put a file, link or submodule (an empty folder) at a path, whatever was there."""
    place = f"{root}/{path}"
    make_folders(root, path)
    vacate(place)
    if laid.mode == SUBMODULE:
        os.mkdir(place)  # noqa: PTH102 - one call per file of a base: a Path costs more than the call
    elif laid.mode == LINK:
        os.symlink(laid.data, os.fsencode(place))  # noqa: PTH211 - the target is bytes
    else:
        _write(place, laid.data, 0o755 if laid.mode == _EXECUTABLE else 0o644)


def carry(root: str, path: str, source: Path) -> None:
    """Copy a file or folder from elsewhere; links stay links."""
    make_folders(root, path)
    place = f"{root}/{path}"
    if source.is_dir() and not source.is_symlink():
        shutil.copytree(source, place, symlinks=True, dirs_exist_ok=True)
    else:
        vacate(place)
        shutil.copy2(source, place, follow_symlinks=False)


def make_folders(root: str, path: str) -> None:
    """Make the folders above a path; a file or link in their place is replaced."""
    parent = path.rpartition("/")[0]
    if not parent or _whole(root, parent):
        return
    make_folders(root, parent)
    place = f"{root}/{parent}"
    if not _is_folder(place):
        vacate(place)
        os.mkdir(place)  # noqa: PTH102


def vacate(place: str) -> None:
    """Remove whatever is at a place."""
    if _is_folder(place):
        remove_tree(place)
    else:
        try:
            os.unlink(place)  # noqa: PTH108
        except (FileNotFoundError, NotADirectoryError):
            pass


def remove_tree(place: str) -> None:
    """Remove a folder with everything in it, also what a program made unreadable."""
    shutil.rmtree(place, onerror=_opened)


def _whole(root: str, parent: str) -> bool:
    """Whether every step of the way is a folder, and none a link."""
    above = parent.rpartition("/")[0]
    return _is_folder(f"{root}/{parent}") and (not above or _whole(root, above))


def _is_folder(place: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(place).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _write(place: str, data: bytes, mode: int) -> None:
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with open(handle, "wb") as file:  # noqa: PTH123
        file.write(data)


def _opened(again: Callable[..., Any], place: str, failure: Any) -> None:
    """Open what refused to be removed, and try once more."""
    if issubclass(failure[0], FileNotFoundError):
        return
    for folder in (os.path.dirname(place), place):  # noqa: PTH120
        if _is_folder(folder):
            os.chmod(folder, 0o700)  # noqa: PTH101
    if _is_folder(place):
        shutil.rmtree(place)
    else:
        os.unlink(place)  # noqa: PTH108
