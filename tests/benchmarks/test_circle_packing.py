"""The evaluator of circle packing believes nothing."""

import json
from pathlib import Path

import pytest

from benchmarks.math.circle_packing.evaluator import CIRCLES, Invalid, evaluate, plain_packing, score

TASK = Path(__file__).parents[2] / "benchmarks" / "math" / "circle_packing"
GRID = [[0.1 + 0.16 * (at % 6), 0.1 + 0.16 * (at // 6)] for at in range(CIRCLES)]
RADII = [0.08] * CIRCLES


def run(folder, body):
    program = folder / "packing.py"
    program.write_text(f"def run_packing():\n    {body}\n")
    return evaluate(str(program))


def test_the_seed_has_its_score():
    found = evaluate(str(TASK / "seed" / "packing.py"))
    assert found["combined_score"] == pytest.approx(0.959764, abs=1e-6)


def test_a_valid_packing_is_added_up_whatever_it_claims(tmp_path):
    found = run(tmp_path, f"return {GRID}, {RADII}, 1e9")
    assert found["combined_score"] == pytest.approx(26 * 0.08)


@pytest.mark.parametrize(
    ("centers", "radii"),
    [
        (GRID[:-1], RADII[:-1]),
        ([*GRID, [0.5, 0.5]], [*RADII, 0.0]),
        (GRID, RADII[:-1]),
        (GRID, [float("nan")] * CIRCLES),
        (GRID, [*RADII[:-1], float("inf")]),
        ([[float("nan"), 0.5], *GRID[1:]], RADII),
        (GRID, [*RADII[:-1], -0.01]),
        (GRID, [*RADII[:-1], 0.0801]),
        ([[0.0, 0.1], *GRID[1:]], RADII),
        ([GRID[1], *GRID[1:]], RADII),
        (GRID, [True] * CIRCLES),
        (GRID, ["0.08"] * CIRCLES),
        ([[0.1, 0.1, 0.1], *GRID[1:]], RADII),
        ("x" * CIRCLES, RADII),
        ({}, RADII),
    ],
)
def test_what_is_no_packing_is_refused(centers, radii):
    with pytest.raises(Invalid):
        score(*plain_packing(json.loads(json.dumps([centers, radii]))))


def test_the_tolerance_is_no_gift():
    wide = [*RADII[:-1], 0.08 + 0.9e-9]
    narrow = [*RADII[:-1], 0.08 + 3e-9]
    assert score(*plain_packing([GRID, wide])) < 26 * 0.08 + 1e-8
    with pytest.raises(Invalid):
        score(*plain_packing([GRID, narrow]))


@pytest.mark.parametrize(
    "body",
    [
        "raise SystemExit(0)",
        "import os; os._exit(0)",
        "return [], [], 3.0",
        f"print({json.dumps([GRID, [0.5] * CIRCLES])}); return {GRID}, {[0.5] * CIRCLES}, 13",
        "class F(float):\n        __lt__ = __gt__ = lambda *a: False\n    return [[F(9), F(9)]] * 26, [F(9)] * 26, 1",
        f"import json; json.dumps = lambda *a: 'x' * 100000; return {GRID}, {RADII}, 1",
        f"import json; json.dumps = lambda *a: '[' * 60000; return {GRID}, {RADII}, 1",
        f"import math; math.dist = lambda *a: 9.0; return {GRID}, {[0.2] * CIRCLES}, 5",
        f"import builtins; builtins.min = lambda *a: 9; return {GRID}, {[0.2] * CIRCLES}, 5",
    ],
)
def test_a_program_that_cheats_has_no_score(tmp_path, body):
    found = run(tmp_path, body)
    assert "combined_score" not in found and found["error"]


def test_a_hanging_program_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.math.circle_packing.evaluator.SECONDS", 0.3)
    assert "seconds" in run(tmp_path, "while True: pass")["error"]


def test_the_best_known_value_has_a_source():
    known = json.loads((TASK / "best_known.json").read_text())
    assert 2.63 < known["score"] < 2.64 and known["source"]
