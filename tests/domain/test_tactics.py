"""Tactics are found in whatever a model answers, and no answer breaks the parser."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skygit.domain.request import Tactic
from skygit.domain.tactics import MOST, NAME_LENGTH, TEXT_LENGTH, parse_tactics

TWO = (Tactic(name="Tables", text="use a table"), Tactic(name="Sort", text="sort first"))


@pytest.mark.parametrize(
    "answer",
    [
        "TACTIC: Tables — use a table\nTACTIC: Sort — sort first",
        "Here are two:\n\n1. TACTIC: [Tables] — use a table\n2. TACTIC: [Sort] - sort first\n\nGood luck!",
        "**TACTIC: Tables** — use a table\n\n**TACTIC: Sort** — sort first",
        "- **TACTIC:** Tables – use a table\n- **TACTIC:** Sort – sort\n  first",
        "TACTIC 1: Tables: use a table\nTACTIC 2: Sort: sort first",
        "tactic: Tables -- use a table\ntactic: Sort -- sort first",
        "TACTIC: Tables\nuse a table\n\nTACTIC: Sort\nsort first",
        'Sure.\n```json\n[{"name": "Tables", "text": "use a table"}, {"name": "Sort", "text": "sort first"}]\n```',
        '{"tactics": [{"title": "Tables", "description": "use a table"}, {"name": "Sort", "idea": "sort first"}]}',
        '{"name": "Tables", "text": "use a table"} and {"name": "Sort", "text": "sort first"}',
    ],
)
def test_both_tactics_are_found(answer: str) -> None:
    assert parse_tactics(answer) == TWO


@pytest.mark.parametrize("answer", ["", "I am sorry, I cannot help.", "TACTIC:", "TACTIC: \n\n", "[1, 2] {} [", "null"])
def test_an_answer_without_tactics_has_none(answer: str) -> None:
    assert parse_tactics(answer) == ()


def test_a_hyphenated_name_stays_whole() -> None:
    (tactic,) = parse_tactics("TACTIC: trust-region search — solve x-y: then stop")
    assert tactic == Tactic(name="trust-region search", text="solve x-y: then stop")


def test_limits_hold() -> None:
    many = "\n".join(f"TACTIC: {number}{'n' * 200} — {'t' * 5000}" for number in range(20))
    tactics = parse_tactics(many)
    assert len(tactics) == MOST
    assert all(len(one.name) <= NAME_LENGTH and len(one.text) <= TEXT_LENGTH for one in tactics)
    assert parse_tactics("[" * 200_000) == ()


_json = st.recursive(
    st.none() | st.text(max_size=5) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "text", "a"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.one_of(
        st.text(),
        _json.map(json.dumps),
        st.lists(st.sampled_from(["TACTIC:", " — ", "a", "\n", "{", "]"])).map("".join),
    )
)
def test_no_answer_breaks_it(answer: str) -> None:
    tactics = parse_tactics(answer)
    assert len({one.name for one in tactics}) == len(tactics)
    assert all(one.name and one.text for one in tactics)
