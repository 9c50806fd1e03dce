"""The files of one commit."""

from collections.abc import Collection
from dataclasses import dataclass, field

from skygit.git.listing import Lister
from skygit.git.reader import ObjectReader
from skygit.git.treeobject import FOLDER, SUBMODULE, Item, TreeReader


@dataclass(frozen=True, slots=True, kw_only=True)
class GitTree:
    """A tree read when asked. Implements `ports.Tree`."""

    id: str
    objects: ObjectReader
    trees: TreeReader
    lister: Lister
    _found: dict[str, Item | None] = field(default_factory=dict, repr=False, compare=False)

    def paths(self) -> Collection[str]:
        """Every file, link and submodule, sorted; the list is shared between like trees."""
        return self.lister.paths(self.id)

    def mode(self, path: str) -> str | None:
        """The six digits of the mode, None when nothing is there."""
        item = self._find(path)
        return None if item is None else item[0].decode().zfill(6)

    def read(self, path: str) -> bytes:
        """The bytes of a file, the target of a link. Raises KeyError for what is neither."""
        item = self._find(path)
        if item is None or item[0] in (FOLDER, SUBMODULE):
            raise KeyError(path)
        return self.objects.read(item[1].hex())[1]

    def _find(self, path: str) -> Item | None:
        if path not in self._found:
            self._found[path] = self.trees.find(self.id, path)
        return self._found[path]
