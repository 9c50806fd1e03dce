"""The EVOLVE-BLOCK structure of a file: what may change in it."""

from bisect import bisect_left

from skygit.domain.draft import Refusal
from skygit.domain.value import Value
from skygit.edits.markers import Mark, marks
from skygit.ports import Syntax


class Block(Value, frozen=True, kw_only=True):
    """One block. Bytes `start` to `end` may change: the lines between the markers.

    `row` and `end_row` are the rows of the two marker lines, from 0; `opening` and
    `closing` are those lines, line ends included; `label` what stands after START.
    """

    label: str
    start: int
    end: int
    row: int
    end_row: int
    opening: bytes
    closing: bytes


class Regions(Value, frozen=True, kw_only=True):
    """What may change in a file: without markers the whole of it, with markers the blocks."""

    marked: bool
    blocks: tuple[Block, ...]
    size: int

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The editable stretches of bytes, in order."""
        return tuple((block.start, block.end) for block in self.blocks) if self.marked else ((0, self.size),)

    @property
    def rows(self) -> frozenset[int]:
        """The rows of the marker lines."""
        return frozenset(row for block in self.blocks for row in (block.row, block.end_row))

    def holds(self, row: int) -> bool:
        """Whether a line inserted before this row, or standing in it, lies where the file may change."""
        at = bisect_left(self.blocks, row, key=lambda block: block.end_row)
        return not self.marked or (at < len(self.blocks) and self.blocks[at].row < row)

    def frozen(self, data: bytes) -> list[bytes]:
        """The stretches that may not change, marker lines included, in order; none without markers."""
        if not self.marked:
            return []
        cuts = [0, *(edge for span in self.spans for edge in span), self.size]
        return [data[cuts[at] : cuts[at + 1]] for at in range(0, len(cuts), 2)]


def regions(path: str, data: bytes, syntax: Syntax) -> Regions | Refusal:
    """The blocks of a file; `marker-invalid` when its markers are nested, unpaired, or beside code."""
    found = marks(path, data, syntax)
    if found.loose is not None:
        return _invalid(path, found.loose, "a marker must be a one-line comment alone on its line")
    fault = _fault(found.marks)
    if fault is not None:
        return _invalid(path, *fault)
    pairs = zip(found.marks[::2], found.marks[1::2], strict=True)
    blocks = tuple(_block(opening, closing) for opening, closing in pairs)
    return Regions(marked=bool(blocks), blocks=blocks, size=len(data))


def _block(opening: Mark, closing: Mark) -> Block:
    return Block(
        label=opening.label,
        start=opening.end,
        end=closing.start,
        row=opening.row,
        end_row=closing.row,
        opening=opening.line,
        closing=closing.line,
    )


def _fault(found: tuple[Mark, ...]) -> tuple[int, str] | None:
    """The first marker out of turn: its row, and what is wrong."""
    for position, mark in enumerate(found):
        if mark.opens == bool(position % 2):
            return mark.row, "a block starts inside a block" if mark.opens else "a block ends that was never started"
    if len(found) % 2:
        return found[-1].row, "the block that starts here never ends"
    return None


def _invalid(path: str, row: int, what: str) -> Refusal:
    return Refusal(word="marker-invalid", path=path, message=f"{path}:{row + 1}: {what}")
