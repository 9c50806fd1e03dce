"""One change of indentation that makes every old line of a hunk a line of the file."""

from collections.abc import Callable, Sequence
from typing import Final

from skygit.edits.folding import indent

Shift = Callable[[str], str | None]
"""Writes a new line with the file's indentation; None when it cannot."""
_WIDTHS: Final = (4, 2, 8, 3)


def shift(pairs: Sequence[tuple[str, str]]) -> Shift | None:
    """The change that fits all pairs of (line of the hunk, line of the file); blank lines are not asked."""
    both = [(indent(ours), indent(theirs)) for ours, theirs in pairs if theirs.strip()]
    if not both:
        return None
    return _constant(both) or _tabs(both)


def _constant(both: Sequence[tuple[str, str]]) -> Shift | None:
    ours, theirs = both[0]
    if theirs.endswith(ours):
        prefix = theirs[: len(theirs) - len(ours)]
        return _adding(prefix) if all(there == prefix + here for here, there in both) else None
    if ours.endswith(theirs):
        prefix = ours[: len(ours) - len(theirs)]
        return _dropping(prefix) if all(here == prefix + there for here, there in both) else None
    return None


def _adding(prefix: str) -> Shift:
    return lambda text: prefix + text if text.strip() else text


def _dropping(prefix: str) -> Shift:
    def drop(text: str) -> str | None:
        if text.startswith(prefix):
            return text[len(prefix) :]
        return None if text.strip() else ""

    return drop


def _tabs(both: Sequence[tuple[str, str]]) -> Shift | None:
    for width in _WIDTHS:
        blanks = " " * width
        if all(theirs.replace("\t", blanks) == ours for ours, theirs in both):
            return _tabbed(width)
        if all(ours.replace("\t", blanks) == theirs for ours, theirs in both):
            return _spaced(blanks)
    return None


def _tabbed(width: int) -> Shift:
    def write(text: str) -> str:
        start = indent(text)
        tabs, rest = divmod(len(start.replace("\t", " " * width)), width)
        return "\t" * tabs + " " * rest + text[len(start) :]

    return write


def _spaced(blanks: str) -> Shift:
    def write(text: str) -> str:
        start = indent(text)
        return start.replace("\t", blanks) + text[len(start) :]

    return write
