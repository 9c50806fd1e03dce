"""A folder that follows candidates: only what differs is touched, and what a run changed is mended."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from skygit.git.evaluationtree import EvaluationTree, Plan
from skygit.git.export import export
from skygit.git.laying import lay, make_folders, vacate
from skygit.git.stamps import Stamps, is_folder, newest, outlast, stamp, take
from skygit.git.tampering import differs


@dataclass(slots=True, kw_only=True)
class Follower:
    """The folder `root`, holding the evaluation tree of `plan`, as it looked when that was laid.

    `laid_at` is the ctime (ns) of what was laid last: a run starts later, so all it writes shows.
    """

    tree: EvaluationTree
    root: str
    plan: Plan
    stamps: Stamps
    laid_at: int

    def follow(self, plan: Plan) -> None:
        """Become another evaluation tree. Cost follows the difference of the two."""
        old, self.plan = self.plan, plan
        paths = (*old.laid, *old.removed, *plan.laid, *plan.removed)
        differing = {path for path in paths if _state(old, path) != _state(plan, path)}
        self._put(differing)
        outlast(self.laid_at)

    def tampered(self) -> Sequence[str]:
        """The protected paths that no longer hold what was laid."""
        now = take(self.root)
        return sorted(path for path in self._changed(now) if self._broken(path, now))

    def mend(self) -> None:
        """Undo everything a run did: what it changed, what it removed and what it left."""
        now = take(self.root)
        for path in sorted(now.keys() - self.stamps.keys()):
            vacate(f"{self.root}/{path}")
        changed = sorted(self._changed(now))
        for path in (path for path in changed if is_folder(self.stamps[path])):
            self._mend_folder(path)
        self._put(path for path in changed if self.tree.holds(self.plan, path))

    def _broken(self, path: str, now: Stamps) -> bool:
        if not self.tree.holds(self.plan, path) or not self.tree.sealed(path):
            return False
        return path not in now or differs(f"{self.root}/{path}", self.tree.original(self.plan, path))

    def _changed(self, now: Stamps) -> Iterator[str]:
        return (path for path, mark in self.stamps.items() if now.get(path) != mark)

    def _mend_folder(self, path: str) -> None:
        make_folders(self.root, f"{path}/-")
        os.chmod(f"{self.root}/{path}", stat.S_IMODE(self.stamps[path][0]))  # noqa: PTH101

    def _put(self, paths: Iterable[str]) -> None:
        """Make the paths what the plan says: first what goes, then what comes."""
        wanted = sorted(paths)
        coming = [path for path in wanted if self.tree.holds(self.plan, path)]
        for path in sorted(set(wanted) - set(coming), reverse=True):
            self._remove(path)
        for path in coming:
            lay(self.root, path, self.tree.original(self.plan, path))
            self._stamp(path)

    def _remove(self, path: str) -> None:
        """Take a file away, and the folders that are empty then: git knows none."""
        vacate(f"{self.root}/{path}")
        self.stamps.pop(path, None)
        parent = path.rpartition("/")[0]
        while parent and not os.listdir(f"{self.root}/{parent}"):  # noqa: PTH208
            os.rmdir(f"{self.root}/{parent}")  # noqa: PTH106
            self.stamps.pop(parent, None)
            parent = parent.rpartition("/")[0]

    def _stamp(self, path: str) -> None:
        """Remember how a path and the folders above it look."""
        while path:
            mark = stamp(f"{self.root}/{path}")
            assert mark is not None, f"{path} was just laid"
            self.stamps[path] = mark
            self.laid_at = max(self.laid_at, 0 if is_folder(mark) else mark[-1])
            path = path.rpartition("/")[0]


def new_follower(tree: EvaluationTree, folder: Path) -> Follower:
    """A folder that holds the ground."""
    export(tree, folder)
    plan = Plan(commit=tree.base, laid={}, removed=frozenset())
    stamps = take(str(folder))
    return Follower(tree=tree, root=str(folder), plan=plan, stamps=stamps, laid_at=newest(stamps))


def _state(plan: Plan, path: str) -> object:
    return "removed" if path in plan.removed else plan.laid.get(path)
