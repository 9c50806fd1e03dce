"""One file while it is edited: hunks are placed, their edits collected, and put in all together."""

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass

from skygit.edits.placing import Edit
from skygit.edits.refusals import refuse
from skygit.edits.text import Line, Text, split


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A line of the text so far, and which line of the original it is; None for a new one."""

    line: Line
    origin: int | None


class Sheet:
    """The text of one file, original and so far. Edits wait until they are needed."""

    def __init__(self, path: str, text: Text) -> None:
        self.path = path
        self.original = [line.text for line in text.lines]
        self._text = text
        self._cells = [Cell(line=line, origin=row) for row, line in enumerate(text.lines)]
        self._waiting: list[tuple[tuple[int, int], Edit]] = []
        self._rows: dict[int, int] | None = None

    @property
    def untouched(self) -> bool:
        """Whether the text so far is the original."""
        return not self._waiting and self._rows is None

    def lines(self) -> list[str]:
        """The lines so far."""
        self._flush()
        return [cell.line.text for cell in self._cells]

    def encoded(self) -> bytes:
        """The bytes so far."""
        self._flush()
        return Text(bom=self._text.bom, lines=tuple(cell.line for cell in self._cells)).encoded()

    def take(self, edits: Sequence[Edit], *, original: bool) -> None:
        """Keep edits, given in lines of the original or of the text so far. An edit already kept is one edit.

        Refuses edits that touch what another edit changes.
        """
        for edit in edits:
            self._keep(self._moved(edit) if original else edit)

    def _keep(self, edit: Edit) -> None:
        key = (edit.start, edit.end)
        at = bisect_left(self._waiting, key, key=lambda item: item[0])
        for _, other in self._waiting[max(at - 1, 0) : at + 2]:
            if other == edit:
                return
            if _overlap(edit, other):
                self._conflict(edit.start)
        insort(self._waiting, (key, edit), key=lambda item: item[0])

    def _conflict(self, row: int) -> None:
        refuse("ambiguous", f"{self.path}: two edits change line {row + 1} in different ways", self.path)

    def _moved(self, edit: Edit) -> Edit:
        """An edit of original lines as one of the lines so far."""
        if self._rows is None:
            return edit
        rows = self._rows
        gone = [row for row in range(edit.start, edit.end) if row not in rows]
        if gone or (edit.start < edit.end and rows[edit.end - 1] - rows[edit.start] != edit.end - 1 - edit.start):
            self._conflict(edit.start)
        start = rows[edit.start] if edit.start < edit.end else self._point(edit.start, rows)
        return Edit(start=start, end=start + edit.end - edit.start, added=edit.added, final=edit.final)

    def _point(self, row: int, rows: dict[int, int]) -> int:
        """Where new lines before an original line go now."""
        before, after = rows.get(row - 1), rows.get(row)
        if before is not None and after is not None and after != before + 1:
            self._conflict(row)
        if after is not None:
            return after
        if before is not None:
            return before + 1
        if not self.original:
            return 0
        self._conflict(row)
        return 0

    def _flush(self) -> None:
        if not self._waiting:
            return
        for _, edit in reversed(self._waiting):
            self._put(edit)
        self._waiting.clear()
        self._rows = {cell.origin: row for row, cell in enumerate(self._cells) if cell.origin is not None}

    def _put(self, edit: Edit) -> None:
        cells, closed = self._cells, not self._cells or self._cells[-1].line.end != ""
        at_end = edit.end == len(cells)
        new = [self._cell(edit, number) for number in range(len(edit.added))]
        cells[edit.start : edit.end] = new
        for row in range(max(edit.start - 1, 0), min(edit.start + len(new), len(cells) - 1)):
            if cells[row].line.end == "":
                cells[row] = _ended(cells[row], self._near(row))
        if at_end and cells:
            final = closed if edit.final is None else edit.final
            last = cells[-1]
            if final != (last.line.end != ""):
                cells[-1] = _ended(last, self._near(len(cells) - 1) if final else "")

    def _cell(self, edit: Edit, number: int) -> Cell:
        """A new line, with the end of the line it replaces or of its neighbour."""
        end = self._near(min(edit.start + number, edit.end - 1) if edit.start < edit.end else edit.start - 1)
        return Cell(line=Line(text=edit.added[number], end=end), origin=None)

    def _near(self, row: int) -> str:
        """The end of a line, else of the one before it, else of the next, else the file's usual one."""
        for near in (row, row - 1, row + 1):
            if 0 <= near < len(self._cells) and self._cells[near].line.end:
                return self._cells[near].line.end
        return self._text.newline


def sheet(path: str, data: bytes) -> Sheet:
    """The sheet of a file."""
    return Sheet(path, split(data))


def _overlap(one: Edit, other: Edit) -> bool:
    if one.start == one.end and other.start == other.end:
        return one.start == other.start
    if one.start == one.end:
        return other.start < one.start < other.end
    if other.start == other.end:
        return one.start < other.start < one.end
    return one.start < other.end and other.start < one.end


def _ended(cell: Cell, end: str) -> Cell:
    return Cell(line=Line(text=cell.line.text, end=end), origin=cell.origin)
