"""Events survive the journal, and what is not an event is refused with a reason."""

import json
import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skygit.domain import codec
from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.domain.event import (
    SCHEMA,
    Adjusted,
    Answered,
    Committed,
    Computed,
    Evaluated,
    Failed,
    Replied,
    Requested,
    Seen,
    Started,
    Steered,
    Stopped,
)
from skygit.domain.request import Compute, Consult, Proposal, Remeasure, Tactic
from skygit.errors import RepositoryError

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
COUNTS = st.integers(0, 10**9)
IDS = st.text("0123456789abcdef", min_size=40, max_size=40)
PLAIN = st.dictionaries(TEXTS, TEXTS | COUNTS | st.lists(COUNTS) | st.none())
SEEN = st.builds(Seen, at=NUMBERS, seconds=NUMBERS, cost=NUMBERS | st.none(), note=TEXTS)
TACTICS = st.lists(st.builds(Tactic, name=TEXTS, text=TEXTS), max_size=3).map(tuple)
REQUESTS = st.one_of(
    st.builds(Proposal, parents=st.tuples(IDS), island=COUNTS, inspirations=st.tuples(IDS, IDS), tactics=TACTICS),
    st.builds(Consult, topic=TEXTS, best=IDS, failed=st.tuples(COUNTS), notes=st.tuples(TEXTS)),
    st.builds(Compute, program=TEXTS, stdin=TEXTS, seconds=NUMBERS),
    st.builds(Remeasure, commit=IDS),
)
CANDIDATES = st.builds(
    Candidate,
    commit=IDS,
    tree=IDS,
    parents=st.tuples(IDS),
    island=COUNTS,
    generation=COUNTS,
    summary=TEXTS,
    operator=TEXTS,
    paths=st.lists(TEXTS).map(tuple),
    sketch=st.lists(COUNTS).map(tuple),
)
EVALUATIONS = st.builds(
    Evaluation,
    verdict=st.sampled_from(Verdict),
    score=NUMBERS | st.none(),
    metrics=st.dictionaries(TEXTS, NUMBERS),
    message=TEXTS,
    samples=st.lists(NUMBERS).map(tuple),
)
EVENTS = st.one_of(
    st.builds(Started, schema=st.just(SCHEMA), run=TEXTS, base=IDS, seed=COUNTS, settings=PLAIN, seen=SEEN),
    st.builds(Adjusted, settings=PLAIN, seen=SEEN),
    st.builds(Steered, kind=TEXTS, text=TEXTS, island=COUNTS | st.none(), seen=SEEN),
    st.builds(Stopped, reason=TEXTS, message=TEXTS, seen=SEEN),
    st.builds(Requested, ticket=COUNTS, request=REQUESTS, seen=SEEN),
    st.builds(Replied, ticket=COUNTS, ordinal=COUNTS, model=TEXTS, digest=TEXTS, seen=SEEN),
    st.builds(Committed, ticket=COUNTS, candidate=CANDIDATES, seen=SEEN),
    st.builds(Evaluated, ticket=COUNTS, commit=IDS, evaluation=EVALUATIONS, cached=st.booleans(), seen=SEEN),
    st.builds(Failed, ticket=COUNTS, word=TEXTS, message=TEXTS, paths=st.lists(TEXTS).map(tuple), seen=SEEN),
    st.builds(Answered, ticket=COUNTS, text=TEXTS, seen=SEEN),
    st.builds(Computed, ticket=COUNTS, output=TEXTS, error=TEXTS, seen=SEEN),
)


@given(st.lists(EVENTS, max_size=4))
def test_events_come_back_equal(events: list[object]) -> None:
    assert codec.decode(codec.encode(events)) == events  # type: ignore[arg-type]


@given(st.lists(EVENTS, max_size=4))
def test_the_text_is_one_line_and_repeats(events: list[object]) -> None:
    text = codec.encode(events)  # type: ignore[arg-type]
    assert "\n" not in text
    assert codec.encode(codec.decode(text)) == text


@given(EVENTS, SEEN)
def test_facts_do_not_depend_on_what_was_merely_observed(event: object, seen: Seen) -> None:
    other = msgspec.structs.replace(event, seen=seen)  # type: ignore[type-var]
    assert codec.facts([event]) == codec.facts([other])  # type: ignore[list-item]


def test_a_changed_fact_is_seen() -> None:
    facts = codec.facts([Stopped(reason="a"), Stopped(reason="b")])
    assert facts[0] != facts[1]


@pytest.mark.parametrize(
    "text",
    ["", "[", "{}", '[{"type":"unheard-of"}]', '[{"type":"failed","ticket":1}]', '[{"type":"failed","x":1}]'],
)
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(RepositoryError, match="cannot be read"):
        codec.decode(text)


def test_a_journal_of_another_schema_names_it() -> None:
    started = {"type": "started", "schema": SCHEMA + 1, "run": "r", "base": "b", "seed": 1, "settings": {}}
    for event in (started, {**started, "new": 1}):
        with pytest.raises(RepositoryError, match=f"schema {SCHEMA + 1}"):
            codec.decode(json.dumps([event]))


def test_an_unknown_field_is_refused_even_in_this_schema() -> None:
    with pytest.raises(RepositoryError):
        codec.decode(json.dumps([{"type": "stopped", "reason": "x", "mistake": 1}]))


def test_no_score_is_ever_infinite_in_the_text() -> None:
    event = Evaluated(ticket=1, commit="c", evaluation=Evaluation(verdict=Verdict.PASSED, score=math.inf))
    with pytest.raises(RepositoryError):
        codec.decode(codec.encode([event]).replace("null", "Infinity"))


def test_a_path_that_is_no_unicode_is_written_with_escapes() -> None:
    event = Failed(ticket=1, word="no-match", message="caf\udce9.py:1", paths=("caf\udce9.py",))
    (told,) = codec.decode(codec.encode([event]))
    assert isinstance(told, Failed) and told.paths == ("caf\\udce9.py",)
