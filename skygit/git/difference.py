"""Two trees walked in step; what has equal ids is not looked into."""

from collections.abc import Iterator

from skygit.git.treeobject import FOLDER, Item, TreeReader, decode

Pair = tuple[str, Item | None, Item | None]
"""A path (never a folder) with its entry in the old and in the new tree, None where it is not there."""


def difference(trees: TreeReader, old: str | None, new: str | None) -> Iterator[Pair]:
    """Every file, link and submodule that differs, in no particular order. None is the empty tree."""
    for path, before, after in _walk(trees, old, new, b""):
        yield decode(path), before, after


def _walk(
    trees: TreeReader, old: str | None, new: str | None, prefix: bytes
) -> Iterator[tuple[bytes, Item | None, Item | None]]:
    before = trees.items(old) if old else {}
    after = trees.items(new) if new else {}
    for name in before.keys() | after.keys():
        one, other = before.get(name), after.get(name)
        if one == other:
            continue
        one_folder, one_file = _split(one)
        other_folder, other_file = _split(other)
        if one_folder or other_folder:
            yield from _walk(trees, one_folder, other_folder, prefix + name + b"/")
        if one_file != other_file:
            yield prefix + name, one_file, other_file


def _split(item: Item | None) -> tuple[str | None, Item | None]:
    """The entry as a folder's id, or as a file."""
    if item is None:
        return None, None
    return (item[1].hex(), None) if item[0] == FOLDER else (None, item)
