"""A git repository as skygit uses it: objects in, objects out; no index, working tree or hook."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from skygit.domain.draft import Draft
from skygit.errors import RepositoryError
from skygit.git.command import Git, GitFailed, text
from skygit.git.commitobject import CommitInfo, commit_bytes
from skygit.git.commits import CommitReader
from skygit.git.difference import difference
from skygit.git.grafting import Grafter
from skygit.git.listing import Lister
from skygit.git.packing import pack_loose
from skygit.git.place import Place, find
from skygit.git.reader import ObjectReader
from skygit.git.recent import Recent
from skygit.git.refs import RefWriter
from skygit.git.tree import GitTree
from skygit.git.treeobject import TreeReader, decode
from skygit.git.writer import ObjectWriter

_WORTH_PACKING: Final = 120
"""Appends to a journal since its last pack (of about four objects each) below which a pack is not worth its time."""

_ABBREVIATED: Final = b"index "
"""Header lines whose length depends on how full the repository is; no line of a body begins so."""


def open_repository(folder: Path) -> "GitRepository":
    """The repository around a folder (a subfolder, a linked worktree and a bare one will do).

    Raises RepositoryError, one line, when there is none that this git can read.
    """
    return GitRepository(find(folder))


class GitRepository:
    """Implements `ports.Repository`. Safe to use from several threads.

    `git` is the door to git commands, `objects` reads objects, `writer` writes them,
    `refs` moves refs, `trees` parses folders; the rest of `skygit.git` builds on these.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.git = Git(place.git_dir, git_dir=place.git_dir)
        self.objects = ObjectReader(self.git)
        self.writer = ObjectWriter(place.objects, place.hash_name, durable=place.durable, shared=place.shared)
        self.refs = RefWriter(self.git)
        self.trees = TreeReader(self.objects, place.id_size)
        self._grafter = Grafter(trees=self.trees, writer=self.writer, objects=self.objects)
        self._lister = Lister(self.git, self.trees)
        self._commits = CommitReader(self.objects)
        self._files: Recent[str, GitTree] = Recent(200)

    @property
    def root(self) -> Path:
        """The top of the working tree; of a bare repository, its folder."""
        return self.place.root

    @property
    def common(self) -> Path:
        """The git folder that all working trees share."""
        return self.place.common

    def head(self) -> str:
        """The commit that is checked out. Raises RepositoryError before the first commit."""
        try:
            return self.resolve("HEAD")
        except RepositoryError as error:
            raise RepositoryError(f"{self.root} has no commit yet: commit something first") from error

    def resolve(self, name: str) -> str:
        """The commit that a name, abbreviation or expression stands for. Raises RepositoryError."""
        try:
            return text(self.git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"))
        except GitFailed as error:
            raise RepositoryError(f"{name} names no commit in {self.root}") from error

    def uncommitted(self) -> Sequence[str]:
        """The paths that differ from HEAD, untracked ones included and ignored ones not."""
        if self.place.bare:
            return ()
        listed = Git(self.root).run("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
        return tuple(decode(entry[3:]) for entry in listed.split(b"\0") if entry)

    def commit_info(self, commit: str) -> CommitInfo:
        """What a commit says. Raises RepositoryError when there is no such commit."""
        return self._commits.info(commit)

    def tree(self, commit: str) -> GitTree:
        """The files of a commit."""
        tree = self.tree_id(commit)
        known = self._files.get(tree)
        if known is None:
            known = GitTree(id=tree, objects=self.objects, trees=self.trees, lister=self._lister)
            self._files.put(tree, known, 1)
        return known

    def tree_id(self, commit: str) -> str:
        """The id of a commit's tree."""
        return self.commit_info(commit).tree

    def write_tree(self, parent: str, draft: Draft) -> str:
        """The id of the tree that a draft on a commit gives. Raises ValueError for paths in conflict."""
        return self._grafter.graft(self.tree_id(parent), draft)

    def commit(self, tree: str, parents: Sequence[str], message: str, *, clock: int) -> str:
        """Write a commit dated `clock` seconds after the run's base."""
        date = (self._commits.origin(parents[0]) if parents else 0) + clock
        data = commit_bytes(tree, parents, message, date)
        commit = self.writer.write("commit", data)
        self._commits.remember(commit, data)
        return commit

    def diff(self, old: str, new: str) -> str:
        """The unified diff between two commits; attributes and filters of working files have no say."""
        options = ("-r", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv")
        prefixes = ("--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=histogram", "--unified=3")
        lines = self.git.run("diff-tree", *options, *prefixes, old, new).split(b"\n")
        return decode(b"\n".join(line for line in lines if not line.startswith(_ABBREVIATED)))

    def changed(self, old: str, new: str) -> Sequence[str]:
        """The paths that differ between two commits, sorted."""
        return sorted(path for path, _, _ in difference(self.trees, self.tree_id(old), self.tree_id(new)))

    def pack(self) -> None:
        """Pack what runs left loose, in this session or before, where it is enough."""
        pack_loose(self, least=_WORTH_PACKING)

    def close(self) -> None:
        """Pack what was written, when it is enough, and end the helper processes. They start again when needed."""
        if self.writer.written:
            self.pack()
        self.objects.close()
        self.refs.close()
