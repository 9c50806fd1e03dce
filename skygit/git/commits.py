"""Commits as they are read and remembered, and the date their run counts from."""

from skygit.errors import RepositoryError
from skygit.git.commitobject import AUTHOR, CommitInfo, parse_commit
from skygit.git.reader import ObjectReader
from skygit.git.recent import Recent


class CommitReader:
    """Commits by id. Safe to use from several threads."""

    def __init__(self, objects: ObjectReader) -> None:
        self._objects = objects
        self._recent: Recent[str, CommitInfo] = Recent(2000)
        self._origins: Recent[str, int] = Recent(20_000)

    def info(self, commit: str) -> CommitInfo:
        """What a commit says. Raises RepositoryError when there is no such commit."""
        known = self._recent.get(commit)
        if known is not None:
            return known
        try:
            kind, data = self._objects.read(commit)
        except KeyError as error:
            raise RepositoryError(f"there is no commit {commit} in the repository") from error
        if kind != "commit":
            raise RepositoryError(f"{commit} is a {kind}, not a commit")
        return self.remember(commit, data)

    def remember(self, commit: str, data: bytes) -> CommitInfo:
        """Spare the reading of a commit whose bytes are at hand."""
        info = parse_commit(commit, data)
        self._recent.put(commit, info, 1)
        return info

    def origin(self, commit: str) -> int:
        """The date of the run's base: of the first ancestor, by first parents, that skygit did not write."""
        passed: list[str] = []
        known = self._origins.get(commit)
        while known is None:
            info = self.info(commit)
            passed.append(commit)
            if info.author == AUTHOR and info.parents:
                commit = info.parents[0]
                known = self._origins.get(commit)
            else:
                known = info.date
        for name in passed:
            self._origins.put(name, known, 1)
        return known
