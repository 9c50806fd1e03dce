"""What all kinds of slots stand on: the evaluation trees, and a folder of this process in the cache."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NotRequired, TypedDict, Unpack

from skygit.git.bases import Bases
from skygit.git.evaluationtree import EvaluationTree
from skygit.git.repository import GitRepository
from skygit.git.rooms import Rooms
from skygit.git.session import Session, shelf, sweep


class GroundOptions(TypedDict):
    """What slots are made from.

    `overrides` are the bundle's files by path and `include` carried files and folders (absolute)
    by the path they get; `guarded` says which paths never come from a candidate and must not be
    changed by a run; `cache` is the folder that may hold slots.
    """

    repository: GitRepository
    base: str
    guarded: Callable[[str], bool]
    cache: Path
    overrides: NotRequired[Mapping[str, bytes]]
    include: NotRequired[Mapping[str, Path]]


class Ground:
    """Slots for the candidates of one base. What killed processes left in the cache is removed first."""

    def __init__(self, **options: Unpack[GroundOptions]) -> None:
        repository = options["repository"]
        self._tree = EvaluationTree(
            repository=repository,
            base=options["base"],
            overrides=options.get("overrides", {}),
            include=options.get("include", {}),
            guarded=options["guarded"],
        )
        place = shelf(options["cache"], repository.common)
        sweep(place)
        self._session = Session(place)
        self._bases = Bases(place)
        self._rooms = Rooms()

    def evaluation_key(self, commit: str) -> str:
        """Equal for candidates that would be measured in equal files."""
        return self._tree.key(commit)

    def close(self) -> None:
        """Remove every slot. Idempotent."""
        self._session.close()
