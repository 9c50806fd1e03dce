"""The apply_patch envelope: *** Begin Patch ... *** End Patch."""

import re
from collections.abc import Sequence
from dataclasses import replace

from skygit.edits.formats.hunks import AT, MOST_ANCHORS, Reading, hunk
from skygit.edits.neutral import NOWHERE, Hunk, Section, added
from skygit.edits.refusals import refuse

_BEGIN = re.compile(r"\*\*\* Begin Patch\s*$")
_END = re.compile(r"\*\*\* End Patch\s*$")
_FILE = re.compile(r"\*\*\* (Update|Add|Delete) File: (.+)$")
_MOVE = re.compile(r"\*\*\* Move to: (.+)$")
_STOPS = (
    "*** End Patch",
    "*** Update File: ",
    "*** Add File: ",
    "*** Delete File: ",
    "*** End of File",
    "*** Move to: ",
)


def starts(lines: Sequence[str], at: int) -> bool:
    """Whether an envelope begins here; its first line may be missing."""
    return _BEGIN.match(lines[at]) is not None or _FILE.match(lines[at]) is not None


def read(lines: Sequence[str], at: int) -> tuple[list[Section], int]:
    """The sections up to the end of the envelope, and where to go on."""
    sections: list[Section] = []
    while at < len(lines):
        line = lines[at]
        if _END.match(line):
            return sections, at + 1
        header = _FILE.match(line)
        if header:
            section, at = _section(lines, at + 1, header[1], header[2].strip())
            sections.append(section)
        elif _BEGIN.match(line) or not line.strip():
            at += 1
        else:
            refuse("malformed", f"not a line of an envelope: {line[:80]!r}")
    refuse("truncated", "the envelope does not end with *** End Patch")


def _section(lines: Sequence[str], at: int, verb: str, path: str) -> tuple[Section, int]:
    if verb == "Delete":
        return Section(carrier="envelope", old=path, new=NOWHERE, deletes=True), at
    if verb == "Add":
        hunks, at = _content(lines, at, path)
        return Section(carrier="envelope", old=NOWHERE, new=path, hunks=hunks, creates=True), at
    move = _MOVE.match(lines[at]) if at < len(lines) else None
    hunks, at = _hunks(lines, at + 1 if move else at)
    target = move[1].strip() if move else path
    return Section(carrier="envelope", old=path, new=target, hunks=hunks, renames=move is not None), at


def _content(lines: Sequence[str], at: int, path: str) -> tuple[tuple[Hunk, ...], int]:
    """The lines of a new file, each after a plus; an empty line may have lost it."""
    texts: list[str] = []
    while at < len(lines) and not lines[at].startswith("*** "):
        if lines[at][:1] not in ("+", ""):
            refuse("malformed", f"a line of the new file {path} has no +: {lines[at][:80]!r}", path)
        texts.append(lines[at])
        at += 1
    while texts and not texts[-1]:
        del texts[-1]
    return (Hunk(rows=tuple(added(text[1:]) for text in texts)),), at


def _hunks(lines: Sequence[str], at: int) -> tuple[tuple[Hunk, ...], int]:
    """The hunks of one file. An @@ line without rows is an anchor of the next hunk."""
    reading = Reading(fenced=True, stops=_STOPS, numbered=False)
    found: list[Hunk] = []
    anchors: tuple[str, ...] = ()
    while at < len(lines) and (AT.match(lines[at]) or not lines[at].startswith(_STOPS)):
        one, after = hunk(lines, at, reading)
        if after == at:
            refuse("malformed", f"not a line of an envelope: {lines[at][:80]!r}")
        at = after
        anchors = (*anchors, *one.anchors)
        if len(anchors) > MOST_ANCHORS:
            refuse("malformed", f"more than {MOST_ANCHORS} @@ lines stand above one hunk")
        at_end = at < len(lines) and lines[at].startswith("*** End of File")
        at += 1 if at_end else 0
        if one.rows or at_end:
            found.append(replace(one, anchors=anchors, at_end=at_end))
            anchors = ()
        while at < len(lines) and not lines[at].strip():
            at += 1
    return tuple(found), at
