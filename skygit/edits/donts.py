"""Blocks that are legal and still a bad idea: the markers' "don't" list, as warnings."""

import re
from collections.abc import Iterator, Sequence

from skygit.edits.blocks import Block, Regions
from skygit.ports import Outlined, Syntax

_TEST = re.compile(rb"^\s*(?:if __name__ ==|def test_|class Test|assert |describe\(|it\()", re.MULTILINE)
_IMPORT = re.compile(rb"^(?:import|from)\s+([A-Za-z_][\w.]*)(?:\s+import\s+[\w, ]+)?(?:\s+as\s+(\w+))?", re.MULTILINE)


def warnings(path: str, data: bytes, found: Regions, syntax: Syntax) -> Iterator[str]:
    """One sentence for each block that splits a definition, holds tests, or misses its own imports."""
    outline = syntax.outline(path, data)
    for block in found.blocks:
        yield from _split(path, block, outline)
        yield from _tests(path, data, block)
    yield from _imports(path, data, found)


def _split(path: str, block: Block, outline: Sequence[Outlined]) -> Iterator[str]:
    for item in outline:
        inside = block.row < item.row < block.end_row
        ends_inside = block.row < item.end_row < block.end_row
        around = item.row < block.row and item.end_row > block.end_row and item.kind != "class"
        if around or (inside and not ends_inside) or (ends_inside and not inside):
            yield (
                f"{path}:{block.row + 1}: the block splits {item.kind} {item.name} (line {item.row + 1}): "
                "put the whole definition inside, or all of it outside"
            )


def _tests(path: str, data: bytes, block: Block) -> Iterator[str]:
    hit = _TEST.search(data[block.start : block.end])
    if hit is not None:
        line = block.row + 2 + data[block.start : block.start + hit.start()].count(b"\n")
        yield f"{path}:{line}: test code inside the block would be evolved too: move it below the block"


def _imports(path: str, data: bytes, found: Regions) -> Iterator[str]:
    """Python modules imported above that only blocks use: a model could not swap the library."""
    if not path.endswith(".py") or not found.marked:
        return
    inside = b"".join(data[start:end] for start, end in found.spans)
    outside = b"\n".join(found.frozen(data))
    for hit in _IMPORT.finditer(outside):
        name = (hit.group(2) or hit.group(1).split(b".")[0]).decode()
        uses = re.compile(rf"\b{re.escape(name)}\b".encode())
        if uses.search(inside) and len(uses.findall(outside)) == 1:
            yield (
                f"{path}: {name} is imported outside the blocks and used only inside: "
                "move the import into the block if another library may be tried"
            )
