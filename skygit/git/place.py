"""Where a repository lies and how it is made."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from skygit.errors import RepositoryError
from skygit.git.command import Git, GitFailed, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """`root` is the top of the working tree (of a bare repository: its folder), `git_dir` what
    belongs to this working tree, `common` what all working trees share."""

    root: Path
    git_dir: Path
    common: Path
    hash_name: str
    bare: bool
    durable: bool
    shared: bool

    @property
    def id_size(self) -> int:
        """The bytes of an object id."""
        return hashlib.new(self.hash_name, usedforsecurity=False).digest_size

    @property
    def objects(self) -> Path:
        """The object folder."""
        return self.common / "objects"


def find(folder: Path) -> Place:
    """The repository around a folder. Raises RepositoryError with one line when there is none."""
    if not folder.is_dir():
        raise RepositoryError(f"{folder} is no folder")
    git = Git(folder)
    bare = _asked(git, folder, "--is-bare-repository", "--is-inside-git-dir")
    flags = text(bare).split("\n")
    top = () if "true" in flags else ("--show-toplevel",)
    answer = _asked(git, folder, "--show-object-format", "--absolute-git-dir", "--git-common-dir", *top)
    hash_name, git_dir, common, *rest = text(answer).split("\n")
    return Place(
        root=Path(rest[0] if rest else git_dir),
        git_dir=Path(git_dir),
        common=(folder / common).resolve(),
        hash_name=hash_name,
        bare=not rest,
        durable=_setting(git, "core.fsyncObjectFiles") == "true",
        shared=_setting(git, "core.sharedRepository") in ("group", "true", "1", "all", "world", "everybody", "2"),
    )


def _asked(git: Git, folder: Path, *questions: str) -> bytes:
    try:
        return git.run("rev-parse", *questions)
    except GitFailed as error:
        raise RepositoryError(f"{folder}: {error}") from error


def _setting(git: Git, name: str) -> str:
    """A value of git's configuration in small letters, "" when it is not set."""
    try:
        return text(git.run("config", "--get", name)).lower()
    except GitFailed:
        return ""
