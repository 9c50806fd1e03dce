"""A run in git: its journal and its objects."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from skygit.domain.draft import Draft
from skygit.domain.event import Event
from skygit.domain.value import Value
from skygit.ports.files import Tree


class Entry(Value, frozen=True, kw_only=True):
    """One event to append, and its papers: name to bytes. Names hold no `/` except `bundle/...`."""

    event: Event
    papers: dict[str, bytes] = {}


class Recorded(Value, frozen=True, kw_only=True):
    """One event as it stands in the journal: `at` is the journal commit, which holds its papers."""

    event: Event
    at: str


class Journal(Protocol):
    """The chain of events of one run. One writer at a time; every append is all or nothing."""

    def events(self) -> Sequence[Recorded]:
        """All events in order."""
        ...

    def append(
        self, entries: Sequence[Entry], *, keep: Sequence[str] = (), refs: Mapping[str, str] | None = None
    ) -> str:
        """Append the entries as one journal commit and move the refs, in one ref transaction.

        `keep` are candidate commits the journal must keep alive; `refs` maps a short name
        ("island-0", "best") to the commit its branch shall name. Returns the journal commit.
        Raises Conflict when someone else wrote (nothing is written), ValueError when two
        entries have a paper of the same name.
        """
        ...

    def paper(self, at: str, name: str) -> bytes:
        """A paper of a journal commit. Raises KeyError when there is none."""
        ...


class Repository(Protocol):
    """Candidates in git. Objects only: no index, no working tree, no hook is ever touched."""

    def tree(self, commit: str) -> Tree:
        """The files of a commit. Cheap: reads happen when asked for."""
        ...

    def tree_id(self, commit: str) -> str:
        """The id of a commit's tree."""
        ...

    def write_tree(self, parent: str, draft: Draft) -> str:
        """The id of the tree that results from a draft on a commit. Writes blobs and trees."""
        ...

    def commit(self, tree: str, parents: Sequence[str], message: str, *, clock: int) -> str:
        """Write a commit. `clock` counts seconds after the base's date, so ids repeat exactly."""
        ...

    def diff(self, old: str, new: str) -> str:
        """The unified diff between two commits, a/ and b/ prefixes, no colour, no filters."""
        ...

    def changed(self, old: str, new: str) -> Sequence[str]:
        """The paths that differ between two commits, sorted. Cost follows the difference."""
        ...

    def pack(self) -> None:
        """Put the run's loose objects into a kept pack. Called now and then; cheap to skip."""
        ...
