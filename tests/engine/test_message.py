"""The message of a candidate reads like a commit message and holds where it comes from."""

from hypothesis import given
from hypothesis import strategies as st

from skygit.domain.brief import Reply, Sketch
from skygit.domain.draft import Change, Draft
from skygit.domain.request import Proposal
from skygit.engine.message import SUBJECT, compose, subject

DRAFT = Draft(changes=(Change(path="a.py", content=b"x = 1\n"),))
PROPOSAL = Proposal(parents=("c0",), island=3, operator="diff")


def composed(summary: str, body: str = "", replies: tuple[Reply, ...] = ()) -> str:
    return compose("run-1", 7, PROPOSAL, Sketch(draft=DRAFT, summary=summary, body=body), replies)


@given(st.text())
def test_a_subject_is_one_line_that_fits(text: str) -> None:
    line = subject(text)
    assert line and "\n" not in line and len(line) <= SUBJECT


@given(st.text(), st.text())
def test_the_trailers_are_the_last_paragraph(summary: str, body: str) -> None:
    last = composed(summary, body).strip().split("\n\n")[-1].splitlines()
    assert last == ["Skygit-Run: run-1", "Skygit-Ticket: 7", "Skygit-Island: 3", "Skygit-Operator: diff"]


def test_a_reply_leaves_model_tokens_and_cost() -> None:
    replies = tuple(Reply(text="", model="m", prompt_tokens=10, completion_tokens=5, cost=0.5) for _ in range(2))
    text = composed("x", replies=replies)
    assert "Skygit-Model: m\nSkygit-Tokens: 30\nSkygit-Cost: 1.000000 USD\n" in text


def test_an_unknown_price_is_called_so() -> None:
    replies = (Reply(text="", model="m", cost=None), Reply(text="", model="m", cost=1.0))
    assert "Skygit-Cost: unpriced\n" in composed("x", replies=replies)
