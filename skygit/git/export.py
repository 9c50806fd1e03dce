"""The ground of all evaluation trees as a folder: straight from git's objects, no filter, no attribute."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skygit.errors import RepositoryError
from skygit.git.command import Git, Running
from skygit.git.evaluationtree import EvaluationTree, Laid, Plan
from skygit.git.laying import carry, lay
from skygit.git.treeobject import SUBMODULE, decode

_AT_ONCE: Final = 256
"""Blobs asked for in one breath: their names fit into a pipe, so nobody waits for anybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    mode: bytes
    oid: bytes
    path: str


def export(tree: EvaluationTree, folder: Path) -> None:
    """Write the ground into a folder, which must not be there yet. Raises RepositoryError for a missing blob."""
    folder.mkdir(parents=True)
    root = str(folder)
    files = [file for file in _listed(tree.repository.git, tree.base) if file.path not in tree.overrides]
    _lay_base(tree.repository.git, root, files)
    bare = Plan(commit=tree.base, laid={}, removed=frozenset())
    for path in tree.overrides:
        lay(root, path, tree.original(bare, path))
    for path, source in tree.include.items():
        carry(root, path, source)


def _listed(git: Git, commit: str) -> Iterator[_File]:
    for line in git.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]:
        about, _, path = line.partition(b"\t")
        mode, _, oid = about.split(b" ")
        if b".git" not in path.lower().split(b"/"):
            yield _File(mode=mode, oid=oid, path=decode(path))


def _lay_base(git: Git, root: str, files: Sequence[_File]) -> None:
    for file in files:
        if file.mode == SUBMODULE:
            lay(root, file.path, Laid(mode=file.mode, data=b""))
    blobs = [file for file in files if file.mode != SUBMODULE]
    running = git.start("cat-file", "--batch")
    for start in range(0, len(blobs), _AT_ONCE):
        some = blobs[start : start + _AT_ONCE]
        running.stdin.write(b"".join(file.oid + b"\n" for file in some))
        running.stdin.flush()
        for file in some:
            lay(root, file.path, Laid(mode=file.mode, data=_next(running, file)))
    running.close()


def _next(running: Running, file: _File) -> bytes:
    words = running.stdout.readline().split()
    if len(words) != 3:
        raise RepositoryError(f"the content of {file.path} is missing from the repository")
    return running.stdout.read(int(words[2]) + 1)[:-1]
