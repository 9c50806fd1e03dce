"""Slots that the sandbox mounts: one export of the ground below, the change above."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Unpack

from skygit.git.bases import Base
from skygit.git.evaluationtree import Plan, parents
from skygit.git.export import export
from skygit.git.ground import Ground, GroundOptions
from skygit.git.laying import lay, remove_tree
from skygit.git.overlay import Left, left_in
from skygit.git.tampering import differs
from skygit.ports import Layers, Slot


class OverlaySlots(Ground):
    """Implements `ports.Slots`. A slot is empty until the sandbox mounts its layers.

    A lease costs what the candidate changed: fresh folders, and the changed files in `upper`.
    The export is kept for later sessions; the first lease makes it, or sees that it is untouched.
    """

    def __init__(self, **options: Unpack[GroundOptions]) -> None:
        super().__init__(**options)
        self._plans: dict[str, Plan] = {}
        self._lock = threading.Lock()
        self._lower: Base | None = None

    @contextmanager
    def lease(self, commit: str) -> Iterator[Slot]:
        """A slot that holds the commit's files, protected ones from bundle or base."""
        lower = self._ground()
        plan = self._tree.plan(commit)
        room = self._rooms.take()
        place = self._session.folder / room
        try:
            slot = self._prepared(place, lower, plan)
            self._plans[slot.folder] = plan
            yield slot
        finally:
            self._plans.pop(str(place / "folder"), None)
            if (place / "upper").exists():
                remove_tree(str(place / "upper"))
            self._rooms.give_back(room)

    def tampered(self, slot: Slot) -> Sequence[str]:
        """The protected paths that a run changed, replaced or took away. Looks only at what was written."""
        assert slot.layers is not None, "an overlay slot has layers"
        plan = self._plans[slot.folder]
        found = {path for left in left_in(slot.layers.upper) for path in self._touched(plan, slot.layers.upper, left)}
        return sorted(found)

    def close(self) -> None:
        """Remove every slot; the export below them stays. Idempotent."""
        super().close()
        with self._lock:
            if self._lower is not None:
                self._lower.release()

    def _ground(self) -> Path:
        with self._lock:
            if self._lower is None:
                self._lower = self._bases.take(self._tree.ground_key, partial(export, self._tree))
            return self._lower.folder

    def _prepared(self, place: Path, lower: Path, plan: Plan) -> Slot:
        """The room's folders; only `upper` is new each time, for the kernel empties `work` itself."""
        for name in ("work", "folder"):
            (place / name).mkdir(parents=True, exist_ok=True)
        upper = str(place / "upper")
        (place / "upper").mkdir()
        for path in plan.laid:
            lay(upper, path, self._tree.original(plan, path))
        layers = Layers(lower=str(lower), upper=upper, work=str(place / "work"), removed=tuple(_uncovered(plan)))
        return Slot(folder=str(place / "folder"), layers=layers)

    def _touched(self, plan: Plan, upper: str, left: Left) -> Iterator[str]:
        """The protected paths that one entry of the upper folder changes or hides."""
        tree, place = self._tree, f"{upper}/{left.path}"
        if tree.holds(plan, left.path):
            if tree.sealed(left.path) and (left.what == "whiteout" or differs(place, tree.original(plan, left.path))):
                yield left.path
        elif left.what != "folder":
            yield from (
                path for path in tree.below(plan, left.path) if tree.sealed(path) and _hidden(upper, left, path)
            )


def _uncovered(plan: Plan) -> list[str]:
    """What still has to be removed: a laid folder hides a file below it, a laid file a whole folder."""
    above = {part for path in plan.laid for part in parents(path)}
    return sorted(path for path in plan.removed - above if not any(part in plan.laid for part in parents(path)))


def _hidden(upper: str, left: Left, path: str) -> bool:
    """Whether an entry hides a path below it: an opaque folder only what is not in it as well."""
    return left.what != "opaque" or not os.path.lexists(f"{upper}/{path}")
