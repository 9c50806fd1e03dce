"""Fence lines of Markdown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*([^`\n]*|)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """An opening fence: its indentation, its run of backticks or tildes, the info string."""

    indent: str
    run: str
    info: str


def opening(line: str) -> Fence | None:
    """The fence a line opens."""
    found = _FENCE.match(line)
    return Fence(indent=found[1], run=found[2], info=found[3].strip()) if found else None


def closes(line: str, fence: Fence) -> bool:
    """Whether a line closes a fence: as long, no info, and indented alike or less.

    CommonMark allows up to three blanks more, but then a context line of a diff would close it.
    """
    found = opening(line)
    if found is None or found.info or found.run[0] != fence.run[0] or len(found.run) < len(fence.run):
        return False
    return found.indent == fence.indent or len(found.indent) < len(fence.indent)


def dangling(lines: Sequence[str]) -> bool:
    """Whether a fence opens in these lines and does not close in them."""
    inside: Fence | None = None
    for line in lines:
        if inside is None:
            inside = opening(line)
        elif closes(line, inside):
            inside = None
    return inside is not None
