"""Paths of a reply, checked before anything is read: nothing outside, nothing of git, nothing through a link."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from skygit.edits.refusals import refuse
from skygit.ports import Tree

LINK: Final = "120000"
MODULE: Final = "160000"
FOLDER: Final = "040000"
_DRIVE = re.compile(r"[A-Za-z]:")
_LONGEST, _LONGEST_PART = 4096, 255


@lru_cache(maxsize=4096)
def clean(raw: str) -> str:
    """The path relative to the root, "." components dropped. Refuses what no honest path holds."""
    if len(raw) > _LONGEST:
        refuse("path-escape", f"a path is too long: {raw[:80]}...")
    if any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in raw):
        refuse("path-escape", f"a path holds a control character: {raw!a}")
    if "\\" in raw or raw.startswith(("/", "~")) or _DRIVE.match(raw):
        refuse("path-escape", f"not a path relative to the repository root: {raw}", raw)
    parts = [part for part in raw.split("/") if part != "."]
    if any(_git(part) for part in parts):
        refuse("git-internal", f"{raw} belongs to git", raw)
    if not parts or any(part in ("", "..") for part in parts):
        refuse("path-escape", f"{raw or 'an empty path'} does not stay inside the repository", raw)
    if any(len(part.encode("utf-8", "surrogateescape")) > _LONGEST_PART for part in parts):
        refuse("path-escape", f"a name in a path is too long: {raw[:80]}...")
    if any(unicodedata.category(letter) == "Cf" for letter in raw):
        refuse("path-escape", f"a path holds an invisible character: {raw!a}", raw)
    return "/".join(parts)


def check_links(path: str, tree: Tree) -> None:
    """Refuse a path that is, or leads through, a link or a submodule, or that lies below a file."""
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        part = "/".join(parts[:count])
        mode = tree.mode(part)
        if mode is None:
            return
        if mode == LINK:
            refuse("symlink-escape", f"{part} is a symbolic link", path)
        if mode == MODULE:
            refuse("protected-path", f"{part} is a submodule", path)
        if count < len(parts) and mode != FOLDER:
            refuse("exists", f"{part} is a file, so nothing can lie below it", path)
    if tree.mode(path) == FOLDER:
        refuse("exists", f"{path} is a folder", path)


def _git(part: str) -> bool:
    """Whether some file system takes a name for .git: case, invisible characters, streams, short names."""
    visible = "".join(letter for letter in part if unicodedata.category(letter) not in ("Cf", "Mn"))
    name = unicodedata.normalize("NFKC", visible).casefold().partition(":")[0].rstrip(". \t")
    return name == ".git" or re.fullmatch(r"git~\d+", name) is not None
