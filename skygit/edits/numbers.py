"""Line numbers copied from a listing: every line of a hunk starts with one."""

import re
from dataclasses import replace

from skygit.edits.neutral import Hunk, Row

_NUMBER = re.compile(r"[ \t]*(\d{1,7})(?: ?[|:\t] ?|[ \t]*$)")


def unnumbered(hunk: Hunk) -> Hunk | None:
    """The hunk without them, to start at the line they say; None when some old line has no fitting number."""
    numbers = [found and int(found[1]) for found in map(_NUMBER.match, (row.text for row in hunk.old))]
    if not numbers or numbers[0] is None or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return None
    new = [row for row in hunk.rows if row.kind == "+" and row.text.strip()]
    if any(not _NUMBER.match(row.text) for row in new):
        return None
    return replace(hunk, rows=tuple(map(_plain, hunk.rows)), start=numbers[0])


def _plain(row: Row) -> Row:
    text = _NUMBER.sub("", row.text, count=1)
    return replace(row, text=text, literal=text)
