"""Globs of the scope: gitignore style, anchored at the repository root."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path


def literal(path: str) -> str:
    """The glob that matches one path and nothing else."""
    escaped = re.sub(r"([\\*?\[\]!#])", r"\\\1", path)
    return escaped if "/" in path else "/" + escaped


def fault(glob: str) -> str:
    """Why a glob can match nothing, or ""."""
    from pathspec import GitIgnoreSpec

    if not glob.strip() or glob.startswith("#"):
        return "this glob matches nothing"
    if glob.startswith("!"):
        return "globs only include; leave files out with `protected:`"
    if ".." in glob.split("/"):
        return "globs start at the repository root and stay inside it"
    try:
        GitIgnoreSpec.from_lines([glob])
    except ValueError as error:
        return f"this is no glob: {error}"
    return ""


def files(globs: Iterable[str], root: Path) -> Iterator[str]:
    """The files below a folder that the globs match, `/`-separated.

    Nothing of git's own, and no `.env` file unless a glob names it: those hold keys.
    """
    from pathspec import GitIgnoreSpec

    told = tuple(globs)
    spoken = any(".env" in glob for glob in told)
    for path in GitIgnoreSpec.from_lines(told).match_tree_files(root, follow_links=False) if told else ():
        parts = path.split("/")
        if ".git" not in parts and (spoken or not parts[-1].startswith(".env")):
            yield path


def idle(globs: Iterable[str], paths: Iterable[str]) -> list[str]:
    """The globs that match none of the paths."""
    from pathspec import GitIgnoreSpec

    known = list(paths)
    return [glob for glob in globs if not any(GitIgnoreSpec.from_lines([glob]).match_files(known))]
