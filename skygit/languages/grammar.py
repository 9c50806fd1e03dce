"""Parsing with tree-sitter: grammars are loaded when first needed, the last few parses are kept."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib import import_module
from typing import TYPE_CHECKING, Final

from skygit.languages.language import Language

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Tree

KEPT: Final = 16
"""Parses kept: the files of one edit, before and after."""


@cache
def grammar(module: str, entry: str) -> "Grammar | None":
    """The compiled grammar; None when its wheel is not installed."""
    try:
        from tree_sitter import Language as Compiled

        return Compiled(vars(import_module(module))[entry]())
    except ImportError:
        return None


class Parses:
    """The last parses by language and digest of the bytes. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, bytes], Tree] = OrderedDict()

    def tree(self, language: Language, data: bytes) -> "Tree | None":
        """The syntax tree; None when the grammar is missing."""
        compiled = grammar(language.module, language.entry)
        if compiled is None:
            return None
        key = (language.name, blake2b(data, digest_size=16).digest())
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        return self._keep(key, _parsed(compiled, data))

    def _keep(self, key: tuple[str, bytes], tree: "Tree") -> "Tree":
        with self._lock:
            self._kept[key] = tree
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return tree


def walk(root: "Node") -> "Iterator[tuple[Node, int, str]]":
    """Every node in pre-order with its depth and its field in the parent ("" for none)."""
    cursor = root.walk()
    depth = 0
    while True:
        node = cursor.node
        assert node is not None
        yield node, depth, cursor.field_name or ""
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            depth -= 1


def _parsed(compiled: "Grammar", data: bytes) -> "Tree":
    from tree_sitter import Parser

    return Parser(compiled).parse(data)
