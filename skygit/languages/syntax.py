"""The door: `ports.Syntax` over the languages of this package."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from skygit.languages.comments import embedded, standing_alone
from skygit.languages.faults import unread
from skygit.languages.grammar import Parses, walk
from skygit.languages.outline import definitions
from skygit.languages.registry import language_of
from skygit.ports import Node, Outlined, Span

if TYPE_CHECKING:
    from tree_sitter import Node as Parsed

    from skygit.languages.language import Language


class TreeSitterSyntax:
    """What tree-sitter, and for Python the compiler, say about a file. Cheap to make, safe to share."""

    def __init__(self) -> None:
        self._parses = Parses()

    def language(self, path: str) -> str:
        """The name of the language, "" when no grammar covers the file."""
        found = self._read(path, b"")
        return found[0].name if found else ""

    def comments(self, path: str, data: bytes) -> Sequence[Span] | None:
        """Single-line comments standing alone on their line; None when no grammar covers the file."""
        found = self._read(path, data)
        if found is None:
            return None
        language, root = found
        spans = [*standing_alone(root, language, data), *self._embedded(root, language, data)]
        return sorted(spans, key=lambda span: span.start)

    def faults(self, path: str, data: bytes) -> Sequence[str]:
        """Syntax errors as "line N: what"; empty when there are none or no grammar covers the file."""
        found = self._read(path, data)
        if found is None:
            return []
        language, root = found
        said = language.check(path, data) if language.check else ""
        return [*([said] if said else []), *unread(root, data)]

    def outline(self, path: str, data: bytes) -> Sequence[Outlined]:
        """Definitions in order of their rows; empty without a grammar."""
        found = self._read(path, data)
        return definitions(found[1], found[0], data) if found else []

    def nodes(self, path: str, data: bytes) -> Sequence[Node]:
        """The syntax tree in pre-order, node 0 the root; empty without a grammar."""
        found = self._read(path, data)
        return _listed(found[1]) if found else []

    def _read(self, path: str, data: bytes) -> "tuple[Language, Parsed] | None":
        language = language_of(path)
        tree = self._parses.tree(language, data) if language else None
        return (language, tree.root_node) if language and tree else None

    def _embedded(self, root: "Parsed", language: "Language", data: bytes) -> list[Span]:
        """Comments of scripts and styles, at their place in the whole file."""
        found: list[Span] = []
        for suffix, node in embedded(root, language) if language.embedded else ():
            inner = self.comments(f"inner{suffix}", data[node.start_byte : node.end_byte]) or ()
            at, row = node.start_byte, node.start_point.row
            found += [Span(start=at + one.start, end=at + one.end, row=row + one.row) for one in inner]
        return found


def _listed(root: "Parsed") -> list[Node]:
    """Nodes with their relatives as positions."""
    flat = list(walk(root))
    parents, children = _kin([depth for _, depth, _ in flat])
    return [
        Node(
            kind=node.type,
            start=node.start_byte,
            end=node.end_byte,
            row=node.start_point.row,
            parent=parents[position],
            children=tuple(children[position]),
            named=node.is_named,
            field=field,
        )
        for position, (node, _, field) in enumerate(flat)
    ]


def _kin(depths: list[int]) -> tuple[list[int], list[list[int]]]:
    """Parents and children of a pre-order listing, from the depths alone."""
    parents: list[int] = []
    children: list[list[int]] = [[] for _ in depths]
    around: list[int] = []
    for position, depth in enumerate(depths):
        del around[depth:]
        parent = around[-1] if around else -1
        parents.append(parent)
        if parent >= 0:
            children[parent].append(position)
        around.append(position)
    return parents, children
