"""The checkout as it is now, as a commit: what `--include-dirty` evolves from."""

import os
import stat
from pathlib import Path

from skygit.domain.draft import Change, Draft, Mode
from skygit.errors import UserError
from skygit.git.command import Git
from skygit.git.repository import GitRepository
from skygit.git.treeobject import decode


def snapshot(repository: GitRepository) -> str:
    """HEAD with all uncommitted changes, ignored files left out; HEAD itself when there are none.

    The same checkout gives the same commit. No index is touched and no filter is run.
    """
    head = repository.head()
    changes = tuple(sorted(_changes(repository.root), key=lambda change: change.path))
    if not changes:
        return head
    tree = repository.write_tree(head, Draft(changes=changes))
    if tree == repository.tree_id(head):
        return head
    return repository.commit(tree, [head], "uncommitted changes\n", clock=0)


def _changes(root: Path) -> list[Change]:
    listed = Git(root).run("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
    paths = [decode(entry[3:]) for entry in listed.split(b"\0") if entry]
    return [change for path in paths if (change := _change(root, path)) is not None]


def _change(root: Path, path: str) -> Change | None:
    try:
        found = os.lstat(root / path)
    except FileNotFoundError:
        return Change(path=path, content=None)
    if stat.S_ISDIR(found.st_mode):
        return None  # a submodule: its commit is the base's
    if not stat.S_ISREG(found.st_mode):
        raise UserError(f"{path} is no plain file, so --include-dirty cannot take it: commit it first")
    mode: Mode = "100755" if found.st_mode & 0o111 else "100644"
    return Change(path=path, content=(root / path).read_bytes(), mode=mode)
