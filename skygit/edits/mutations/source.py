"""One file as the operators see it: its syntax tree and the places where they can work."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skygit.edits.mutations.grammar import COMPARISONS, Grammar
from skygit.ports import Node

CONDITIONAL = frozenset(("if_clause",))
_COMPARE = frozenset(token for group in COMPARISONS for token in group)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file that may change, with the positions in `nodes` where each family can work.

    Only nodes that lie wholly inside an editable region are listed.
    """

    path: str
    data: bytes
    grammar: Grammar
    nodes: Sequence[Node]
    numbers: tuple[int, ...]
    truths: tuple[int, ...]
    comparisons: tuple[int, ...]
    arithmetic: tuple[int, ...]
    junctions: tuple[int, ...]
    negations: tuple[int, ...]
    conditions: tuple[int, ...]
    statements: tuple[int, ...]
    calls: tuple[int, ...]
    casts: tuple[int, ...]
    loops: tuple[int, ...]
    attributes: tuple[int, ...]

    def text(self, position: int) -> bytes:
        """The bytes of a node."""
        node = self.nodes[position]
        return self.data[node.start : node.end]

    def where(self, position: int) -> str:
        """`path:line` of a node."""
        return f"{self.path}:{self.nodes[position].row + 1}"

    def above(self, position: int) -> Iterator[int]:
        """The positions of the ancestors, nearest first."""
        while (position := self.nodes[position].parent) >= 0:
            yield position

    def sort(self, position: int) -> str:
        """What sort of statement a node is: its kind, for an expression the expression's."""
        node = self.nodes[position]
        inner = [self.nodes[at].kind for at in node.children if self.nodes[at].named]
        return inner[0] if node.kind == "expression_statement" and inner else node.kind

    def scope(self, position: int) -> int:
        """The function around a node, else the root."""
        return next((at for at in self.above(position) if self.nodes[at].kind in self.grammar.scopes), 0)

    def statement(self, position: int) -> int:
        """The innermost statement around a node, else the root."""
        chosen = set(self.statements)
        return next((at for at in self.above(position) if at in chosen), 0)

    def field(self, position: int, name: str) -> int | None:
        """The child of a node that has a field name."""
        return next((at for at in self.nodes[position].children if self.nodes[at].field == name), None)

    def label(self, position: int) -> bytes:
        """The name a value is given where it stands: a keyword, a default, an assignment; else empty."""
        node = self.nodes[position]
        while node.parent >= 0 and self.nodes[node.parent].kind in ("unary_operator", "unary_expression"):
            node = self.nodes[node.parent]
        fields = self.grammar.named.get(self.nodes[node.parent].kind) if node.parent >= 0 else None
        if fields is None or node.field != fields[1]:
            return b""
        name = self.field(node.parent, fields[0])
        return b"" if name is None else self.text(name)


Place = tuple[Source, int]
"""A node of a file."""


def survey(path: str, data: bytes, table: Grammar, nodes: Sequence[Node], spans: Sequence[tuple[int, int]]) -> Source:
    """Find all places of a file, once. `spans` are the editable byte ranges."""
    found: dict[str, list[int]] = {name: [] for name in PLACES}
    kinds = table.places()
    for position, node in enumerate(nodes):
        if node.parent < 0 or not any(start <= node.start and node.end <= end for start, end in spans):
            continue
        if node.named:
            for place, at in _places(node, position, nodes, table):
                found[place].append(at)
            if node.kind in kinds:
                found[kinds[node.kind]].append(position)
        elif place := _token(node, table):
            found[place].append(position)
    places = {name: tuple(positions) for name, positions in found.items()}
    return Source(path=path, data=data, grammar=table, nodes=nodes, **places)


PLACES: Final = (
    *("numbers", "truths", "comparisons", "arithmetic", "junctions", "negations", "conditions"),
    *("statements", "calls", "casts", "loops", "attributes"),
)


def _places(node: Node, position: int, nodes: Sequence[Node], table: Grammar) -> Iterator[tuple[str, int]]:
    parent = nodes[node.parent]
    if parent.kind in table.blocks and node.kind not in table.loose and not _is_docstring(node, nodes):
        yield "statements", position
    if node.field == "condition" or parent.kind in CONDITIONAL:
        yield "conditions", _bare(position, nodes)


def _token(node: Node, table: Grammar) -> str:
    if not node.field.startswith("operator"):
        return ""
    if node.kind in table.junctions:
        return "junctions"
    if node.kind in _COMPARE:
        return "comparisons"
    return "arithmetic" if any(node.kind in group for group in table.operators) else ""


def _is_docstring(node: Node, nodes: Sequence[Node]) -> bool:
    return len(node.children) == 1 and nodes[node.children[0]].kind in ("string", "concatenated_string")


def _bare(position: int, nodes: Sequence[Node]) -> int:
    """The expression inside a condition's own parentheses."""
    node = nodes[position]
    if node.kind == "parenthesized_expression":
        return next((at for at in node.children if nodes[at].named and nodes[at].kind != "comment"), position)
    return position
