"""Plain text as a syntax tree: a root and its lines, so that lines can be deleted, swapped and moved."""

from collections.abc import Sequence

from skygit.ports import Node


def prose(data: bytes) -> Sequence[Node]:
    """Node 0 is the text, the others its lines that are not blank, from first to last mark."""
    lines, start = list[Node](), 0
    for row, line in enumerate(data.split(b"\n")):
        if line.strip():
            begin = start + len(line) - len(line.lstrip())
            end = start + len(line.rstrip())
            lines.append(Node(kind="line", start=begin, end=end, row=row, parent=0, children=()))
        start += len(line) + 1
    root = Node(kind="text", start=0, end=len(data), row=0, parent=-1, children=tuple(range(1, len(lines) + 1)))
    return (root, *lines)
