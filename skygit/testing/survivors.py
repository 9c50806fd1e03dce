"""Who is still alive: processes found by a mark in their environment."""

import os
import time
import uuid
from pathlib import Path


def mark() -> dict[str, str]:
    """An environment that marks a command and all it starts."""
    return {"SKYGIT_TEST_MARK": uuid.uuid4().hex}


def survivors(marked: dict[str, str]) -> list[str]:
    """The command lines of the living processes with the mark. None may be left."""
    word = marked["SKYGIT_TEST_MARK"].encode()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid() and _has(folder, word):
            found.append(_words(folder))
    return found


def gone(marked: dict[str, str], within: float) -> bool:
    """Whether they have all ended within so many seconds."""
    limit = time.monotonic() + within
    while survivors(marked):
        if time.monotonic() > limit:
            return False
        time.sleep(0.02)
    return True


def _has(folder: Path, word: bytes) -> bool:
    try:
        return word in (folder / "environ").read_bytes()
    except OSError:
        return False


def _words(folder: Path) -> str:
    try:
        return (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return "?"
