"""Commit objects as values. Written ones repeat bit for bit: fixed author, given date, +0000."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

AUTHOR: Final = "skygit <skygit@localhost>"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitInfo:
    """A commit. `date` is the committer's, in Unix seconds; `message` is decoded with replacement."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author: str
    date: int
    message: str

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.partition("\n")[0]


def commit_bytes(tree: str, parents: Sequence[str], message: str, date: int) -> bytes:
    """The bytes of a commit object. Raises ValueError when the message has a NUL."""
    if "\0" in message:
        raise ValueError("a commit message cannot hold a NUL")
    head = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    head += [f"author {AUTHOR} {date} +0000", f"committer {AUTHOR} {date} +0000"]
    body = message if message.endswith("\n") else message + "\n"
    return "\n".join([*head, "", body]).encode("utf-8", "replace")


def parse_commit(oid: str, data: bytes) -> CommitInfo:
    """The commit in an object's bytes."""
    head, _, message = data.partition(b"\n\n")
    fields: dict[bytes, list[bytes]] = {}
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        if name:
            fields.setdefault(name, []).append(value)
    return CommitInfo(
        id=oid,
        tree=fields[b"tree"][0].decode(),
        parents=tuple(parent.decode() for parent in fields.get(b"parent", [])),
        author=fields[b"author"][0].rpartition(b"> ")[0].decode("utf-8", "replace") + ">",
        date=int(fields[b"committer"][0].rsplit(b" ", 2)[1]),
        message=message.decode("utf-8", "replace"),
    )
