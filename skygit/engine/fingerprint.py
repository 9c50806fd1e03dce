"""A fixed-size summary of what a lineage wrote, kept in the events.

Each new line is hashed to a position and a mark; a position keeps its largest mark (a
one-permutation min-hash, Li, Owen and Zhang 2012). Two candidates of one lineage differ in
few positions, strangers in nearly all.
"""

import hashlib

from skygit.domain.candidate import Candidate
from skygit.domain.draft import Change, Draft
from skygit.ports import Tree

SIZE = 16
"""Positions of a fingerprint."""


def fingerprint(draft: Draft, parent: Candidate, files: Tree) -> tuple[int, ...]:
    """The parent's fingerprint with the lines that the draft adds. `files` are the parent's."""
    marks = list(parent.sketch) or [0] * SIZE
    for change in draft.changes:
        for line in _added(change, files):
            place, mark = _hash(change.path, line)
            marks[place] = max(marks[place], mark)
    return tuple(marks)


def _added(change: Change, files: Tree) -> set[bytes]:
    new = set((change.content or b"").split(b"\n"))
    old = files.read(change.path) if files.mode(change.path) else b""
    return new - set(old.split(b"\n"))


def _hash(path: str, line: bytes) -> tuple[int, int]:
    name = path.encode("utf-8", "surrogateescape")
    digest = hashlib.blake2b(name + b"\0" + line.strip(), digest_size=5).digest()
    return digest[0] % SIZE, int.from_bytes(digest[1:], "big")
