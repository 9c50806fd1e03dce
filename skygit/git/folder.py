"""A folder as a tree, and a draft written into it all or not at all."""

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

from skygit.domain.draft import Change, Draft

_LINK, _FILE, _PROGRAM, _FOLDER = "120000", "100644", "100755", "040000"


class FolderTree:
    """The files below a folder, `.git` at its top left out. Links are seen, never followed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._paths: tuple[str, ...] | None = None

    def paths(self) -> Collection[str]:
        """Every file and link, sorted. The folder is listed once."""
        if self._paths is None:
            self._paths = tuple(sorted(_listed(self._root)))
        return self._paths

    def mode(self, path: str) -> str | None:
        """The git mode of what is there; None for nothing, and for what lies beyond a link."""
        found = self._stat(path)
        if found is None:
            return None
        if stat.S_ISLNK(found.st_mode):
            return _LINK
        if stat.S_ISDIR(found.st_mode):
            return _FOLDER
        if not stat.S_ISREG(found.st_mode):
            return None
        return _PROGRAM if found.st_mode & 0o100 else _FILE

    def read(self, path: str) -> bytes:
        """The bytes of a file, or the target of a link. Raises KeyError when it is not there."""
        mode = self.mode(path)
        if mode in (None, _FOLDER):
            raise KeyError(path)
        place = self._root / path
        return os.fsencode(place.readlink()) if mode == _LINK else place.read_bytes()

    def _stat(self, path: str) -> os.stat_result | None:
        """Goes down part by part, so that no link on the way is followed."""
        parts = path.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in parts) or parts[0] == ".git":
            return None
        place, found = self._root, None
        for part in parts:
            if found is not None and not stat.S_ISDIR(found.st_mode):
                return None
            place = place / part
            try:
                found = place.lstat()
            except (OSError, ValueError):
                return None
        return found


def write(root: Path, draft: Draft) -> None:
    """Make the folder what the draft says, or leave it as it was and raise OSError.

    New contents are written aside first, then every file is renamed into place; should one
    rename fail, those before it are undone. Permissions of existing files are kept.
    """
    stage = Path(tempfile.mkdtemp(prefix=".skygit-", dir=root))
    try:
        for number, change in enumerate(draft.changes):
            _stage(root, stage / f"new-{number}", change)
        with contextlib.ExitStack() as undo:
            for number, change in enumerate(draft.changes):
                _swap(root, change, stage, number, undo)
            undo.pop_all()
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    for change in draft.changes:
        if change.content is None:
            _prune(root, (root / change.path).parent)


def _stage(root: Path, ready: Path, change: Change) -> None:
    """The new content with the permissions it shall have."""
    _guard(root, change.path)
    if change.content is None:
        return
    ready.write_bytes(change.content)
    target = root / change.path
    mode = stat.S_IMODE(target.lstat().st_mode) if os.path.lexists(target) else stat.S_IMODE(ready.lstat().st_mode)
    readers = (mode & 0o444) >> 2
    ready.chmod(mode | readers if change.mode == _PROGRAM else mode & ~0o111)


def _swap(root: Path, change: Change, stage: Path, number: int, undo: contextlib.ExitStack) -> None:
    """Put the old file aside and the new one in its place, and note how to go back."""
    target, ready, aside = root / change.path, stage / f"new-{number}", stage / f"old-{number}"
    _guard(root, change.path)
    if os.path.lexists(target):
        target.rename(aside)
        undo.callback(os.rename, aside, target)
    if change.content is not None:
        _make_folders(root, target.parent, undo)
        ready.rename(target)
        undo.callback(os.unlink, target)


def _guard(root: Path, path: str) -> None:
    """Refuse a path that is a link or a folder, or leads through anything but folders."""
    place = root
    for part in path.split("/"):
        place = place / part
        if place.is_symlink():
            raise OSError(errno.ELOOP, "a symbolic link is in the way", str(place))
    if place.is_dir():
        raise OSError(errno.EISDIR, "a folder is in the way", str(place))


def _make_folders(root: Path, folder: Path, undo: contextlib.ExitStack) -> None:
    if folder == root or folder.is_dir():
        return
    _make_folders(root, folder.parent, undo)
    folder.mkdir()
    undo.callback(os.rmdir, folder)


def _prune(root: Path, folder: Path) -> None:
    """Folders that became empty go, as git has it."""
    while folder != root:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def _listed(root: Path) -> Iterator[str]:
    for place, folders, files in os.walk(root):
        if Path(place) == root and ".git" in folders:
            folders.remove(".git")
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        here = os.path.relpath(place, root)
        for name in [*files, *links]:
            if not (here == "." and name == ".git"):
                yield name if here == "." else f"{here}/{name}"
