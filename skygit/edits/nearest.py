"""The part of a file a refused edit was probably about; shown to the model, never edited."""

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from skygit.edits.folding import indent

MOST_ROWS: Final = 15
_COMPARED: Final = 1_500
_ASKED: Final = 200


def nearest(old: Sequence[str], lines: Sequence[str]) -> str:
    """The region most of the old lines point at, verbatim; "" when none does."""
    start = _voted(old, lines)
    if start is None:
        start = _like(old, lines)
    if start is None:
        return ""
    region = lines[max(start, 0) : max(start, 0) + min(max(len(old), 3), MOST_ROWS)]
    return "The file has here:\n" + "\n".join(region)


def enclosing(starts: Sequence[int], lines: Sequence[str]) -> str:
    """The line above each place that is indented less: what tells the places apart."""
    found = [_owner(start, lines) for start in starts[:8]]
    named = list(dict.fromkeys(line.strip() for line in found if line))
    return "The places stand below these lines:\n" + "\n".join(named) if named else ""


def _voted(old: Sequence[str], lines: Sequence[str]) -> int | None:
    """The shift of line numbers that most of the lines which do stand in the file agree on."""
    where: dict[str, list[int]] = {}
    for row, line in enumerate(lines):
        where.setdefault(line.strip(), []).append(row)
    votes: Counter[int] = Counter()
    for offset, text in enumerate(old[:_ASKED]):
        rows = where.get(text.strip(), []) if text.strip() else []
        votes.update(row - offset for row in rows[:50])
    return max(votes, key=lambda shift: (votes[shift], -shift)) if votes else None


def _like(old: Sequence[str], lines: Sequence[str]) -> int | None:
    wanted = next((text for text in old if text.strip()), "")
    close = get_close_matches(wanted, lines[:_COMPARED], n=1, cutoff=0.5) if len(wanted) < 400 else []
    return lines.index(close[0]) if close else None


def _owner(start: int, lines: Sequence[str]) -> str:
    depth = len(indent(lines[start]))
    for row in range(start - 1, -1, -1):
        line = lines[row]
        if line.strip() and (len(indent(line)) < depth or depth == 0):
            return line
    return ""
