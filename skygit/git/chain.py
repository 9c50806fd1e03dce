"""Reads a chain of journal commits as one stream."""

from collections.abc import Iterator
from typing import Final

from skygit.errors import RepositoryError
from skygit.git.command import Git, text

TRAILER: Final = "Skygit-Events"
_MARK: Final = f"\n    {TRAILER}: ".encode()
_CHUNK: Final = 1 << 18


def read_chain(git: Git, tip: str) -> Iterator[tuple[str, bytes]]:
    """Each commit from the first to `tip` with its events as JSON."""
    for record in _records(git, "rev-list", "--first-parent", "--reverse", "--header", tip):
        oid = record.partition(b"\n")[0].decode()
        start = record.rfind(_MARK)
        if start < 0:
            raise RepositoryError(f"{oid} is in the journal but holds no events")
        start += len(_MARK)
        yield oid, record[start : record.find(b"\n", start)]


def root_of(git: Git, tip: str) -> str:
    """The first commit of the chain."""
    return text(git.run("rev-list", "--first-parent", "--max-parents=0", tip)).split("\n")[-1]


def _records(git: Git, *command: str) -> Iterator[bytes]:
    """What the command prints, cut at NUL bytes, while it is printed."""
    running = git.start(*command)
    running.stdin.close()
    rest = b""
    while chunk := running.stdout.read(_CHUNK):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if running.owner.proc.wait():
        raise RepositoryError(text(running.stderr.read()) or "the journal cannot be read")
