"""The checkout as it is now, as a commit: what `--include-dirty` evolves from."""

import os
import stat
from collections.abc import Collection
from pathlib import Path

from skygit.domain.draft import Change, Draft, Mode
from skygit.errors import UserError
from skygit.git.repository import GitRepository


def snapshot(repository: GitRepository, leave: Collection[str] = ()) -> str:
    """HEAD with all uncommitted changes but those to leave; HEAD itself when there are none.

    The same checkout gives the same commit. No index is touched and no filter is run.
    """
    head = repository.head()
    paths = sorted(set(repository.uncommitted()) - set(leave))
    changes = tuple(change for path in paths if (change := _change(repository.root, path)) is not None)
    if not changes:
        return head
    tree = repository.write_tree(head, Draft(changes=changes))
    if tree == repository.tree_id(head):
        return head
    return repository.commit(tree, [head], "uncommitted changes\n", clock=0)


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
