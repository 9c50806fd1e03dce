"""Laws of slots: overlays (mounted as a sandbox would) and folders that follow."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from skygit.git.followingslots import FollowingSlots
from skygit.git.overlayslots import OverlaySlots
from skygit.git.repository import GitRepository, open_repository
from skygit.git.session import cache_folder, shelf
from skygit.git.slots import open_slots
from skygit.ports import Repository, Slot
from skygit.testing.repositories import laid
from skygit.testing.slots import SlotsContract
from tests.git.conftest import Checkout, new_checkout

MOUNT = """
set -e
mount -t overlay overlay -o "$OPTIONS" "$FOLDER"
cd "$FOLDER"
for path in "$@"; do rm -f -- "$path"; done
eval "$SCRIPT"
"""
"""Mounts layers in a namespace of its own, removes what is to be removed, runs the script."""


def mounted(slot: Slot, script: str, namespaces: str) -> subprocess.CompletedProcess[bytes]:
    assert slot.layers is not None
    mine = "" if namespaces == "-m" else "userxattr,"
    options = f"{mine}lowerdir={slot.layers.lower},upperdir={slot.layers.upper},workdir={slot.layers.work}"
    env = {**os.environ, "OPTIONS": options, "FOLDER": slot.folder, "SCRIPT": script}
    command = ["unshare", namespaces, "sh", "-c", MOUNT, "sh", *slot.layers.removed]
    return subprocess.run(command, env=env, capture_output=True)


class _Git:
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.place = tmp_path

    def base(self, files: Mapping[str, bytes]) -> tuple[Repository, str]:
        opened = open_repository(new_checkout(self.place / "git", files=files).folder)
        return opened, opened.head()

    def options(
        self, repository: Repository, base: str, overrides: Mapping[str, bytes], include: Mapping[str, Path]
    ) -> dict[str, object]:
        cache = self.place / "cache"
        return {"repository": repository, "base": base, "overrides": overrides, "include": include, "cache": cache}


class TestFollowing(_Git, SlotsContract):
    def make(
        self,
        repository: Repository,
        base: str,
        *,
        guarded: Callable[[str], bool],
        overrides: Mapping[str, bytes],
        include: Mapping[str, Path],
    ) -> FollowingSlots:
        return FollowingSlots(guarded=guarded, **self.options(repository, base, overrides, include))  # type: ignore[arg-type]

    def run(self, slot: Slot, script: str) -> bytes:
        done = subprocess.run(["sh", "-ec", script], cwd=slot.folder, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout


class TestOverlay(_Git, SlotsContract):
    namespaces = "-Urm"

    @pytest.fixture(autouse=True)
    def _mounts(self, tmp_path: Path) -> None:
        probe = subprocess.run(["unshare", self.namespaces, "mount", "-t", "tmpfs", "x", tmp_path], capture_output=True)
        if probe.returncode:
            pytest.skip("no overlay can be mounted here")

    def make(
        self,
        repository: Repository,
        base: str,
        *,
        guarded: Callable[[str], bool],
        overrides: Mapping[str, bytes],
        include: Mapping[str, Path],
    ) -> OverlaySlots:
        return OverlaySlots(guarded=guarded, **self.options(repository, base, overrides, include))  # type: ignore[arg-type]

    def run(self, slot: Slot, script: str) -> bytes:
        done = mounted(slot, script, self.namespaces)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts without a user namespace")
class TestOverlayOfRoot(TestOverlay):
    namespaces = "-m"


@pytest.fixture(params=[True, False], ids=["overlay", "following"])
def overlays(request: pytest.FixtureRequest) -> Iterator[bool]:
    yield request.param


def ground(slot: Slot) -> Path:
    return Path(slot.layers.lower if slot.layers else slot.folder)


def test_git_reality_is_exported_as_it_is(checkout: Checkout, repository: GitRepository, overlays: bool) -> None:
    module = repository.head()
    odd = {
        "sp ace": b"1",
        "q'\"\\": b"2",
        "new\nline": b"3",
        "é": b"4",
        "\udcff": b"5",
        "empty": b"",
        "cr": b"a\r\nb\n",
    }
    checkout.write(
        {**odd, ".gitattributes": b"cr text eol=lf\nhidden export-ignore\nid export-subst ident filter=bad\n"}
    )
    checkout.write({"hidden": b"seen", "id": b"$Format:%H$ $Id$\n", "run": b"#!/bin/sh\n"})
    (checkout.folder / "run").chmod(0o755)
    (checkout.folder / "way").symlink_to("/etc/passwd")
    checkout.git("-c", "core.autocrlf=false", "add", "-A")
    checkout.git("update-index", "--add", "--cacheinfo", f"160000,{module},module")
    blob = checkout.git("hash-object", "-w", "--no-filters", "cr")
    checkout.git("update-index", "--cacheinfo", f"100644,{blob},cr")
    checkout.git("commit", "-qm", "odd")
    checkout.git("config", "core.autocrlf", "true")
    checkout.git("config", "filter.bad.smudge", "false")
    with open_slots(repository, base=repository.head(), overlays=overlays, guarded=lambda _: True).lease(
        repository.head()
    ) as slot:
        root = ground(slot)
        assert {path: (root / path).read_bytes() for path in odd} == odd
        assert (root / "hidden").read_bytes() == b"seen"
        assert (root / "id").read_bytes() == b"$Format:%H$ $Id$\n"
        assert [(root / path).stat().st_mode & 0o777 for path in ("run", "id")] == [0o755, 0o644]
        assert str((root / "way").readlink()) == "/etc/passwd"
        assert list((root / "module").iterdir()) == []
        assert not (root / ".git").exists()


def test_nothing_is_laid_through_a_link(checkout: Checkout, repository: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (checkout.folder / "way").symlink_to(tmp_path / "outside")
    base = checkout.commit({"x": b""})
    slots = open_slots(repository, base=base, overlays=False, guarded=lambda _: False)
    child = laid(repository, base, {"way": None, "way/x": b"1"})
    for commit in (child, base, child):
        with slots.lease(commit) as slot:
            assert (Path(slot.folder) / "way").is_symlink() == (commit == base)
            subprocess.run(f"rm -r src; ln -s {tmp_path}/outside src", shell=True, cwd=slot.folder, check=True)
    assert list((tmp_path / "outside").iterdir()) == []


def test_equal_files_have_equal_keys(repository: GitRepository, overlays: bool) -> None:
    base = repository.head()
    slots = open_slots(repository, base=base, overlays=overlays, guarded=lambda path: path == "src/b.py")
    one = laid(repository, base, {"src/a.py": b"2"})
    same = laid(repository, one, {"src/b.py": b"a protected file has no say"})
    other = laid(repository, base, {"src/a.py": b"3"})
    assert slots.evaluation_key(one) == slots.evaluation_key(same)
    assert len({slots.evaluation_key(commit) for commit in (base, one, other)}) == 3
    sealed = open_slots(repository, base=base, overlays=overlays, guarded=lambda _: False, overrides={"e": b""})
    assert sealed.evaluation_key(one) != slots.evaluation_key(one)


def test_slots_go_when_closed(repository: GitRepository, overlays: bool) -> None:
    slots = open_slots(repository, base=repository.head(), overlays=overlays, guarded=lambda _: True)
    place = shelf(cache_folder(), repository.common)
    with slots.lease(repository.head()):
        assert len({path.name for path in place.iterdir()} - {"bases"}) == 2
    slots.close()
    assert {path.name for path in place.iterdir()} <= {"bases"}


KILLED = """
import sys, time
from pathlib import Path
from skygit.git.repository import open_repository
from skygit.git.slots import open_slots
repository = open_repository(Path(sys.argv[1]))
slots = open_slots(repository, base=repository.head(), overlays=False, guarded=lambda _: True)
with slots.lease(repository.head()) as slot:
    (Path(slot.folder) / "closed").mkdir(mode=0)
    print(slot.folder, flush=True)
    time.sleep(60)
"""


def test_the_next_start_removes_what_a_killed_one_left(checkout: Checkout, repository: GitRepository) -> None:
    process = subprocess.Popen([sys.executable, "-c", KILLED, checkout.folder], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    left = Path(process.stdout.readline().strip())
    open_slots(repository, base=repository.head(), overlays=False, guarded=lambda _: True).close()
    assert left.exists()
    process.send_signal(signal.SIGKILL)
    process.wait()
    slots = open_slots(repository, base=repository.head(), overlays=False, guarded=lambda _: True)
    with slots.lease(repository.head()) as slot:
        assert not left.exists()
        assert len(slot.folder) == len(str(left))
    slots.close()


def test_only_the_difference_is_touched(checkout: Checkout, repository: GitRepository) -> None:
    base = repository.head()
    slots = open_slots(repository, base=base, overlays=False, guarded=lambda _: False)
    seen = []
    child = laid(repository, base, {"src/a.py": b"2"})
    for commit in (base, child, base):
        with slots.lease(commit) as slot:
            seen.append((Path(slot.folder) / "src/b.py").stat())
            assert (Path(slot.folder) / "src/a.py").read_bytes() == (b"2" if commit == child else b"a = 1\n")
    assert len({(about.st_ino, about.st_ctime_ns) for about in seen}) == 1


def test_a_change_of_equal_size_at_once_is_seen(repository: GitRepository) -> None:
    slots = open_slots(repository, base=repository.head(), overlays=False, guarded=lambda _: True)
    for turn in range(20):
        child = laid(repository, repository.head(), {"src/new.py": b"%02d" % turn})
        with slots.lease(child) as slot:
            file = Path(slot.folder) / "src/a.py"
            about = file.stat()
            file.write_bytes(b"a = 2\n")
            os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
            assert slots.tampered(slot) == ["src/a.py"]
    slots.close()
