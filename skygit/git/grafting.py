"""A draft laid on a tree: only the changed blobs and the trees on their paths are written."""

from dataclasses import dataclass, field

from skygit.domain.draft import Change, Draft
from skygit.git.reader import ObjectReader
from skygit.git.treeobject import FOLDER, Item, TreeReader, decode, encode, serialized
from skygit.git.writer import ObjectWriter


@dataclass(slots=True)
class _Folder:
    """The changes below one folder: files by name, and folders that hold changes."""

    files: dict[bytes, Change] = field(default_factory=dict)
    folders: dict[bytes, "_Folder"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grafter:
    """Lays drafts on trees, reading folders from `trees` and writing with `writer`.

    With `objects`, files are remembered there: a candidate's are read again soon.
    """

    trees: TreeReader
    writer: ObjectWriter
    objects: ObjectReader | None = None

    def graft(self, root: str | None, draft: Draft) -> str:
        """The id of the tree with the draft in it; a root of None is the empty tree.

        Raises ValueError when a path cannot be what the draft says.
        """
        raw = self._folder(root, _sorted_into_folders(draft), "")
        return self.writer.write("tree", b"") if raw is None else raw.hex()

    def _folder(self, oid: str | None, changes: _Folder, prefix: str) -> bytes | None:
        """The raw id of the folder after its changes; None when nothing is left in it."""
        items: dict[bytes, Item] = dict(self.trees.items(oid)) if oid else {}
        for name, change in changes.files.items():
            if change.content is None:
                _delete(items, name, change.path)
        for name, below in changes.folders.items():
            self._lay_folder(items, name, below, prefix)
        for name, change in changes.files.items():
            if change.content is not None:
                self._lay(items, name, change, change.content)
        if not items:
            return None
        written = self.writer.write("tree", serialized(items))
        self.trees.remember(written, items)
        return bytes.fromhex(written)

    def _lay_folder(self, items: dict[bytes, Item], name: bytes, below: _Folder, prefix: str) -> None:
        path = prefix + decode(name)
        item = items.get(name)
        if item is not None and item[0] != FOLDER:
            raise ValueError(f"{path} is a file, so nothing can lie below it")
        raw = self._folder(item[1].hex() if item else None, below, f"{path}/")
        if raw is None:
            items.pop(name, None)
        else:
            items[name] = (FOLDER, raw)

    def _lay(self, items: dict[bytes, Item], name: bytes, change: Change, content: bytes) -> None:
        if name in items and items[name][0] == FOLDER:
            raise ValueError(f"{change.path} is a folder")
        written = self.writer.write("blob", content)
        if self.objects is not None:
            self.objects.remember(written, "blob", content)
        items[name] = (change.mode.encode(), bytes.fromhex(written))


def _sorted_into_folders(draft: Draft) -> _Folder:
    top = _Folder()
    for change in draft.changes:
        *parents, name = _names(change.path)
        folder = top
        for parent in parents:
            folder = folder.folders.setdefault(parent, _Folder())
        if name in folder.files:
            raise ValueError(f"the draft changes {change.path} twice")
        folder.files[name] = change
    return top


def _names(path: str) -> list[bytes]:
    names = encode(path).split(b"/")
    if any(name in (b"", b".", b"..") or name.lower() == b".git" or b"\0" in name for name in names):
        raise ValueError(f"no path inside a repository: {path!r}")
    return names


def _delete(items: dict[bytes, Item], name: bytes, path: str) -> None:
    item = items.pop(name, None)
    if item is None or item[0] == FOLDER:
        raise ValueError(f"there is no file {path} to delete")
