"""What is in a commit, and what its languages say about it."""

from collections.abc import Collection, Sequence
from typing import Protocol

from skygit.domain.value import Value


class Tree(Protocol):
    """The files of one commit. Paths are `/`-separated, surrogateescape for what is not UTF-8."""

    def paths(self) -> Collection[str]:
        """Every path in the tree (files, symbolic links, submodules)."""
        ...

    def mode(self, path: str) -> str | None:
        """ "100644", "100755", "120000" (link), "160000" (submodule), "040000" (folder); None: not there."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of a file, or the target of a link. Raises KeyError when it is not there."""
        ...


class Span(Value, frozen=True, kw_only=True):
    """A range of bytes; `row` is the line it starts on, from 0."""

    start: int
    end: int
    row: int


class Node(Value, frozen=True, kw_only=True):
    """A node of a syntax tree. `parent` and `children` are positions in the sequence of nodes.

    `kind` is the grammar's name, `field` the role in the parent ("" when it has none).
    """

    kind: str
    start: int
    end: int
    row: int
    parent: int
    children: tuple[int, ...]
    named: bool = True
    field: str = ""


class Outlined(Value, frozen=True, kw_only=True):
    """A definition: its kind ("class", "function"), name, first line as written, rows from 0, nesting."""

    kind: str
    name: str
    line: str
    row: int
    end_row: int
    depth: int


class Syntax(Protocol):
    """What a file's language says about its text. Never raises on any bytes."""

    def language(self, path: str) -> str:
        """The name of the language, "" when no grammar covers the file."""
        ...

    def comments(self, path: str, data: bytes) -> Sequence[Span] | None:
        """Single-line comments standing alone on their line; None when no grammar covers the file."""
        ...

    def faults(self, path: str, data: bytes) -> Sequence[str]:
        """Syntax errors as "line N: what"; empty when there are none or no grammar covers the file."""
        ...

    def outline(self, path: str, data: bytes) -> Sequence[Outlined]:
        """Definitions in order of their rows; empty without a grammar."""
        ...

    def nodes(self, path: str, data: bytes) -> Sequence[Node]:
        """The syntax tree in pre-order, node 0 the root (its parent is -1); empty without a grammar."""
        ...
