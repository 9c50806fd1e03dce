"""Tree objects as values: names to modes and ids, in git's order."""

import re
from collections.abc import Mapping
from typing import Final

from skygit.git.reader import ObjectReader
from skygit.git.recent import Recent

FOLDER: Final = b"40000"
LINK: Final = b"120000"
SUBMODULE: Final = b"160000"

Item = tuple[bytes, bytes]
"""The mode as git writes it ("40000" has no leading zero) and the raw id."""
Items = Mapping[bytes, Item]
"""The entries of one folder by name. Never changed once made."""

_KEPT_ENTRIES: Final = 40_000


class TreeReader:
    """Folders by the id of their tree object; those just used are kept parsed."""

    def __init__(self, objects: ObjectReader, id_size: int) -> None:
        self._objects = objects
        self._entry = re.compile(rb"([0-7]+) ([^\0]+)\0(.{%d})" % id_size, re.DOTALL)
        self._recent: Recent[str, Items] = Recent(_KEPT_ENTRIES)

    def items(self, oid: str) -> Items:
        """The entries of a folder. Raises KeyError when there is no such tree."""
        known = self._recent.get(oid)
        if known is not None:
            return known
        kind, data = self._objects.read(oid)
        if kind != "tree":
            raise KeyError(oid)
        items = {name: (mode, raw) for mode, name, raw in self._entry.findall(data)}
        self.remember(oid, items)
        return items

    def remember(self, oid: str, items: Items) -> None:
        """Spare the reading of a folder that was just written."""
        self._recent.put(oid, items, len(items) + 4)

    def find(self, root: str, path: str) -> Item | None:
        """The entry at a path below a tree, or None."""
        names = encode(path).split(b"/")
        oid = root
        for name in names[:-1]:
            item = self.items(oid).get(name)
            if item is None or item[0] != FOLDER:
                return None
            oid = item[1].hex()
        return self.items(oid).get(names[-1])


def serialized(items: Items) -> bytes:
    """The bytes of a tree object: git sorts folders as if their names ended in a slash."""
    ordered = sorted(items.items(), key=lambda entry: entry[0] + b"/" if entry[1][0] == FOLDER else entry[0])
    return b"".join(b"%s %s\0%s" % (mode, name, raw) for name, (mode, raw) in ordered)


def encode(path: str) -> bytes:
    """A path as git holds it."""
    return path.encode("utf-8", "surrogateescape")


def decode(path: bytes) -> str:
    """A path as skygit holds it."""
    return path.decode("utf-8", "surrogateescape")
