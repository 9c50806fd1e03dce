"""Where a statement stands on its lines, and text moved from one indentation to another."""

from dataclasses import dataclass

from skygit.edits.mutations.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """A statement's lines: `start` of the first, `end` after the last line's end, `indent` before it.

    `alone`: nothing but blanks shares its lines.
    """

    start: int
    end: int
    indent: bytes
    alone: bool


def stand(source: Source, position: int) -> Stand:
    """How a statement stands."""
    node, data = source.nodes[position], source.data
    start = data.rfind(b"\n", 0, node.start) + 1
    stop = data.find(b"\n", node.end)
    end = len(data) if stop < 0 else stop + 1
    indent = data[start : node.start]
    return Stand(start=start, end=end, indent=indent, alone=not indent.strip() and not data[node.end : end].strip())


def newline(data: bytes) -> bytes:
    """The line end a file uses."""
    return b"\r\n" if b"\r\n" in data else b"\n"


def reindented(text: bytes, old: bytes, new: bytes, end: bytes) -> bytes | None:
    """A statement's text under another indentation and with line end `end`; None when a line does not fit."""
    first, *rest = text.replace(b"\r\n", b"\n").split(b"\n")
    lines = [first]
    for line in rest:
        if line.strip() and not line.startswith(old):
            return None
        lines.append(new + line[len(old) :] if line.strip() else line)
    return end.join(lines)
