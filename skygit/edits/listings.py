"""Listings: a file, or one block of it, written out in full."""

from collections.abc import Collection, Sequence
from typing import Final

from skygit.domain.draft import Refusal
from skygit.edits.blocks import Block, Regions, regions
from skygit.edits.folding import exact, loose
from skygit.edits.lines import Difference, differences
from skygit.edits.markers import marks
from skygit.edits.placing import Edit
from skygit.edits.refusals import Refused, refuse
from skygit.edits.text import decoded, encoded, split
from skygit.ports import Syntax, Tree

_SEARCHED: Final = 2_000
"""Files looked at for the block of a listing that names no file."""


def rewritten(path: str, data: bytes, listing: Sequence[str], syntax: Syntax) -> tuple[Edit, ...]:
    """The edits that make a file what a listing says. Lines that stay keep their bytes."""
    found = regions(path, data, syntax)
    if isinstance(found, Refusal):
        raise Refused(found)
    if _signed(listing, {line.text for line in split(data).lines}):
        refuse("malformed", f"{path}: the listing has lines with - and + as a diff has", path)
    blocks = _matching(listing, found)
    if blocks and not _whole(path, listing, found, syntax):
        if len(blocks) > 1:
            refuse("ambiguous", f"{path}: the listing can be any of {len(blocks)} blocks; name the block", path)
        return _block(data, listing, blocks[0])
    return _file(data, listing, found)


def _signed(listing: Sequence[str], before: Collection[str]) -> bool:
    """Whether lines of the file stand in its listing with a minus before them, and new ones with a plus."""
    gone = any(text[:1] == "-" and text[1:].strip() and text[1:] in before and text not in before for text in listing)
    return gone and any(text[:1] == "+" and text not in before for text in listing)


def block_of(listing: Sequence[str], tree: Tree, syntax: Syntax) -> str | None:
    """The one file with the block that a listing without a path shows; None when there is none such."""
    if "EVOLVE-BLOCK-START" not in listing[0] or "EVOLVE-BLOCK-END" not in listing[-1]:
        return None
    wanted = encoded(listing[0].strip())
    able = [path for path in tree.paths() if tree.mode(path) in ("100644", "100755")][:_SEARCHED]
    found = [path for path in able if wanted in tree.read(path) and _holds(path, tree.read(path), listing, syntax)]
    return found[0] if len(found) == 1 else None


def _holds(path: str, data: bytes, listing: Sequence[str], syntax: Syntax) -> bool:
    found = regions(path, data, syntax)
    return isinstance(found, Regions) and bool(_matching(listing, found))


def _matching(listing: Sequence[str], found: Regions) -> list[Block]:
    """The blocks whose marker lines are the first and the last line of a listing, indentation aside."""
    ends = listing[0].strip(), listing[-1].strip()
    return [block for block in found.blocks if (decoded(block.opening).strip(), decoded(block.closing).strip()) == ends]


def _whole(path: str, listing: Sequence[str], found: Regions, syntax: Syntax) -> bool:
    """Whether the listing has as many markers as the file, so that it is the file."""
    count = len(marks(path, encoded("\n".join(listing) + "\n"), syntax).marks)
    return count == 2 * len(found.blocks) and len(found.blocks) > 1


def _block(data: bytes, listing: Sequence[str], block: Block) -> tuple[Edit, ...]:
    """New lines for one block, indented as its opening marker is."""
    opening = decoded(block.opening)
    shift = opening[: len(opening) - len(opening.lstrip())].removesuffix(
        listing[0][: len(listing[0]) - len(listing[0].lstrip())]
    )
    old = [line.text for line in split(data).lines][block.row + 1 : block.end_row]
    new = [shift + text if text.strip() else text for text in listing[1:-1]]
    return tuple(_edit(one, block.row + 1, new) for one in differences(old, new))


def _file(data: bytes, listing: Sequence[str], found: Regions) -> tuple[Edit, ...]:
    """New lines for the whole file. Blank lines at its end, and trailing blanks of frozen lines, stay."""
    old = [line.text for line in split(data).lines]
    while old and not old[-1].strip():
        del old[-1]
    keys = [exact(text) if found.holds(row) else loose(text) for row, text in enumerate(old)]
    stay = set(old)
    known = {key for row, key in enumerate(keys) if not found.holds(row)}
    new = [loose(text) if loose(text) in known and text not in stay else text for text in listing]
    return tuple(_edit(one, 0, new) for one in differences(keys, new))


def _edit(one: Difference, offset: int, new: Sequence[str]) -> Edit:
    start, end, first, last = one
    return Edit(start=start + offset, end=end + offset, added=tuple(new[first:last]))
