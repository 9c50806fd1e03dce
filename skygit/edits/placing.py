"""Where a hunk may go: one possible place, and the edits it would make there."""

from collections.abc import Iterator
from dataclasses import dataclass

from skygit.edits.neutral import Hunk, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Lines `start` to `end` are replaced by `added`. `final` says whether a newline ends the file, if stated."""

    start: int
    end: int
    added: tuple[str, ...]
    final: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place for a hunk. `at` gives for each row the line of the file, None for new rows and for
    context that was given up; `added` the new rows' texts as they would be written here."""

    hunk: Hunk
    at: tuple[int | None, ...]
    added: tuple[str, ...]

    @property
    def first(self) -> int:
        """The line where the hunk would start, context that was given up included."""
        return next(line - row for row, line in enumerate(self._old()) if line is not None)

    @property
    def last(self) -> int:
        """The last line of the file that the hunk covers."""
        return max(line for line in self.at if line is not None)

    @property
    def begin(self) -> int:
        """The first line of the file that the hunk covers."""
        return min(line for line in self.at if line is not None)

    def edits(self) -> tuple[Edit, ...]:
        """What the hunk would change here."""
        found: list[Edit] = []
        texts = iter(self.added)
        row = 0
        while row < len(self.at):
            if self.hunk.rows[row].kind == " ":
                row += 1
                continue
            end = next((r for r in range(row, len(self.at)) if self.hunk.rows[r].kind == " "), len(self.at))
            found.append(self._edit(row, end, _taken(self.hunk.rows[row:end], texts)))
            row = end
        return tuple(found)

    def _old(self) -> list[int | None]:
        return [line for line, row in zip(self.at, self.hunk.rows, strict=True) if row.kind != "+"]

    def _edit(self, row: int, end: int, added: tuple[str, ...]) -> Edit:
        gone = [line for line in self.at[row:end] if line is not None]
        final = _final(self.hunk.rows[row:end])
        if gone:
            return Edit(start=gone[0], end=gone[-1] + 1, added=added, final=final)
        before = next((line for line in reversed(self.at[:row]) if line is not None), None)
        after = next((line for line in self.at[end:] if line is not None), None)
        point = before + 1 if before is not None else after
        assert point is not None, "a hunk without old lines has no place"
        return Edit(start=point, end=point, added=added, final=final)


def _taken(rows: tuple[Row, ...], texts: Iterator[str]) -> tuple[str, ...]:
    """The next new texts, as many as there are new rows."""
    return tuple(next(texts) for row in rows if row.kind == "+")


def inserted(hunk: Hunk, point: int) -> tuple[Edit, ...]:
    """A hunk of new rows only, put before a line."""
    texts = tuple(row.text for row in hunk.rows if row.kind == "+")
    return (Edit(start=point, end=point, added=texts, final=_final(hunk.rows)),) if texts else ()


def _final(rows: tuple[Row, ...]) -> bool | None:
    """What these rows say about the newline at the end of the file."""
    gone = any(row.bare for row in rows if row.kind == "-")
    new = any(row.bare for row in rows if row.kind == "+")
    if gone == new:
        return None
    return gone
