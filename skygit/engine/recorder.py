"""The journal's pen: entries gathered, written in one append, and the papers found again."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from skygit.domain.event import Committed, Event, TicketEvent
from skygit.ports import Entry, Journal, Recorded


class Recorder:
    """Gathers what happened and writes it. Remembers which journal commits hold a ticket's papers."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._entries: list[Entry] = []
        self._keep: list[str] = []
        self._refs: dict[str, str] = {}
        self._places: defaultdict[tuple[int, str], list[str]] = defaultdict(list)

    def read(self) -> Sequence[Recorded]:
        """All events so far, and where their papers are."""
        recorded = self._journal.events()
        for item in recorded:
            self._place(item)
        return recorded

    def take(self, event: Event, papers: dict[str, bytes] | None = None) -> None:
        """Gather an event for the next write; it is told the names of its papers."""
        if papers:
            seen = msgspec.structs.replace(event.seen, papers=tuple(sorted(papers)))
            event = msgspec.structs.replace(event, seen=seen)
        self._entries.append(Entry(event=event, papers=papers or {}))
        if isinstance(event, Committed):
            self._keep.append(event.candidate.commit)

    def move(self, names: Sequence[str], commit: str) -> None:
        """Branches that shall name a commit, moved with the next write."""
        self._refs |= dict.fromkeys(names, commit)

    def write(self) -> list[Recorded]:
        """Append everything gathered. One append, unless two entries have a paper of one name."""
        recorded: list[Recorded] = []
        batches = list(_batches(self._entries))
        for number, batch in enumerate(batches, 1):
            last = number == len(batches)
            at = self._journal.append(batch, keep=self._keep if number == 1 else (), refs=self._refs if last else {})
            recorded += [Recorded(event=entry.event, at=at) for entry in batch]
        for item in recorded:
            self._place(item)
        self._entries, self._keep, self._refs = [], [], {}
        return recorded

    def paper(self, ticket: int, name: str) -> bytes | None:
        """The newest paper of that name among a ticket's events."""
        places = self._places.get((ticket, name))
        return self._journal.paper(places[-1], name) if places else None

    def papers(self, ticket: int, name: str) -> list[bytes]:
        """All papers of that name among a ticket's events, in order."""
        return [self._journal.paper(at, name) for at in self._places.get((ticket, name), ())]

    def _place(self, item: Recorded) -> None:
        if isinstance(item.event, TicketEvent):
            for name in item.event.seen.papers:
                self._places[item.event.ticket, name].append(item.at)


def _batches(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    names: set[str] = set()
    for entry in entries:
        if names & entry.papers.keys():
            yield batch
            batch, names = [], set()
        batch.append(entry)
        names |= entry.papers.keys()
    if batch:
        yield batch
