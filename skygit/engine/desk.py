"""What lies before a proposer: files, diffs and the memory of the trees made so far."""

from collections.abc import Container

from skygit.domain.draft import FILES, Draft
from skygit.edits.canonical import unified
from skygit.ports import Repository, Syntax, Tree

SMALL = 200_000
"""Bytes of both sides above which a difference is left to git."""


class RunDesk:
    """Implements `ports.Desk` over a repository. `trees` are the tree ids of the run."""

    def __init__(self, repository: Repository, syntax: Syntax, trees: Container[str]) -> None:
        self._repository = repository
        self._trees = trees
        self._written: dict[tuple[str, Draft], str] = {}
        self.syntax = syntax

    def tree(self, commit: str) -> Tree:
        return self._repository.tree(commit)

    def diff(self, old: str, new: str) -> str:
        """Written here when the files are small: that costs less than asking git."""
        before, after = self.tree(old), self.tree(new)
        pairs = [(path, _text(before, path), _text(after, path)) for path in self._repository.changed(old, new)]
        if sum(len(data or b"") for _, *both in pairs for data in both) > SMALL:
            return self._repository.diff(old, new)
        return "".join(unified(one, other, path) for path, one, other in pairs)

    def known(self, parent: str, draft: Draft) -> bool:
        return self.tree_of(parent, draft) in self._trees

    def tree_of(self, parent: str, draft: Draft) -> str:
        """The id of the tree that the draft gives, written once."""
        key = (parent, draft)
        if key not in self._written:
            self._written[key] = self._repository.write_tree(parent, draft)
        return self._written[key]


def _text(tree: Tree, path: str) -> bytes | None:
    return tree.read(path) if tree.mode(path) in FILES else None
