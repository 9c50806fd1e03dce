"""The body of one hunk of a unified diff, or of an envelope."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from skygit.edits.formats.headers import is_header
from skygit.edits.neutral import Hunk, Row, added, context, removed

AT: Final = re.compile(
    r"@@(?=[ \t-]|$)(?:[ \t]*-(\d{1,9})(?:,(\d{1,9}))?[ \t]+\+(\d{1,9})(?:,(\d{1,9}))?(?=[ \t@]|$))?(.*)$"
)
MOST_ANCHORS: Final = 100
"""Lines with @@ that may stand above one hunk."""
NO_NEWLINE: Final = re.compile(r"\\ ?No newline at end of file", re.IGNORECASE)
_OTHERS: Final = (
    "diff --git ",
    "*** Begin Patch",
    "*** Update File: ",
    "*** Add File: ",
    "*** Delete File: ",
    "<<<<<<< S",
)
_DOTS = re.compile(r"[.…\s]*$|[-+?,\dXxNn. ]*$")
_SIGNATURE = re.compile(r"\d+\.\d+[\w.() -]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """In a fence a line without prefix is context; in prose it ends the hunk.

    In an envelope numbers say nothing, and `stops` begin lines that end a hunk.
    """

    fenced: bool
    stops: tuple[str, ...] = ()
    numbered: bool = True


def hunk(lines: Sequence[str], at: int, reading: Reading) -> tuple[Hunk, int]:
    """The hunk at a line, with or without its @@ line, and where it ends."""
    head = AT.match(lines[at])
    found = _headed(head, reading) if head else Hunk(rows=())
    at += 1 if head else 0
    body = _Body(found)
    while at < len(lines) and not _ends(lines, at, body, reading):
        body.take(lines[at])
        at += 1
    if head and head[1] and not reading.numbered and all(row.kind == "+" for row in body.rows):
        found = replace(found, anchors=())
    return replace(found, rows=_without_tail(body.rows)), at


class _Body:
    """The rows taken so far, and how many old and new lines the header still promises."""

    def __init__(self, head: Hunk) -> None:
        self.rows: list[Row] = []
        self._old, self._new = head.counts or (0, 0)
        self._counted = head.counts is not None

    @property
    def complete(self) -> bool:
        """Whether counts were stated and are met."""
        return self._counted and self._old <= 0 and self._new <= 0

    @property
    def unmet(self) -> bool:
        """Whether both counts promise more."""
        return self._old > 0 and self._new > 0

    @property
    def last_pair(self) -> bool:
        """Whether one old and one new line are missing, and nothing else."""
        return self._old == 1 == self._new

    def take(self, line: str) -> None:
        if NO_NEWLINE.match(line):
            if self.rows:
                self.rows[-1] = replace(self.rows[-1], bare=True)
            return
        row = _row(line)
        self.rows.append(row)
        self._old -= row.kind != "+"
        self._new -= row.kind != "-"


def _headed(head: re.Match[str], reading: Reading) -> Hunk:
    texts = (part.strip() for part in head[5].split("@@"))
    anchors = tuple(text for text in texts if not _DOTS.fullmatch(text))
    if head[1] is None or not reading.numbered:
        return Hunk(rows=(), anchors=anchors)
    return Hunk(rows=(), start=int(head[1]), counts=(int(head[2] or 1), int(head[4] or 1)), anchors=anchors)


def _ends(lines: Sequence[str], at: int, body: _Body, reading: Reading) -> bool:
    line = lines[at]
    if AT.match(line) or line.startswith((*_OTHERS, *reading.stops)) or _signed(lines, at):
        return True
    if line[:1] in ("-", "+") or line.startswith("Index: "):
        return is_header(lines, at, fenced=reading.fenced, within=True) and not _quoted(lines, at, body)
    if reading.fenced or line[:1] in (" ", "\\"):
        return False
    return line != "" or _prose_follows(lines, at, body)


def _quoted(lines: Sequence[str], at: int, body: _Body) -> bool:
    """Whether "--- x" and "+++ y" are a removed and an added line: the counts say so, nothing else speaks against."""
    if lines[at].startswith("--- a/") or not lines[at].startswith("--- "):
        return False
    followed = at + 2 < len(lines) and AT.match(lines[at + 2]) is not None
    return body.last_pair or (body.unmet and not followed)


def _row(line: str) -> Row:
    if line.startswith("+"):
        return added(line[1:])
    if line.startswith("-"):
        return removed(line[1:])
    return context(line[1:], line) if line.startswith(" ") else context(line)


def _prose_follows(lines: Sequence[str], at: int, body: _Body) -> bool:
    """Whether an empty line in prose ends the hunk: what comes next is no part of it.

    When the hunk has the lines it promised, a list may follow; anything else with a prefix means
    that the promise was wrong.
    """
    after = next((line for line in lines[at : at + 4] if line), "")
    if body.complete and after.startswith(("- ", "+ ", "@@")):
        return True
    return not after.startswith((" ", "+", "-", "@@", "\\"))


def _signed(lines: Sequence[str], at: int) -> bool:
    """Whether the signature of a mailed patch stands here: "-- " and a version, then nothing."""
    if lines[at] not in ("-- ", "--") or at + 1 >= len(lines) or not _SIGNATURE.match(lines[at + 1]):
        return False
    return not any(line.strip() for line in lines[at + 2 : at + 4])


def _without_tail(rows: list[Row]) -> tuple[Row, ...]:
    """Empty lines at the end of a hunk separate it from what follows."""
    while rows and rows[-1].kind == " " and rows[-1].literal == "":
        del rows[-1]
    return tuple(rows)
