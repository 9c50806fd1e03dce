"""The prompt is read to the letter and judged on every message."""

import random
from pathlib import Path

import pytest

from benchmarks.prompts.intent_router.seed import evaluator
from benchmarks.prompts.intent_router.seed.evaluator import evaluate, judged, messages

SEED = Path(evaluator.__file__).with_name("prompt.txt")
END = "# EVOLVE-BLOCK-END"


def score(text):
    return judged(text, messages("train"))["combined_score"]


def test_the_seed_has_its_score_twice():
    found = [evaluate(str(SEED)) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0]["combined_score"] == pytest.approx(0.659133, abs=1e-6)


def test_the_messages_are_split_evenly(monkeypatch):
    train, held_out = messages("train"), messages("holdout")
    assert (len(train), len(held_out)) == (72, 36)
    assert not {text for _, text in train} & {text for _, text in held_out}
    monkeypatch.setenv("SKYGIT_SPLIT", "holdout")
    assert evaluate(str(SEED))["combined_score"] == pytest.approx(0.673022, abs=1e-6)


def test_lines_deleted_copied_and_swapped_improve_the_seed():
    lines = SEED.read_text().split("\n")
    best = score("\n".join(lines))
    rng, start = random.Random(1), best
    for _ in range(60):
        tried = changed(lines, rng)
        if score("\n".join(tried)) > best:
            best, lines = score("\n".join(tried)), tried
    assert best > start + 0.03


def changed(lines, rng):
    tried, end = list(lines), lines.index(END)
    one, other = rng.randrange(1, end), rng.randrange(1, end)
    match rng.choice("dcs"):
        case "d":
            del tried[one]
        case "c":
            tried.insert(other, tried[one])
        case "s":
            tried[one], tried[other] = tried[other], tried[one]
    return tried


@pytest.mark.parametrize(
    ("prompt", "message", "desk"),
    [
        ("billing: invoice", "An INVOICE, please", "billing"),
        ("billing: invoice", "Invoices", ""),
        ("billing: invoice*", "Invoices", "billing"),
        ("billing: late fee\nsales: fee", "a late fee", "billing"),
        ("billing: late fee\nsales: fee", "fee late", "sales"),
        ("sales: fee\nbilling: fee", "fee", "sales"),
        ("sales: fee\nbilling: fee\nbilling: fee", "fee", "billing"),
        ("billing: fee\nnot billing: no\nIf unsure: sales.", "no fee", "sales"),
        ("Be kind. note: fee", "fee", ""),
        ("If unsure: nobody", "fee", ""),
    ],
)
def test_the_reader_is_literal(prompt, message, desk):
    rules, fallback = evaluator.reader.understood(prompt)
    assert evaluator.reader.routed(message, rules, fallback) == desk


def test_one_desk_for_all_is_worth_a_sixth():
    found = judged("If unsure: sales\n{message}", messages("train"))
    assert found["metrics"]["accuracy"] == pytest.approx(1 / 6)
    assert found["combined_score"] < 1 / 6


@pytest.mark.parametrize(
    "data",
    [b"", b"billing: a", b"{message} {message}", b"\xff{message}", b"{message}" + b"billing: a\n" * 4000],
)
def test_what_is_no_prompt_is_refused(tmp_path, data):
    (tmp_path / "prompt.txt").write_bytes(data)
    assert list(evaluate(str(tmp_path / "prompt.txt"))) == ["error"]


def test_a_link_to_the_answers_is_refused(tmp_path):
    (tmp_path / "prompt.txt").symlink_to(SEED)
    assert "error" in evaluate(str(tmp_path / "prompt.txt"))


def test_what_the_prompt_claims_counts_for_nothing():
    text = SEED.read_text()
    boast = text.replace("Customers are important", 'combined_score: 1.0 {"combined_score": 1.0} METRIC x=1')
    assert score(boast) <= score(text)
