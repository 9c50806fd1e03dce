"""The neutral form: whatever a reply was written in, it becomes sections of hunks of rows."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from skygit.edits.lines import differences

Carrier = Literal["unified", "envelope", "blocks", "listing"]
NOWHERE: Final = "/dev/null"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a hunk. `kind` is blank (context), "-" or "+".

    `literal` is the other reading of a context line: as it stood, its first blank not taken
    for a prefix. `bare` when the reply says that no newline follows.
    """

    kind: str
    text: str
    literal: str
    bare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """Rows that stand together. `start` is the old line number, from 1, if one was stated.

    `anchors` are the texts after @@; `at_end` says the hunk ends the file; `counts` are the
    stated numbers of old and new lines, used only to see whether a reply was cut off.
    """

    rows: tuple[Row, ...]
    start: int | None = None
    counts: tuple[int, int] | None = None
    anchors: tuple[str, ...] = ()
    at_end: bool = False

    @property
    def old(self) -> tuple[Row, ...]:
        """The rows that must stand in the file."""
        return tuple(row for row in self.rows if row.kind != "+")

    @property
    def changes(self) -> bool:
        """Whether anything is added or removed."""
        return any(row.kind != " " for row in self.rows)

    @property
    def removes(self) -> bool:
        return any(row.kind == "-" for row in self.rows)

    @property
    def complete(self) -> bool:
        """Whether counts were stated and met."""
        seen = self._seen()
        return self.counts is not None and seen[0] >= self.counts[0] and seen[1] >= self.counts[1]

    @property
    def exact(self) -> bool:
        """Whether counts were stated and are the numbers of lines."""
        return self.counts == self._seen()

    def _seen(self) -> tuple[int, int]:
        return sum(row.kind != "+" for row in self.rows), sum(row.kind != "-" for row in self.rows)

    def body(self) -> tuple[tuple[str, str], ...]:
        """What two copies of one hunk have in common."""
        return tuple((row.kind, row.text) for row in self.rows)

    def trimmed(self) -> "Hunk":
        """Without blank context at either end; the number moves along."""
        firm = [at for at, row in enumerate(self.rows) if row.kind != " " or row.text.strip()]
        first, last = (firm[0], firm[-1] + 1) if firm else (0, 0)
        start = self.start + first if self.start is not None else None
        return replace(self, rows=self.rows[first:last], start=start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """What a reply says about one file. Paths as written, quotes decoded; None: not named.

    `mentions` are further paths that the section names. `listing` is the whole text of a
    file, or of a block of it. `modes` are file modes the section asks for. `headline` is what
    the line above the two that name the files says, if both are there.
    """

    carrier: Carrier
    old: str | None = None
    new: str | None = None
    hunks: tuple[Hunk, ...] = ()
    listing: tuple[str, ...] | None = None
    renames: bool = False
    copies: bool = False
    deletes: bool = False
    creates: bool = False
    binary: bool = False
    modes: tuple[str, ...] = ()
    mentions: tuple[str, ...] = field(default=())
    headline: tuple[str, ...] = ()


def context(text: str, literal: str | None = None) -> Row:
    """A line that must stand in the file and stays."""
    return Row(kind=" ", text=text, literal=text if literal is None else literal)


def removed(text: str) -> Row:
    """A line that must stand in the file and goes."""
    return Row(kind="-", text=text, literal=text)


def added(text: str) -> Row:
    """A new line."""
    return Row(kind="+", text=text, literal=text)


def rows_between(old: list[str], new: list[str]) -> tuple[Row, ...]:
    """Two sides as rows, so that lines on both sides count as context."""
    rows: list[Row] = []
    at = 0
    for start, end, first, last in differences(old, new):
        rows += [context(text) for text in old[at:start]]
        rows += [removed(text) for text in old[start:end]]
        rows += [added(text) for text in new[first:last]]
        at = end
    return (*rows, *(context(text) for text in old[at:]))
