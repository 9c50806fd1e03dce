"""SEARCH/REPLACE blocks."""

import re
from collections.abc import Sequence

from skygit.edits.named import named
from skygit.edits.neutral import Hunk, Section, rows_between
from skygit.edits.refusals import refuse

OPENER = re.compile(r"(?:<{5,9} ?(?i:SEARCH|ORIGINAL)|-{5,9} ?(?:SEARCH|ORIGINAL))\b ?>?[ \t]*(\S.*)?$")
CLOSER = re.compile(r"(?:>{5,9} ?(?i:REPLACE|UPDATED)|\+{5,9} ?(?:REPLACE|UPDATED))\b ?<?[ \t]*$")
_DIVIDER = re.compile(r"={7}[ \t]*$")
_SLOPPY = re.compile(r"={5,9}[ \t]*$")
_NUMBERED = re.compile(r":(start|end)_line:[ \t]*(\d+)[ \t]*$")


def starts(lines: Sequence[str], at: int) -> bool:
    """Whether a block opens on this line."""
    return OPENER.match(lines[at]) is not None


def read(lines: Sequence[str], at: int, *, cut: bool) -> tuple[Section, int]:
    """The block that opens at a line, and where to go on. `cut`: the lines end where the reply was cut off."""
    opener = OPENER.match(lines[at])
    assert opener is not None
    end = next((row for row in range(at + 1, len(lines)) if _ends(lines[row])), len(lines))
    body = list(lines[at + 1 : end])
    if end == len(lines) or not CLOSER.match(lines[end]):
        _unclosed(body, cut=cut and end == len(lines))
    start = _start(body)
    divider = _divider(body)
    old, new = body[:divider], body[divider + 1 :]
    path = named(opener[1] or "") or _above(lines, at)
    hunk = Hunk(rows=rows_between(old, new), start=start)
    return Section(carrier="blocks", old=path, new=path, hunks=(hunk,), creates=not old), end + 1


def _ends(line: str) -> bool:
    return CLOSER.match(line) is not None or (line[:1] == "<" and OPENER.match(line) is not None)


def _unclosed(body: list[str], *, cut: bool) -> None:
    if cut and any(_DIVIDER.match(line) for line in body) and not any(line.startswith("```") for line in body):
        refuse("truncated", "the reply ends inside a SEARCH/REPLACE block")
    refuse("malformed", "a SEARCH block is not closed by >>>>>>> REPLACE")


def _divider(body: list[str]) -> int:
    """The row that parts old from new. More than one, or none: old and new cannot be told apart."""
    for pattern in (_DIVIDER, _SLOPPY):
        rows = [row for row, line in enumerate(body) if pattern.match(line)]
        if len(rows) == 1:
            return rows[0]
        if rows:
            refuse("malformed", "a SEARCH/REPLACE block has more than one ======= line")
    refuse("malformed", "a SEARCH/REPLACE block has no ======= line")


def _start(body: list[str]) -> int | None:
    """The line number some models write first, taken out of the block."""
    start = None
    while body and (said := _NUMBERED.match(body[0])):
        start = int(said[2]) if said[1] == "start" else start
        del body[0]
    if start is not None and body and re.fullmatch(r"-{5,9}", body[0]):
        del body[0]
    return start


def _above(lines: Sequence[str], at: int) -> str | None:
    """The path on the line before the block, if at most one blank line lies between."""
    for row in range(at - 1, max(at - 3, -1), -1):
        if lines[row].strip():
            return named(lines[row])
    return None
