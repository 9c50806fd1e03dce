"""What a run left in the upper folder of an overlay, read without mounting it."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

_OPAQUE: Final = ("user.overlay.opaque", "trusted.overlay.opaque")
_WHITEOUT: Final = ("user.overlay.whiteout", "trusted.overlay.whiteout")

What = Literal["file", "link", "whiteout", "folder", "opaque", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """One entry of an upper folder. An opaque folder hides everything the lower one has there."""

    path: str
    what: What


def left_in(upper: str) -> Iterator[Left]:
    """Every entry below the upper folder, folders before what lies in them."""
    yield from _below(upper, "")


def _below(upper: str, prefix: str) -> Iterator[Left]:
    with os.scandir(f"{upper}/{prefix}") as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        path = prefix + entry.name
        what = _what(entry)
        yield Left(path=path, what=what)
        if what in ("folder", "opaque"):
            _open(entry)
            yield from _below(upper, f"{path}/")


def _what(entry: os.DirEntry[str]) -> What:
    about = entry.stat(follow_symlinks=False)
    if stat.S_ISDIR(about.st_mode):
        return "opaque" if _marked(entry.path, _OPAQUE) else "folder"
    if stat.S_ISCHR(about.st_mode) and about.st_rdev == 0:
        return "whiteout"
    if stat.S_ISLNK(about.st_mode):
        return "link"
    if not stat.S_ISREG(about.st_mode):
        return "other"
    return "whiteout" if about.st_size == 0 and _marked(entry.path, _WHITEOUT) else "file"


def _marked(path: str, names: tuple[str, ...]) -> bool:
    for name in names:
        try:
            os.getxattr(path, name, follow_symlinks=False)
        except OSError:
            continue
        return True
    return False


def _open(entry: os.DirEntry[str]) -> None:
    """A folder that the run closed must not hide what lies in it."""
    if entry.stat(follow_symlinks=False).st_mode & 0o500 != 0o500:
        os.chmod(entry.path, 0o700)  # noqa: PTH101
