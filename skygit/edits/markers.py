"""Marker lines: comments alone on their line that say EVOLVE-BLOCK-START or EVOLVE-BLOCK-END.

In a language with a grammar they are comment nodes, so text in a string is none. In any
other file a marker is a line that holds a comment prefix and the marker.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skygit.edits.text import decoded
from skygit.ports import Span, Syntax

WORD = b"EVOLVE-BLOCK-"
_MARKER = re.compile(r"EVOLVE-BLOCK-(START|END)(?![\w-])(.*)", re.DOTALL)
_PREFIX = re.compile(r"[ \t\f\ufeff]*(#+|//+|--+(?:\[\[)?|;+|%+|!+|<!--+|/\*+|\(\*|\{-)[ \t!]*")
_ALONE = re.compile(_PREFIX.pattern + _MARKER.pattern, re.DOTALL)
_CLOSERS = {"<!--": "-->", "/*": "*/", "--[[": "]]", "(*": "*)", "{-": "-}"}
_CLOSED = re.compile(r"[\s*]*(\*/|--+>|\]\]|\*\)|-\})?\s*$")
_LEADING = re.compile(r"^[\s#/*;%<!\-\[({]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One marker line. `start` and `end` hold the whole line, its end included; rows from 0."""

    opens: bool
    label: str
    line: bytes
    start: int
    end: int
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The markers of a file in order. `loose` is the row of a comment that says the word in a place
    where it has no defined meaning (beside code, within a longer comment); None when there is none."""

    marks: tuple[Mark, ...]
    loose: int | None = None


def marks(path: str, data: bytes, syntax: Syntax) -> Marks:
    """The markers of a file. Files that never say the word are not parsed."""
    if WORD not in data:
        return Marks(marks=())
    comments = syntax.comments(path, data)
    spans = _lookalikes(data) if comments is None else comments
    found = tuple(mark for span in spans if (mark := _mark(data, span)) is not None)
    loose = _loose_lines(data, found) if comments is None else _loose_nodes(path, data, syntax, found)
    return Marks(marks=found, loose=loose)


def _mark(data: bytes, span: Span) -> Mark | None:
    said = _ALONE.match(decoded(data[span.start : span.end]))
    if said is None or not _complete(said):
        return None
    start = data.rfind(b"\n", 0, span.start) + 1
    stop = data.find(b"\n", span.end)
    end = stop + 1 if stop >= 0 else len(data)
    label = _CLOSED.sub("", said[3]).strip(" \t\r:-")
    return Mark(opens=said[2] == "START", label=label, line=data[start:end], start=start, end=end, row=span.row)


def _complete(said: re.Match[str]) -> bool:
    """Whether a comment that needs an end has one on the line, and nothing behind it."""
    kind = next((kind for kind in _CLOSERS if said[1].startswith(kind)), None)
    return kind is None or said[3].rstrip().endswith(_CLOSERS[kind])


def _lookalikes(data: bytes) -> Iterator[Span]:
    """In a file without grammar: lines that hold the word, each as one span."""
    at, row, counted = data.find(WORD), 0, 0
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        stop = data.find(b"\n", at)
        end = stop if stop >= 0 else len(data)
        row += data.count(b"\n", counted, start)
        counted = start
        yield Span(start=start, end=end, row=row)
        at = data.find(WORD, end)


def _loose_lines(data: bytes, found: Sequence[Mark]) -> int | None:
    taken = {mark.row for mark in found}
    for span in _lookalikes(data):
        opened = _ALONE.match(decoded(data[span.start : span.end]))
        if span.row not in taken and opened is not None:
            return span.row
    return None


def _loose_nodes(path: str, data: bytes, syntax: Syntax, found: Sequence[Mark]) -> int | None:
    """The row of a comment node with a marker that is not a marker line."""
    taken = {mark.row for mark in found}
    if all(span.row in taken for span in _lookalikes(data)):
        return None
    for node in syntax.nodes(path, data):
        if "comment" in node.kind or node.kind == "marginalia":
            for offset, line in enumerate(data[node.start : node.end].split(b"\n")):
                said = _MARKER.match(_LEADING.sub("", decoded(line)))
                if said and node.row + offset not in taken:
                    return node.row + offset
    return None
