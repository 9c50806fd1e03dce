"""Laws of the export that sessions share: used again while whole and untouched, else made again."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from skygit.git.bases import Bases
from skygit.git.clean import clean
from skygit.git.overlayslots import OverlaySlots
from skygit.git.repository import GitRepository
from skygit.git.session import cache_folder, shelf
from tests.git.conftest import FILES, Checkout
from tests.git.test_journal import begun


def opened(repository: GitRepository, **options: Mapping[str, object]) -> OverlaySlots:
    place = cache_folder()
    return OverlaySlots(repository=repository, base=repository.head(), guarded=lambda _: True, cache=place, **options)  # type: ignore[arg-type]


def lower(slots: OverlaySlots, repository: GitRepository) -> Path:
    with slots.lease(repository.head()) as slot:
        assert slot.layers is not None
        return Path(slot.layers.lower)


def session(repository: GitRepository, **options: Mapping[str, object]) -> Path:
    """Where a session of its own had its export."""
    slots = opened(repository, **options)
    found = lower(slots, repository)
    slots.close()
    return found


def files(root: Path) -> dict[str, bytes]:
    return {str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*") if file.is_file()}


def kept(repository: GitRepository) -> set[Path]:
    return {place for place in (shelf(cache_folder(), repository.common) / "bases").glob("*-*") if place.is_dir()}


def test_the_next_session_uses_the_same_files(repository: GitRepository) -> None:
    first = session(repository)
    before = (first / "src/a.py").stat()
    again = session(repository)
    after = (again / "src/a.py").stat()
    assert (again, before.st_ino, before.st_ctime_ns) == (first, after.st_ino, after.st_ctime_ns)
    assert files(again) == FILES


def put_back(root: Path) -> None:
    """Other bytes of the same length, with the old times."""
    file = root / "src/a.py"
    about = file.stat()
    file.write_bytes(b"a = 2\n")
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))


def swapped(root: Path) -> None:
    (root / "src/b.py").rename(root / "kept")
    (root / "src/a.py").rename(root / "src/b.py")
    (root / "kept").rename(root / "src/a.py")


def linked(root: Path) -> None:
    os.link(root / "src/a.py", root.parent / "outside")


TOUCHED: Mapping[str, Callable[[Path], object]] = {
    "poisoned": put_back,
    "extra": lambda root: (root / "src/deep/sitecustomize.py").write_bytes(b""),
    "extra in the top": lambda root: (root / "conftest.py").write_bytes(b""),
    "extra folder": lambda root: (root / "src/new").mkdir(),
    "missing": lambda root: (root / "src/b.py").unlink(),
    "mode": lambda root: (root / "src/b.py").chmod(0o755),
    "swapped": swapped,
    "linked": linked,
    "no seal": lambda root: (root.parent / "seal").unlink(),
    "odd seal": lambda root: (root.parent / "seal").write_bytes(b"\xff"),
    "all gone": lambda root: root.rename(root.parent / "elsewhere"),
}


@pytest.mark.parametrize("how", TOUCHED)
def test_what_was_touched_is_exported_again(repository: GitRepository, how: str) -> None:
    first = session(repository)
    TOUCHED[how](first)
    again = session(repository)
    assert again != first and not first.exists()
    assert files(again) == FILES
    assert session(repository) == again


def test_a_change_right_after_the_export_is_seen(tmp_path: Path) -> None:
    """The kernel's clock for files ticks slowly: what changes within a tick would look untouched."""

    def make(folder: Path) -> None:
        (folder / "src").mkdir(parents=True)
        (folder / "src/a.py").write_bytes(b"a = 1\n")

    for _ in range(20):
        base = Bases(tmp_path).take("0" * 16, make)
        assert (base.folder / "src/a.py").read_bytes() == b"a = 1\n"
        put_back(base.folder)
        base.release()


def test_other_grounds_have_other_exports(checkout: Checkout, repository: GitRepository, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.write_bytes(b"1")
    plain = session(repository)
    ways = [session(repository, overrides={"e": b"1"}), session(repository, overrides={"e": b"2"})]
    ways.append(session(repository, include={"data": data}))
    data.write_bytes(b"12")
    ways.append(session(repository, include={"data": data}))
    data.chmod(0o755)
    ways.append(session(repository, include={"data": data}))
    checkout.commit({"src/a.py": b"new"})
    ways.append(session(repository))
    assert len({plain, *ways}) == 7
    assert {len(str(way)) for way in ways} == {len(str(plain))}
    assert files(ways[-1]) == {**FILES, "src/a.py": b"new"}


def test_the_two_used_last_stay_and_those_in_use(repository: GitRepository) -> None:
    holding = opened(repository, overrides={"e": b"held"})
    held = lower(holding, repository).parent
    one, two = (session(repository, overrides={"e": text}).parent for text in (b"1", b"2"))
    assert session(repository, overrides={"e": b"1"}).parent == one
    three = session(repository, overrides={"e": b"3"}).parent
    assert kept(repository) == {one, three, held}
    assert not two.exists()
    holding.close()
    holding.close()
    four = session(repository, overrides={"e": b"4"}).parent
    assert kept(repository) == {three, four}


def test_one_touched_in_use_is_left_to_its_users(repository: GitRepository) -> None:
    first = opened(repository)
    place = lower(first, repository)
    put_back(place)
    again = session(repository)
    assert again != place and place.exists()
    assert files(again) == FILES
    first.close()
    assert session(repository) == again
    assert not place.exists()


def test_an_export_that_fails_leaves_nothing(repository: GitRepository, tmp_path: Path) -> None:
    def broken(folder: Path) -> None:
        folder.mkdir()
        (folder / "half").touch()
        raise OSError("no space left")

    bases = Bases(tmp_path / "shelf")
    with pytest.raises(OSError, match="no space"):
        bases.take("0" * 16, broken)
    assert [path.name for path in (tmp_path / "shelf/bases").iterdir()] == ["lock"]


MAKER = """
import sys, time
from pathlib import Path
from skygit.git.bases import Bases

def make(folder):
    folder.mkdir()
    (folder / "one").write_text("1")
    print("begun", flush=True)
    time.sleep(float(sys.argv[2]))
    (folder / "two").write_text("2")

base = Bases(Path(sys.argv[1])).take("0" * 16, make)
print(base.folder, flush=True)
"""


def maker(place: Path, seconds: float) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", MAKER, str(place), str(seconds)], stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_one_half_made_when_its_maker_was_killed_is_made_again(tmp_path: Path) -> None:
    killed = maker(tmp_path, 60)
    assert said(killed) == "begun"
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    again = maker(tmp_path, 0)
    assert said(again) == "begun"
    assert files(Path(said(again))) == {"one": b"1", "two": b"2"}
    again.wait()
    assert len([place for place in (tmp_path / "bases").iterdir() if place.is_dir()]) == 1


def test_two_sessions_at_once_make_one(tmp_path: Path) -> None:
    both = [maker(tmp_path, 0.5) for _ in range(2)]
    lines = [process.communicate(timeout=20)[0].split() for process in both]
    assert sorted(map(len, lines)) == [1, 2]
    assert len({line[-1] for line in lines}) == 1
    assert files(Path(lines[0][-1])) == {"one": b"1", "two": b"2"}


def test_who_waited_while_all_was_removed_begins_anew(tmp_path: Path) -> None:
    bases = tmp_path / "bases"
    bases.mkdir()
    with (bases / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = maker(tmp_path, 0)
        deadline = time.monotonic() + 10
        while f" {waiting.pid} " not in Path("/proc/locks").read_text() and time.monotonic() < deadline:
            time.sleep(0.01)
        shutil.rmtree(bases)
    assert files(Path(waiting.communicate(timeout=20)[0].split()[-1])) == {"one": b"1", "two": b"2"}
    assert (bases / "lock").exists()


def test_they_go_with_the_last_run(repository: GitRepository) -> None:
    begun(repository, "one")
    begun(repository, "two")
    session(repository)
    clean(repository, "one")
    assert len(kept(repository)) == 1
    assert "removed 1 kept exports" in clean(repository, "two")
    assert not shelf(cache_folder(), repository.common).exists()


def test_cleaning_leaves_one_in_use(repository: GitRepository) -> None:
    begun(repository, "one")
    slots = opened(repository)
    place = lower(slots, repository)
    clean(repository, "one")
    assert files(place) == FILES
    slots.close()
