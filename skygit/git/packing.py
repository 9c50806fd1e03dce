"""Puts what runs left loose into kept packs. Nothing of the user's is pruned, repacked or collected.

A pack holds the journal commits since the last pack, their papers and the candidates with
their trees and blobs. Its `.keep` file names what it reaches up to; objects that lie in it are
then dropped from among the loose ones, so nothing is ever in no place.
"""

import os
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skygit.domain.codec import decode
from skygit.domain.event import Started
from skygit.git.chain import read_chain, root_of
from skygit.git.command import text
from skygit.git.naming import run_of

if TYPE_CHECKING:
    from skygit.git.repository import GitRepository

_WORD: Final = "skygit"
_OPTIONS: Final = ("--revs", "--sparse", "--delta-base-offset", "--threads=1", "--quiet", "--depth=50", "--window=10")


def pack_loose(repository: "GitRepository", *, least: int = 1) -> int:
    """Pack each run's loose objects where its journal has `least` commits that are in no pack yet.

    Returns how many loose files went away.
    """
    rows = repository.refs.read("refs/skygit").items()
    return sum(_pack_run(repository, run_of(ref), tip, least) for ref, tip in rows if run_of(ref))


def packs(objects: Path, run: str) -> list[tuple[Path, str]]:
    """The run's `.keep` files, each with the journal commit its pack reaches up to."""
    found = ((keep, _words(keep)) for keep in sorted((objects / "pack").glob("pack-*.keep")))
    return [(keep, words[2]) for keep, words in found if words[:2] == [_WORD, run] and len(words) == 3]


def _words(keep: Path) -> list[str]:
    try:
        return keep.read_text(errors="replace").split()
    except FileNotFoundError:
        return []


def _pack_run(repository: "GitRepository", run: str, tip: str, least: int) -> int:
    reached = [oid for _, oid in packs(repository.place.objects, run) if _there(repository, oid)]
    if tip in reached:
        return 0
    known = reached or [oid for oid in [_base(repository, tip)] if _there(repository, oid)]
    wanted = [tip, *(f"^{oid}" for oid in known)]
    if least > 1 and int(repository.git.run("rev-list", "--first-parent", "--count", *wanted)) < least:
        return 0
    return _packed(repository, wanted, f"{_WORD} {run} {tip}\n")


def _packed(repository: "GitRepository", wanted: Sequence[str], words: str) -> int:
    folder = repository.place.objects / "pack"
    folder.mkdir(exist_ok=True)
    draft = folder / f"tmp_skygit_{os.getpid()}"
    lines = "".join(f"{line}\n" for line in wanted)
    name = text(repository.git.run("pack-objects", *_OPTIONS, str(draft), stdin=lines.encode()))
    if not name:
        return 0
    _settle(folder, f"{draft.name}-{name}", f"pack-{name}", words)
    return _drop_loose(repository, folder / f"pack-{name}.idx")


def _there(repository: "GitRepository", oid: str) -> bool:
    try:
        repository.objects.read(oid)
    except KeyError:
        return False
    return True


def _base(repository: "GitRepository", tip: str) -> str:
    """The commit the run started from: what is reachable from it is the user's."""
    root = root_of(repository.git, tip)
    first = decode(next(iter(read_chain(repository.git, root)))[1])[0]
    return first.base if isinstance(first, Started) else ""


def _settle(folder: Path, draft: str, name: str, words: str) -> None:
    """Give the pack its name. Git sees it when the index comes, so the `.keep` comes first."""
    (folder / f"{name}.keep").write_text(words)
    for suffix in (".pack", ".rev", ".idx"):
        written = folder / f"{draft}{suffix}"
        if written.exists():
            written.replace(folder / f"{name}{suffix}")


def _drop_loose(repository: "GitRepository", index: Path) -> int:
    """Remove the loose files of what lies in the pack."""
    dropped = 0
    for oid in _ids(index.read_bytes(), repository.place.id_size):
        try:
            (repository.place.objects / oid[:2] / oid[2:]).unlink()
            dropped += 1
        except FileNotFoundError:
            pass
    return dropped


def _ids(index: bytes, size: int) -> Iterator[str]:
    """The ids in a pack index of version 2: magic and version, 256 running counts, then the sorted ids."""
    (count,) = struct.unpack_from(">I", index, 8 + 255 * 4)
    start = 8 + 256 * 4
    return (index[at : at + size].hex() for at in range(start, start + count * size, size))
