"""A reply cut into stretches of prose and bodies of fences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from skygit.edits.fences import Fence, closes, opening
from skygit.edits.formats.search_replace import CLOSER, OPENER
from skygit.edits.named import named

_ENVELOPE = re.compile(r"\*\*\* (Begin Patch|(Update|Add|Delete) File: )")
_PROSE: Final = frozenset({"", "md", "markdown", "text", "txt"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of lines. `fence` None: prose. `closed` False: the reply ended inside.

    `above` is the last line of prose before a fence, if at most one blank line lies between;
    `below` the line right after it.
    """

    lines: tuple[str, ...]
    fence: Fence | None = None
    closed: bool = True
    above: str = ""
    below: str = ""


def segments(lines: Sequence[str]) -> list[Segment]:
    """The stretches in order. Linear in the number of lines."""
    cutter = _Cutter()
    for line in lines:
        cutter.feed(line)
    return [inner for segment in cutter.finish() for inner in _opened(segment)]


class _Cutter:
    """Goes through the lines once. `until` names what lines are held together by now."""

    def __init__(self) -> None:
        self._done: list[Segment] = []
        self._lines: list[str] = []
        self._fence: Fence | None = None
        self._above = ""
        self._held = ""

    def feed(self, line: str) -> None:
        if self._fence is not None:
            self._inside(line, self._fence)
        else:
            self._outside(line)

    def finish(self) -> list[Segment]:
        ended = self._lines[-1] == "" if self._lines else True
        body = self._lines[:-1] if ended and self._lines else self._lines
        self._close(body, closed=self._fence is None)
        return [self._with_below(at) for at in range(len(self._done))]

    def _inside(self, line: str, fence: Fence) -> None:
        body = line.removeprefix(fence.indent) if line.startswith(fence.indent) else line.lstrip(" \t")
        if self._held:
            self._held = "" if CLOSER.match(body) else self._held
        elif closes(line, fence):
            self._close(self._lines, closed=True)
            return
        elif OPENER.match(body):
            self._held = "blocks"
        self._lines.append(body)

    def _outside(self, line: str) -> None:
        fence = opening(line)
        if fence is not None and not self._holds(line, fence):
            above = _above(self._lines)
            self._close(self._lines, closed=True)
            self._fence, self._above, self._held = fence, above, ""
            return
        self._lines.append(line)
        self._held = _held(line, self._held)

    def _holds(self, line: str, fence: Fence) -> bool:
        """Whether a line that looks like a fence belongs to an edit that has none around it."""
        if self._held == "hunk":
            return line.startswith((" ", "\t")) and fence.info not in ("diff", "patch")
        return self._held != ""

    def _close(self, body: list[str], *, closed: bool) -> None:
        if body or self._fence is not None:
            self._done.append(Segment(lines=tuple(body), fence=self._fence, closed=closed, above=self._above))
        self._lines, self._fence, self._above, self._held = [], None, "", ""

    def _with_below(self, at: int) -> Segment:
        segment = self._done[at]
        after = self._done[at + 1] if at + 1 < len(self._done) else None
        below = after.lines[0] if after and after.fence is None and after.lines else ""
        return Segment(
            lines=segment.lines, fence=segment.fence, closed=segment.closed, above=segment.above, below=below
        )


def _held(line: str, held: str) -> str:
    """What the next line of prose still belongs to."""
    if held == "blocks":
        return "" if CLOSER.match(line) else held
    if held == "envelope":
        return "" if line.startswith("*** End Patch") else held
    if OPENER.match(line):
        return "blocks"
    if _ENVELOPE.match(line):
        return "envelope"
    if line.startswith(("@@", "+++ ", "--- ", "diff --git ")):
        return "hunk"
    return "hunk" if held == "hunk" and line[:1] in ("", " ", "+", "-", "\\") else ""


def _above(lines: list[str]) -> str:
    for line in reversed(lines[-2:]):
        if line.strip():
            return line
    return ""


def _opened(segment: Segment) -> list[Segment]:
    """A fence around prose with fences of its own is that prose."""
    fence = segment.fence
    if fence is None or fence.info.lower() not in _PROSE or len(fence.run) < 4 or not segment.closed:
        return [segment]
    if named(segment.above) is not None:
        return [segment]
    nested = any((inner := opening(line)) is not None and inner.info and not inner.indent for line in segment.lines)
    return segments((*segment.lines, "")) if nested else [segment]
