"""On a full disk what was paid for is still written."""

import os
import subprocess
from pathlib import Path

import pytest

from skygit.domain.event import SCHEMA, Replied, Started
from skygit.errors import DiskFull
from skygit.git.journal import create, open_journal
from skygit.git.repository import open_repository
from skygit.ports import Entry

STARTED = Started(schema=SCHEMA, run="r", base="0" * 40, seed=0, settings={})


@pytest.fixture
def small_disk(tmp_path: Path):
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> None:
    """Write until nothing fits any more."""
    handle = os.open(folder / "fill", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        while os.write(handle, b"x" * 4096):
            pass
    except OSError:
        os.close(handle)


def test_a_reply_is_kept_when_the_disk_is_full(small_disk: Path) -> None:
    folder = small_disk / "repository"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    repository = open_repository(folder)
    journal = create(repository, "r")
    journal.append([Entry(event=STARTED)])
    (repository.common / "skygit" / "r").mkdir(parents=True)
    reply = os.urandom(200_000).hex().encode()
    entry = Entry(event=Replied(ticket=1, ordinal=1, model="m", digest="d"), papers={"reply.md": reply})
    with journal.ballast:
        fill(small_disk)
        at = journal.append([entry])
        fill(small_disk)
        with pytest.raises(DiskFull):
            journal.append([Entry(event=entry.event, papers={"reply.md": reply[::-1]})])
    (small_disk / "fill").unlink()
    again = open_journal(open_repository(folder), "r")
    assert [type(item.event) for item in again.events()] == [Started, Replied]
    assert again.paper(at, "reply.md") == reply
