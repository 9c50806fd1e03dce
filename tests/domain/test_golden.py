"""Journals written by earlier versions still decode and replay. A new schema adds a file; none is changed."""

from pathlib import Path

from skygit.domain import codec
from skygit.domain.event import Event
from skygit.domain.history import replay

GOLDEN = Path(__file__).parent / "golden"


def events(name: str) -> list[Event]:
    return [event for line in (GOLDEN / name).read_text().splitlines() for event in codec.decode(line)]


def test_a_journal_of_schema_1_replays_to_what_it_was() -> None:
    history = replay(events("schema-1.jsonl"))
    assert history.best is not None
    assert (history.iterations, history.best.ticket, history.best.score) == (5, 2, -94.0)
    assert dict(history.outcomes) == {"empty-diff": 3, "passed": 1, "frozen-region": 1}
    assert (history.spending.calls, history.spending.prompt_tokens, history.spending.unpriced) == (10, 10329, 0)
    assert history.stopped is not None and history.stopped.reason == "iterations"
    assert not history.pending


def test_written_again_it_is_the_same_text() -> None:
    lines = (GOLDEN / "schema-1.jsonl").read_text().splitlines()
    assert [codec.encode(codec.decode(line)) for line in lines] == lines
