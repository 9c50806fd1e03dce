"""A journal and commits in memory; the journal can die in the middle of an append."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from skygit.domain.draft import Draft
from skygit.ports import (
    Entry,
    Recorded,
)


class Killed(BaseException):
    """The process died here. Nothing may catch it."""


@dataclass(slots=True)
class MemoryJournal:
    """A journal in a list. `crash_at` counts appends from 1; `after` dies once it is written."""

    crash_at: int = 0
    after: bool = False
    appends: int = 0
    recorded: list[Recorded] = field(default_factory=list)
    papers: dict[tuple[str, str], bytes] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    refs: dict[str, str] = field(default_factory=dict)

    def events(self) -> Sequence[Recorded]:
        return tuple(self.recorded)

    def append(
        self, entries: Sequence[Entry], *, keep: Sequence[str] = (), refs: Mapping[str, str] | None = None
    ) -> str:
        self.appends += 1
        if self.appends == self.crash_at and not self.after:
            raise Killed
        at = _digest(f"journal {len(self.recorded)}")
        for entry in entries:
            for name, data in entry.papers.items():
                if (at, name) in self.papers:
                    raise ValueError(f"two entries have a paper {name}")
                self.papers[at, name] = data
            self.recorded.append(Recorded(event=entry.event, at=at))
        self.kept += keep
        self.refs |= refs or {}
        if self.appends == self.crash_at:
            raise Killed
        return at

    def paper(self, at: str, name: str) -> bytes:
        return self.papers[at, name]


@dataclass(frozen=True, slots=True)
class MemoryTree:
    """Files in a dict."""

    files: Mapping[str, bytes]

    def paths(self) -> Collection[str]:
        return self.files.keys()

    def mode(self, path: str) -> str | None:
        return "100644" if path in self.files else None

    def read(self, path: str) -> bytes:
        return self.files[path]


class MemoryRepository:
    """Commits in a dict, ids by content."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._trees: dict[str, dict[str, bytes]] = {}
        self._commits: dict[str, str] = {}
        self.base = self._commit_of(self._tree_of(dict(files)), "base")

    def tree(self, commit: str) -> MemoryTree:
        return MemoryTree(self._trees[self._commits[commit]])

    def tree_id(self, commit: str) -> str:
        return self._commits[commit]

    def write_tree(self, parent: str, draft: Draft) -> str:
        files = dict(self._trees[self._commits[parent]])
        for change in draft.changes:
            if change.content is None:
                del files[change.path]
            else:
                files[change.path] = change.content
        return self._tree_of(files)

    def commit(self, tree: str, parents: Sequence[str], message: str, *, clock: int) -> str:
        return self._commit_of(tree, f"{list(parents)} {message} {clock}")

    def diff(self, old: str, new: str) -> str:
        return "".join(f"--- a/{path}\n+++ b/{path}\n" for path in self.changed(old, new))

    def changed(self, old: str, new: str) -> Sequence[str]:
        before, after = self.tree(old).files, self.tree(new).files
        return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))

    def pack(self) -> None:
        """There is nothing to pack."""

    def _tree_of(self, files: dict[str, bytes]) -> str:
        tree = _digest(repr(sorted(files.items())))
        self._trees[tree] = files
        return tree

    def _commit_of(self, tree: str, text: str) -> str:
        commit = _digest(f"{tree} {text}")
        self._commits[commit] = tree
        return commit


def _digest(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
