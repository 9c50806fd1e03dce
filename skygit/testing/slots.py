"""The laws of slots. Subclass the contract in a test module and say how yours are made and entered."""

import io
import tarfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from skygit.ports import Repository, Slot, Slots
from skygit.testing.repositories import laid

FILES = {
    "main.py": b"print(1)\n",
    "lib/a.py": b"a = 1\n",
    "lib/b.py": b"b = 1\n",
    "bench/run.py": b"score\n",
    "bench/data/x": b"x" * 10,
}
SEALED = {"evaluate.py": b"#!/bin/sh\nexit 0\n"}


def guarded(path: str) -> bool:
    """What no candidate of these tests may change: the benchmark, and tests wherever they are."""
    return path.startswith("bench/") or "/test" in path


class SlotsContract(ABC):
    """What all slots do."""

    @abstractmethod
    def base(self, files: Mapping[str, bytes]) -> tuple[Repository, str]:
        """A repository and a commit in it that has these files."""

    @abstractmethod
    def make(
        self,
        repository: Repository,
        base: str,
        *,
        guarded: Callable[[str], bool],
        overrides: Mapping[str, bytes],
        include: Mapping[str, Path],
    ) -> Slots:
        """Slots for the candidates of the base."""

    @abstractmethod
    def run(self, slot: Slot, script: str) -> bytes:
        """What a shell script prints that runs in the slot."""

    @pytest.fixture
    def made(self, tmp_path: Path) -> Iterator[tuple[Repository, str, Slots]]:
        (tmp_path / "carried" / "sub").mkdir(parents=True)
        (tmp_path / "carried" / "sub" / "data").write_bytes(b"carried\n")
        repository, base = self.base(FILES)
        include = {"store": tmp_path / "carried"}
        yield repository, base, self.make(repository, base, guarded=guarded, overrides=SEALED, include=include)

    def seen(self, slot: Slot) -> dict[str, bytes]:
        """Every file in the slot with its bytes."""
        with tarfile.open(fileobj=io.BytesIO(self.run(slot, "tar cf - ."))) as packed:
            return {entry.name[2:]: _content(packed, entry) for entry in packed if entry.isfile()}

    def test_holds_base_bundle_and_carried_files(self, made: tuple[Repository, str, Slots]) -> None:
        _, base, slots = made
        with slots.lease(base) as slot:
            assert self.seen(slot) == {**FILES, **SEALED, "store/sub/data": b"carried\n"}
            assert self.run(slot, "./evaluate.py && echo ran") == b"ran\n"

    def test_holds_the_change(self, made: tuple[Repository, str, Slots]) -> None:
        repository, base, slots = made
        child = laid(repository, base, {"main.py": b"2", "lib/a.py": None, "new/x.py": b"new"})
        with slots.lease(child) as slot:
            held = self.seen(slot)
        assert (held["main.py"], held["new/x.py"], held["lib/b.py"]) == (b"2", b"new", FILES["lib/b.py"])
        assert "lib/a.py" not in held

    def test_a_file_becomes_a_folder_and_a_folder_a_file(self, made: tuple[Repository, str, Slots]) -> None:
        repository, base, slots = made
        child = laid(repository, base, {"main.py": None, "main.py/x": b"x"})
        other = laid(repository, base, {"lib/a.py": None, "lib/b.py": None, "lib": b"file"})
        for commit, path, data in ((child, "main.py/x", b"x"), (other, "lib", b"file"), (child, "main.py/x", b"x")):
            with slots.lease(commit) as slot:
                assert self.seen(slot)[path] == data
        with slots.lease(base) as slot:
            assert self.seen(slot).keys() == {*FILES, *SEALED, "store/sub/data"}

    def test_nothing_protected_comes_from_a_candidate(self, made: tuple[Repository, str, Slots]) -> None:
        repository, base, slots = made
        child = laid(
            repository,
            base,
            {
                "bench/run.py": b"cheat",
                "bench/data/x": None,
                "bench/more.py": b"added",
                "evaluate.py": b"cheat",
                "lib/tests.py": b"added",
                "store/sub/data": b"cheat",
            },
        )
        with slots.lease(child) as slot:
            assert self.seen(slot) == {**FILES, **SEALED, "store/sub/data": b"carried\n"}

    def test_a_file_cannot_hide_protected_ones(self, made: tuple[Repository, str, Slots]) -> None:
        repository, base, slots = made
        child = laid(repository, base, {"bench/run.py": None, "bench/data/x": None, "bench": b"a file"})
        with slots.lease(child) as slot:
            assert self.seen(slot)["bench/run.py"] == FILES["bench/run.py"]

    def test_no_trace_of_a_run_is_left(self, made: tuple[Repository, str, Slots]) -> None:
        repository, base, slots = made
        child = laid(repository, base, {"main.py": b"2"})
        wreck = "echo x > main.py; rm -r lib; mkdir -p lib/c; echo y > lib/c/d; ln -s /etc bench/link; chmod 0 store"
        with slots.lease(child) as slot:
            self.run(slot, wreck)
        for commit, main in ((child, b"2"), (base, FILES["main.py"])):
            with slots.lease(commit) as slot:
                assert self.seen(slot) == {**FILES, **SEALED, "main.py": main, "store/sub/data": b"carried\n"}
                assert self.run(slot, "find . -type l; find . -name c") == b""

    def test_leases_at_one_time_are_apart(self, made: tuple[Repository, str, Slots]) -> None:
        repository, base, slots = made
        child = laid(repository, base, {"main.py": b"2"})
        with slots.lease(base) as one, slots.lease(child) as two:
            self.run(one, "echo x > lib/a.py")
            assert len(one.folder) == len(two.folder)
            assert (self.run(two, "cat main.py"), self.run(two, "cat lib/a.py")) == (b"2", FILES["lib/a.py"])

    def test_honest_work_is_no_tampering(self, made: tuple[Repository, str, Slots]) -> None:
        repository, base, slots = made
        child = laid(repository, base, {"main.py": b"2", "lib/a.py": None})
        script = (
            "echo x > main.py; rm lib/b.py; echo y > out; touch bench/run.py; chmod +x bench/run.py; mkdir -p bench/o"
        )
        with slots.lease(child) as slot:
            self.run(slot, script)
            assert list(slots.tampered(slot)) == []

    @pytest.mark.parametrize(
        ("script", "paths"),
        [
            ("echo x > bench/run.py", ["bench/run.py"]),
            ("printf 'Score\\n' > bench/run.py; touch -d @0 bench/run.py", ["bench/run.py"]),
            ("printf 'SCORE\\n' > t; touch -r bench/run.py t; cat t > bench/run.py", ["bench/run.py"]),
            ("rm evaluate.py", ["evaluate.py"]),
            ("mv bench/run.py bench/gone", ["bench/run.py"]),
            ("rm -r bench/data", ["bench/data/x"]),
            ("rm -r bench; mkdir bench", ["bench/data/x", "bench/run.py"]),
            ("rm -r bench; mkdir -p bench/data; echo x > bench/data/x", ["bench/data/x", "bench/run.py"]),
            ("rm -r bench; echo > bench", ["bench/data/x", "bench/run.py"]),
            ("cp -r bench ../copy; rm -r bench; ln -s ../copy bench", ["bench/data/x", "bench/run.py"]),
            ("rm bench/run.py; printf 'score\\n' > t; ln -s ../t bench/run.py", ["bench/run.py"]),
            ("rm bench/run.py; mkdir bench/run.py", ["bench/run.py"]),
            ("rm bench/run.py; ln -s 'score\n' bench/run.py", ["bench/run.py"]),
            ("rm bench/run.py; mkfifo bench/run.py", ["bench/run.py"]),
            ("echo x > bench/data/x; chmod 0 bench/data/x bench/data", ["bench/data/x"]),
        ],
    )
    def test_tampering_is_seen(self, made: tuple[Repository, str, Slots], script: str, paths: list[str]) -> None:
        repository, base, slots = made
        child = laid(repository, base, {"main.py": b"2"})
        with slots.lease(child) as slot:
            assert list(slots.tampered(slot)) == []
            self.run(slot, script)
            assert list(slots.tampered(slot)) == paths
        with slots.lease(child) as slot:
            assert list(slots.tampered(slot)) == []
            assert self.seen(slot)["bench/run.py"] == FILES["bench/run.py"]


def _content(packed: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    file = packed.extractfile(entry)
    assert file is not None
    return file.read()
