"""The laws of journals. Subclass a contract in a test module and say how yours is made.

    class TestMine(JournalContract):
        def make(self):
            return Mine()

`JournalContract` holds for every journal, `LastingContract` for those that other processes
can open, so that they outlive the one that wrote and refuse a second writer.
"""

from abc import ABC, abstractmethod

import pytest

from skygit.domain.event import SCHEMA, Event, Requested, Started, Stopped
from skygit.domain.request import Proposal
from skygit.errors import Conflict
from skygit.ports import Entry, Journal

_STARTED = Started(schema=SCHEMA, run="law", base="0" * 40, seed=7, settings={"text": 'é "quoted"\n\t\0 line'})


class JournalContract(ABC):
    """What every journal does."""

    @abstractmethod
    def make(self) -> Journal:
        """A journal without events."""

    @pytest.fixture
    def journal(self) -> Journal:
        return self.make()

    def test_holds_nothing_at_first(self, journal: Journal) -> None:
        assert not journal.events()

    def test_reads_back_in_order(self, journal: Journal) -> None:
        events = written(journal, 5)
        assert told(journal) == events

    def test_one_append_is_one_place(self, journal: Journal) -> None:
        journal.append([Entry(event=_STARTED)])
        at = journal.append([Entry(event=asked(1)), Entry(event=asked(2))])
        assert [recorded.at for recorded in journal.events()][1:] == [at, at]

    def test_places_differ(self, journal: Journal) -> None:
        written(journal, 3)
        assert len({recorded.at for recorded in journal.events()}) == 4

    def test_papers_come_back_byte_for_byte(self, journal: Journal) -> None:
        data = bytes(range(256)) * 3 + b"\r\n no end of line"
        at = journal.append([Entry(event=_STARTED, papers={"prompt.md": data, "bundle/a b/é.py": b"x\n"})])
        assert journal.paper(at, "prompt.md") == data
        assert journal.paper(at, "bundle/a b/é.py") == b"x\n"

    def test_papers_of_all_entries_lie_together(self, journal: Journal) -> None:
        at = journal.append([Entry(event=_STARTED, papers={"a": b"1"}), Entry(event=asked(1), papers={"b": b"2"})])
        assert (journal.paper(at, "a"), journal.paper(at, "b")) == (b"1", b"2")

    def test_an_unknown_paper_is_a_key_error(self, journal: Journal) -> None:
        at = journal.append([Entry(event=_STARTED)])
        with pytest.raises(KeyError):
            journal.paper(at, "reply.md")

    def test_two_papers_of_one_name_are_refused(self, journal: Journal) -> None:
        journal.append([Entry(event=_STARTED)])
        with pytest.raises(ValueError, match="stdout"):
            journal.append(
                [Entry(event=asked(1), papers={"stdout": b"1"}), Entry(event=asked(2), papers={"stdout": b"2"})]
            )
        assert told(journal)[0] == _STARTED


class LastingContract(JournalContract):
    """What a journal does that lies where others can find it."""

    @abstractmethod
    def again(self, journal: Journal) -> Journal:
        """The same journal, as another process would open it."""

    def test_another_process_reads_the_same(self, journal: Journal) -> None:
        events = written(journal, 4)
        assert told(self.again(journal)) == events

    def test_another_process_goes_on(self, journal: Journal) -> None:
        events = written(journal, 2)
        rival = self.again(journal)
        rival.append([Entry(event=Stopped(reason="x"))])
        assert told(journal) == [*events, Stopped(reason="x")]

    def test_the_second_writer_loses_and_nothing_is_written(self, journal: Journal) -> None:
        events = written(journal, 1)
        rival = self.again(journal)
        rival.append([Entry(event=Stopped(reason="first"))])
        with pytest.raises(Conflict):
            journal.append([Entry(event=Stopped(reason="second"))])
        assert told(rival) == [*events, Stopped(reason="first")]

    def test_who_has_read_again_may_write(self, journal: Journal) -> None:
        written(journal, 1)
        self.again(journal).append([Entry(event=Stopped(reason="first"))])
        journal.events()
        journal.append([Entry(event=Stopped(reason="second"))])
        assert told(journal)[-2:] == [Stopped(reason="first"), Stopped(reason="second")]

    def test_a_refused_append_leaves_nothing(self, journal: Journal) -> None:
        events = written(journal, 1)
        entries = [Entry(event=asked(1), papers={"a": b""}), Entry(event=asked(2), papers={"a": b""})]
        with pytest.raises(ValueError, match="a"):
            journal.append(entries)
        assert told(self.again(journal)) == events


def asked(ticket: int) -> Event:
    """An event that opens a ticket."""
    return Requested(ticket=ticket, request=Proposal(parents=("0" * 40,), island=ticket % 3))


def written(journal: Journal, count: int) -> list[Event]:
    """Begin a run and append so many events, one by one; all events of it."""
    events = [_STARTED, *(asked(ticket) for ticket in range(count))]
    for event in events:
        journal.append([Entry(event=event)])
    return events


def told(journal: Journal) -> list[Event]:
    """The events of a journal."""
    return [recorded.event for recorded in journal.events()]
