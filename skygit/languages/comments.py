"""Single-line comments that stand alone on their line."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from skygit.languages.grammar import walk
from skygit.languages.language import Language
from skygit.ports import Span

if TYPE_CHECKING:
    from tree_sitter import Node

_BOM = b"\xef\xbb\xbf"


def standing_alone(root: "Node", language: Language, data: bytes) -> Sequence[Span]:
    """The comments of a tree that fill exactly one line, in order, line end not included."""
    found = (_alone(node, data) for node, _, _ in walk(root) if node.type in language.comments)
    return sorted((span for span in found if span is not None), key=lambda span: span.start)


def embedded(root: "Node", language: Language) -> "Iterator[tuple[str, Node]]":
    """Stretches of another language: a suffix of that language, and the node of its text."""
    for node, _, _ in walk(root):
        if node.type in language.embedded:
            yield from ((language.embedded[node.type], child) for child in node.children if child.type == "raw_text")


def _alone(node: "Node", data: bytes) -> Span | None:
    text = data[node.start_byte : node.end_byte].rstrip(b"\r\n")
    start, end = node.start_byte, node.start_byte + len(text)
    if b"\n" in text:
        return None
    line = data.rfind(b"\n", 0, start) + 1
    stop = data.find(b"\n", end)
    before = data[line:start].removeprefix(_BOM) if line == 0 else data[line:start]
    after = data[end : stop if stop >= 0 else len(data)]
    if before.strip(b" \t\r\f") or after.strip(b" \t\r\f"):
        return None
    return Span(start=start, end=end, row=node.start_point.row)
