"""The files of one reply: what is made, moved, removed, and the sheets of what is edited."""

from skygit.domain.draft import PLAIN, Change, Draft, Mode
from skygit.edits.compose import Sheet, sheet
from skygit.edits.refusals import refuse
from skygit.edits.text import binary
from skygit.ports import Tree


class Files:
    """The parent's files and what became of them so far."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._sheets: dict[str, Sheet] = {}
        self._created: dict[str, bytes] = {}
        self._deleted: set[str] = set()
        self._moves: dict[str, str] = {}
        self._modes: dict[str, str] = {}

    @property
    def moved(self) -> frozenset[str]:
        """The paths that went away because their files were renamed."""
        return frozenset(self._moves)

    def create(self, path: str, content: bytes) -> None:
        """A new file. The same one twice is one."""
        if self._created.setdefault(path, content) != content or path in self._moves.values():
            refuse("ambiguous", f"{path} is created twice, with different content", path)

    def move(self, path: str, to: str) -> None:
        """A file goes to another path; its edits follow it."""
        if self._moves.setdefault(path, to) != to or list(self._moves.values()).count(to) > 1 or to in self._created:
            refuse("ambiguous", f"{path} is renamed in two ways", path)
        self.sheet(path)

    def delete(self, path: str) -> None:
        """A file goes."""
        self._deleted.add(path)

    def set_mode(self, path: str, mode: str) -> None:
        """A file gets a mode, or keeps the one that is named."""
        self._modes[path] = mode
        if path not in self._created:
            self.sheet(path)

    def sheet(self, path: str) -> Sheet:
        """The sheet on which a text file is edited, under its old or its new path."""
        source = self._source(path)
        if source in self._deleted:
            refuse("ambiguous", f"{path} is deleted and edited", path)
        if source not in self._sheets:
            data = self.bytes_of(source)
            if binary(data):
                refuse("binary", f"{source} is a binary file", source)
            self._sheets[source] = sheet(source, data)
        return self._sheets[source]

    def bytes_of(self, path: str) -> bytes:
        """What a file held before it is edited."""
        return self._created[path] if path in self._created else self.read(path)

    def read(self, path: str) -> bytes:
        """The parent's bytes."""
        try:
            return self._tree.read(path)
        except KeyError:
            refuse("no-match", f"{path} is not there", path)

    def draft(self) -> Draft:
        """The files that differ now. Refuses when none does."""
        changes = [*self._written(), *(Change(path=path, content=None) for path in self._gone())]
        if not changes:
            refuse("noop", "the result equals the files as they are")
        return Draft(changes=tuple(sorted(changes, key=lambda change: change.path)))

    def _source(self, path: str) -> str:
        return next((old for old, new in self._moves.items() if new == path), path)

    def _written(self) -> list[Change]:
        contents = {path: content for path, content in self._created.items() if path not in self._sheets}
        contents |= {self._moves.get(path, path): one.encoded() for path, one in self._sheets.items()}
        return [
            Change(path=path, content=content, mode=self._mode(path))
            for path, content in contents.items()
            if self._differs(path, content)
        ]

    def _differs(self, path: str, content: bytes) -> bool:
        there = self._tree.mode(path)
        return there is None or self._tree.read(path) != content or self._mode(path) != there

    def _mode(self, path: str) -> Mode:
        mode = self._modes.get(path) or self._tree.mode(self._source(path))
        return "100755" if mode == "100755" else PLAIN

    def _gone(self) -> list[str]:
        clash = self._deleted & (self._created.keys() | self._sheets.keys() | self._moves.keys())
        clash |= self._moves.keys() & self._created.keys()
        if clash:
            path = min(clash)
            refuse("ambiguous", f"{path} is removed and edited", path)
        return [*self._deleted, *self._moves]
