"""Which paths a prompt can speak of, at a cost that does not grow with the repository.

All paths are listed once per process, for the first commit seen. For every other commit
the listing follows from the diff to that one, so it is exact whichever commit came first.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from skygit.domain.scope import Scope
from skygit.edits.permits import editable
from skygit.ports import Desk, Tree

_MOST_SCANNED = 200
"""Files looked into for markers, once per process."""
_MARKER = b"EVOLVE-BLOCK-START"
_REGULAR = frozenset({"100644", "100755"})


@dataclass(frozen=True, kw_only=True)
class Index:
    """The paths of one commit: all by folder and by name, and those that may change, sorted."""

    commit: str
    editable: tuple[str, ...]
    marked: tuple[str, ...]
    paths: tuple[str, ...]

    @cached_property
    def open(self) -> frozenset[str]:
        """The paths that may change."""
        return frozenset(self.editable)

    @cached_property
    def closed(self) -> frozenset[str]:
        """The paths that may not."""
        return frozenset(self.paths) - self.open

    @cached_property
    def by_folder(self) -> Mapping[str, Sequence[str]]:
        return _grouped(self.paths, lambda path: path.rpartition("/")[0])

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[str]]:
        return _grouped(self.paths, lambda path: path.rpartition("/")[2])

    @cached_property
    def by_stem(self) -> Mapping[str, Sequence[str]]:
        return _grouped(self.paths, lambda path: PurePosixPath(path).stem)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The files of one commit as a prompt sees them: `created` are editable paths the index lacks."""

    tree: Tree
    scope: Scope
    index: Index
    created: tuple[str, ...] = ()

    def may_change(self, path: str) -> bool:
        """Whether the scope lets this path change."""
        if path in self.index.open or path in self.index.closed:
            return path in self.index.open
        return editable(self.scope, path)

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file, None when it is none or is gone."""
        if self.tree.mode(path) not in _REGULAR:
            return None
        try:
            return self.tree.read(path)
        except KeyError:
            return None


@dataclass(slots=True)
class Shelves:
    """Makes shelves; remembers one index per scope. Safe to share between threads."""

    _indexes: dict[Scope, Index] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def shelf(self, desk: Desk, commit: str, scope: Scope) -> Shelf:
        """The files of a commit."""
        tree = desk.tree(commit)
        with self._lock:
            index = self._indexes.get(scope)
            if index is None:
                index = self._indexes[scope] = _index(tree, commit, scope)
        return Shelf(tree=tree, scope=scope, index=index, created=_created(desk, commit, scope, index))


def touched(diff: str) -> set[str]:
    """The paths a diff may be about. Too many do no harm: lines inside hunks can look like headers."""
    found: set[str] = set()
    for line in diff.splitlines():
        if line.startswith(("--- ", "+++ ", "rename from ", "rename to ", "diff --git ")):
            found.update(_named(line))
    return found


def unquoted(path: str) -> str:
    """A path as git writes it in a diff, C-quotes decoded."""
    if not (len(path) >= 2 and path.startswith('"') and path.endswith('"')):
        return path
    raw = path[1:-1].encode("utf-8", "surrogateescape").decode("latin-1")
    return raw.encode("latin-1").decode("unicode_escape").encode("latin-1").decode("utf-8", "surrogateescape")


def _index(tree: Tree, commit: str, scope: Scope) -> Index:
    paths = tuple(sorted(tree.paths()))
    heads = _literal_heads(scope.evolvable)
    open_paths = tuple(path for path in paths if path.casefold().startswith(heads) and editable(scope, path))
    scanned = open_paths[:_MOST_SCANNED]
    marked = tuple(path for path in scanned if tree.mode(path) in _REGULAR and _MARKER in tree.read(path))
    return Index(commit=commit, paths=paths, editable=open_paths, marked=marked)


def _literal_heads(globs: Iterable[str]) -> tuple[str, ...]:
    """Prefixes one of which every matching path has: spares most of a large repository the matching."""
    return tuple(_literal_head(glob) for glob in globs) or ("",)


def _literal_head(glob: str) -> str:
    if glob.startswith("!") or "/" not in glob.rstrip("/") or "\\" in glob:
        return ""
    literal = glob.lstrip("/")
    for place, letter in enumerate(literal):
        if letter in "*?[":
            return literal[:place].rpartition("/")[0].casefold()
    return literal.rstrip("/").casefold()


def _created(desk: Desk, commit: str, scope: Scope, index: Index) -> tuple[str, ...]:
    if commit == index.commit or not (scope.new_files or scope.allow_rename):
        return ()
    tree = desk.tree(commit)
    fresh = (path for path in touched(desk.diff(index.commit, commit)) if path not in index.open)
    return tuple(sorted(path for path in fresh if editable(scope, path) and tree.mode(path) in _REGULAR))


def _named(line: str) -> Iterable[str]:
    if line.startswith("diff --git "):
        both = line.removeprefix("diff --git ")
        half = len(both) // 2  # both halves are alike but for a/ and b/, unless the file was renamed
        yield from (unquoted(part)[2:] for part in (both[:half], both[half + 1 :]))
        return
    rest = line.partition(" ")[2] if line[0] in "-+" else line.removeprefix("rename from ").removeprefix("rename to ")
    path = unquoted(rest.rstrip("\t"))
    yield path[2:] if line[0] in "-+" else path


def _grouped(paths: Iterable[str], key: Callable[[str], str]) -> Mapping[str, Sequence[str]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        groups[key(path)].append(path)
    return groups
