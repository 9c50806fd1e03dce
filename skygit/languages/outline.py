"""The definitions of a file, in order of their rows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from skygit.languages.grammar import walk
from skygit.languages.language import Language
from skygit.ports import Outlined

if TYPE_CHECKING:
    from tree_sitter import Node

_REFERENCE = "object_reference"
"""How SQL names what it creates."""


def definitions(root: "Node", language: Language, data: bytes) -> Sequence[Outlined]:
    """Classes, functions and their like; `depth` counts the definitions around one."""
    found: list[Outlined] = []
    around: list[int] = []
    lines = data.split(b"\n")
    for node, depth, _ in walk(root):
        while around and around[-1] >= depth:
            around.pop()
        if _defines(node, language):
            found.append(_outlined(node, language, lines, len(around)))
            around.append(depth)
    return found


def _defines(node: "Node", language: Language) -> bool:
    if node.type not in language.definitions:
        return False
    if node.type == "variable_declarator":
        value = node.child_by_field_name("value")
        return value is not None and value.type in language.functions
    return node.child_by_field_name("body") is not None or not node.type.endswith("_specifier")


def _outlined(node: "Node", language: Language, lines: list[bytes], depth: int) -> Outlined:
    row = node.start_point.row
    return Outlined(
        kind=language.definitions[node.type],
        name=_name(node),
        line=lines[row].rstrip(b"\r").decode("utf-8", "replace"),
        row=row,
        end_row=node.end_point.row,
        depth=depth,
    )


def _name(node: "Node") -> str:
    """Follows names, and declarators as C has them, down to the innermost."""
    current = node
    while (inner := _field(current, ("name", "declarator"))) is not None:
        current = inner
    if current is node:
        current = _field(node, ("type",)) or next((child for child in node.children if child.type == _REFERENCE), node)
    return (current.text or b"").decode("utf-8", "replace") if current is not node else ""


def _field(node: "Node", names: tuple[str, ...]) -> "Node | None":
    return next((child for name in names if (child := node.child_by_field_name(name)) is not None), None)
