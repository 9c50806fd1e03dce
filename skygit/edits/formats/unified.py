"""Unified diffs as models write them: counts and numbers are hints, the body decides."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from skygit.edits.formats.headers import Headers, is_header, plain
from skygit.edits.formats.hunks import AT, MOST_ANCHORS, Reading, hunk
from skygit.edits.neutral import Hunk, Section
from skygit.edits.refusals import refuse

MOST_HUNKS: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Where a diff stands: in a fence (then every line belongs to it) or in prose, and the file it is about."""

    fenced: bool
    path: str | None = None


def starts(lines: Sequence[str], at: int, stretch: Stretch) -> bool:
    """Whether a file section, or a hunk of a file already named, begins on this line."""
    return is_header(lines, at, fenced=stretch.fenced) or AT.match(lines[at]) is not None


def read(lines: Sequence[str], at: int, stretch: Stretch) -> tuple[Section, int]:
    """The section that begins at a line, and where to go on."""
    headers = Headers()
    at = headers.read(lines, at, fenced=stretch.fenced)
    hunks: list[Hunk] = []
    reading = Reading(fenced=stretch.fenced)
    pending: tuple[str, ...] = ()
    while at < len(lines) and not headers.binary and _more(lines, at, headers, hunks, reading):
        found, at = hunk(lines, at, reading)
        if not found.rows and found.anchors:
            pending = (*pending, *found.anchors)
            if len(pending) > MOST_ANCHORS:
                refuse("malformed", f"more than {MOST_ANCHORS} @@ lines stand above one hunk")
            continue
        if len(hunks) >= MOST_HUNKS:
            refuse("too-large", f"a file has more than {MOST_HUNKS} hunks")
        hunks.append(replace(found, anchors=(*pending, *found.anchors)))
        pending = ()
        at = _skipped(lines, at, reading)
    return headers.section(tuple(hunks), stretch.path), at


def whole(lines: Sequence[str], path: str | None) -> Section:
    """A fence that says it is a diff but has neither header nor @@: one hunk."""
    found, _ = hunk(lines, 0, Reading(fenced=True))
    return Section(carrier="unified", old=path, new=path, hunks=(found,))


def _more(lines: Sequence[str], at: int, headers: Headers, hunks: list[Hunk], reading: Reading) -> bool:
    """Whether another hunk of the same file begins here. The first may lack its @@ line."""
    line = lines[at]
    if AT.match(line):
        return True
    return not hunks and headers.named and not is_header(lines, at, fenced=reading.fenced) and plain(line)


def _skipped(lines: Sequence[str], at: int, reading: Reading) -> int:
    """Past blank lines between the hunks of one file."""
    after = at
    while after < len(lines) and not lines[after].strip():
        after += 1
    return after if after < len(lines) and AT.match(lines[after]) and reading.fenced else at
