"""Slots that are real folders: one per worker, following the candidates."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Unpack

from skygit.git.follower import Follower, new_follower
from skygit.git.ground import Ground, GroundOptions
from skygit.git.laying import remove_tree
from skygit.ports import Slot


class FollowingSlots(Ground):
    """Implements `ports.Slots` for sandboxes that mount nothing.

    A lease touches what differs from the candidate before; its end mends what the run did,
    which takes one look at every file.
    """

    def __init__(self, **options: Unpack[GroundOptions]) -> None:
        super().__init__(**options)
        self._followers: dict[str, Follower] = {}

    @contextmanager
    def lease(self, commit: str) -> Iterator[Slot]:
        """A slot that holds the commit's files, protected ones from bundle or base."""
        plan = self._tree.plan(commit)
        room = self._rooms.take()
        try:
            follower = self._followers.pop(room, None) or self._moved_in(room)
            follower.follow(plan)
            self._followers[room] = follower
            yield Slot(folder=follower.root)
            follower.mend()
        except BaseException:
            self._give_up(room)
            raise
        finally:
            self._rooms.give_back(room)

    def tampered(self, slot: Slot) -> Sequence[str]:
        """The protected paths that a run changed, replaced or took away."""
        room = Path(slot.folder).parent.name
        return self._followers[room].tampered()

    def _moved_in(self, room: str) -> Follower:
        self._give_up(room)
        return new_follower(self._tree, self._session.folder / room / "folder")

    def _give_up(self, room: str) -> None:
        """A folder whose state is not known is made anew by the next lease."""
        self._followers.pop(room, None)
        place = self._session.folder / room
        if place.exists():
            remove_tree(str(place))
