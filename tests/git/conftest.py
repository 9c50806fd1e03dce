"""Real git in temporary folders, sealed from the settings of whoever runs the tests."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from skygit.git.repository import GitRepository, open_repository

FILES = {"README": b"hello\n", "src/a.py": b"a = 1\n", "src/b.py": b"b = 1\n", "src/deep/c.py": b"c = 1\n"}


@pytest.fixture(autouse=True)
def sealed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@dataclass(frozen=True)
class Checkout:
    """A user's repository."""

    folder: Path

    def git(self, *words: str, stdin: bytes = b"") -> str:
        names = ("-c", "user.name=User", "-c", "user.email=user@example.org")
        command = ["git", *names, *words]
        done = subprocess.run(command, cwd=self.folder, input=stdin, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

    def write(self, files: Mapping[str, bytes]) -> None:
        for path, data in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

    def commit(self, files: Mapping[str, bytes], message: str = "base") -> str:
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "--no-gpg-sign", "-m", message)
        return self.git("rev-parse", "HEAD")


def new_checkout(folder: Path, *options: str, files: Mapping[str, bytes] = FILES) -> Checkout:
    folder.mkdir(parents=True)
    checkout = Checkout(folder)
    checkout.git("init", "-q", "-b", "main", *options)
    checkout.commit(files)
    return checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return new_checkout(tmp_path / "user's code")


@pytest.fixture
def repository(checkout: Checkout) -> Iterator[GitRepository]:
    opened = open_repository(checkout.folder)
    yield opened
    opened.close()
