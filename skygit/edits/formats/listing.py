"""Whole files, or whole blocks, in fences."""

import re
from collections.abc import Sequence
from typing import Final

from skygit.edits.neutral import Section
from skygit.edits.refusals import refuse

_SIDE: Final = re.compile(r"\s*(?:<{4,9}|>{4,9}) ?(?:SEARCH|REPLACE|ORIGINAL|UPDATED|FIND|OLD|NEW)\b", re.IGNORECASE)
_CONFLICT: Final = re.compile(r"(?:<{7}|>{7})(?: |$)")
_DIVIDER: Final = re.compile(r"={7}\s*$")
_RANGE: Final = re.compile(r"(?:\*{3} \d+(?:,\d+)? \*{4}|\d+(?:,\d+)?[acd]\d+(?:,\d+)?)\s*$")
_OLD_STYLE: Final = ("< ", "> ", "! ", "+ ", "- ", "  ")


def read(lines: Sequence[str], path: str | None) -> Section:
    """A listing. Blank lines at its end belong to the fence, not to the file."""
    kept = list(lines)
    while kept and not kept[-1].strip():
        del kept[-1]
    if not kept:
        refuse("empty-diff", f"the listing of {path or 'a file'} is empty", path or "")
    if _edit(kept):
        refuse("malformed", f"the listing of {path or 'a file'} looks like an edit in no known format", path or "")
    return Section(carrier="listing", old=path, new=path, listing=tuple(kept))


def signed(lines: Sequence[str]) -> bool:
    """Whether all lines have a diff's prefix, so that they are a hunk without its @@ line."""
    firsts = {line[0] for line in lines if line.strip()}
    return {"+", "-"} <= firsts <= {"+", "-", " "}


def _edit(lines: Sequence[str]) -> bool:
    """Whether lines are the markers of a block that went wrong, a merge conflict, or a diff of the old kinds."""
    if any(_SIDE.match(line) for line in lines):
        return True
    if any(map(_CONFLICT.match, lines)) and any(map(_DIVIDER.match, lines)):
        return True
    return any(_RANGE.match(line) and lines[row].startswith(_OLD_STYLE) for row, line in enumerate(lines[:-1], 1))
