"""Syntax errors: what a parser could not read or had to make up."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_SHOWN = 40
"""Bytes of unreadable text quoted in a message."""


def unread(root: "Node", data: bytes) -> Sequence[str]:
    """The ERROR and MISSING nodes of a tree, each as "line N: what"."""
    return [_described(node, data) for node in _broken(root)] if root.has_error else []


def _broken(root: "Node") -> "Iterator[Node]":
    """Visits only the branches that hold an error."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield node
        waiting += [child for child in reversed(node.children) if child.has_error or child.is_missing]


def _described(node: "Node", data: bytes) -> str:
    line = node.start_point.row + 1
    if node.is_missing:
        return f"line {line}: missing {node.type}"
    quoted = data[node.start_byte : node.end_byte][:_SHOWN].decode("utf-8", "replace")
    return f"line {line}: cannot read {' '.join(quoted.split())!r}"
