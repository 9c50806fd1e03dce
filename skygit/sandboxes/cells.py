"""Private folders: one per command, holding its HOME and TMPDIR, removed afterwards."""

# ruff: noqa: PTH101, PTH102, PTH106, PTH112, PTH114, PTH118, PTH208 - pathlib would fatten the process that is forked for every command

import os


def make(cell: str) -> None:
    """Make a command's folder with its `home` and `tmp`."""
    for path in (cell, f"{cell}/home", f"{cell}/tmp"):
        os.mkdir(path, 0o700)


def remove(cell: str) -> None:
    """Remove it with all that is in it, whatever modes it was given. Never follows a link out."""
    try:
        for path in (f"{cell}/home", f"{cell}/tmp", cell):
            os.rmdir(path)
    except OSError:
        _remove_full(cell)


def _remove_full(cell: str) -> None:
    import shutil

    if not os.path.lexists(cell):
        return
    for folder, _, _ in os.walk(cell, topdown=True, onerror=None):
        _open_up(folder)
    shutil.rmtree(cell, ignore_errors=True)


def _open_up(folder: str) -> None:
    for name in [".", *os.listdir(folder)]:
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            os.chmod(path, 0o700)
