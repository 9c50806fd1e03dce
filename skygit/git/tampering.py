"""Whether what lies at a place is still what was put there."""

import os
import stat

from skygit.git.evaluationtree import Laid
from skygit.git.treeobject import LINK, SUBMODULE


def differs(place: str, laid: Laid) -> bool:
    """Whether kind or bytes are no longer what was laid. The mode of a file may change."""
    try:
        mode = os.lstat(place).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return True
    if laid.mode == SUBMODULE:
        return not stat.S_ISDIR(mode)
    if laid.mode == LINK:
        return not stat.S_ISLNK(mode) or os.readlink(os.fsencode(place)) != laid.data  # noqa: PTH115 - the target is bytes
    return not stat.S_ISREG(mode) or _bytes(place, mode, len(laid.data)) != laid.data


def _bytes(place: str, mode: int, size: int) -> bytes:
    """At most one byte more than expected. A file that the run closed is opened again: it is ours."""
    if not mode & stat.S_IRUSR:
        os.chmod(place, 0o600)  # noqa: PTH101
    handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(handle, "rb") as file:  # noqa: PTH123
        return file.read(size + 1)
