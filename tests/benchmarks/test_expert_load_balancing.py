"""The evaluator of expert load balancing works everything out from the placement."""

import pytest

from benchmarks.systems.expert_load_balancing.seed import evaluator
from benchmarks.systems.expert_load_balancing.seed.evaluator import CASES, Invalid, balance, case, evaluate, parsed

SEED = evaluator.Path(evaluator.__file__).with_name("balancer.py")
SMALL = case(7, 2, 4, 6, 2, 1.0)
FAIR = [[[0, 1, 2], [3, 0, 1]], [[0, 1, 2], [3, 0, 1]]]
DEALT = "pack = free[np.argmin(counts[free])]"
IN_TURN = "counts[hottest[spare % experts]] += 1"


def edited(folder, *edits):
    text = SEED.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    program = folder / "balancer.py"
    program.write_text(text)
    return evaluate(str(program))


def answering(folder, body):
    program = folder / "balancer.py"
    program.write_text(f"import numpy as np\ndef rebalance(weight, replicas, gpus):\n    {body}\n")
    return evaluate(str(program))


def test_the_seed_has_its_score_twice_and_parts_make_a_whole(tmp_path):
    packed = (DEALT, "pack = free[np.argmin(loads[free])]")
    replicated = (IN_TURN, "counts[np.argmax(weight[layer] / counts)] += 1")
    seed, again = evaluate(str(SEED)), evaluate(str(SEED))
    assert seed == again
    assert seed["combined_score"] == pytest.approx(0.511156, abs=1e-6)
    single = [edited(tmp_path, edit)["combined_score"] for edit in (packed, replicated)]
    both = edited(tmp_path, packed, replicated)["combined_score"]
    assert seed["combined_score"] < min(single) < max(single) < both
    assert both == pytest.approx(0.961225, abs=1e-6)


def test_other_loads_are_held_out(tmp_path, monkeypatch):
    monkeypatch.setenv("SKYGIT_SPLIT", "holdout")
    assert evaluate(str(SEED))["combined_score"] == pytest.approx(0.544778, abs=1e-6)


def test_a_fair_placement_is_worked_out_by_hand():
    asked = {"weight": [[8.0, 4.0, 2.0, 2.0]], "replicas": 6, "gpus": 2}
    assert balance(asked, [[[0, 1, 2], [0, 1, 3]]], 0) == 1.0
    assert balance(asked, [[[0, 0, 1], [1, 2, 3]]], 0) == pytest.approx(8 / 10)


@pytest.mark.parametrize(
    "placed",
    [
        None,
        [],
        [[]],
        {},
        "",
        5,
        FAIR[:1],
        [*FAIR, FAIR[0]],
        [FAIR[0], FAIR[1][:1]],
        [FAIR[0], [[0, 1], [2, 3, 0]]],
        [FAIR[0], [[0, 1, 2], [2, 1, 0]]],
        [FAIR[0], [[0, 1, 2], [3, 0, 4]]],
        [FAIR[0], [[0, 1, 2], [3, 0, -1]]],
        [FAIR[0], [[0, 1, 2], [3, 0, 1.0]]],
        [FAIR[0], [[0, 1, 2], [3, 0, True]]],
        [FAIR[0], [[0, 1, 2], [3, 0, float("nan")]]],
        [FAIR[0], [[0, 1, 2], [3, 0, "1"]]],
        [FAIR[0], [[0, 1, 2], [3, 0, [1]]]],
    ],
)
def test_what_is_no_placement_is_refused(placed):
    with pytest.raises(Invalid):
        balance(SMALL, placed, 0)
    assert 0 < balance(SMALL, FAIR, 0) <= 1


@pytest.mark.parametrize("data", [b"", b"[", b"\xff", b"[" * 100_000, b"0" * (1 << 21), b"[1]x"])
def test_what_is_no_answer_is_refused(data):
    with pytest.raises(Invalid):
        parsed(data)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return np.zeros((0,))", "layers"),
        ("return np.full((len(weight), gpus, replicas // gpus), np.nan)", "no expert"),
        ("return np.zeros((len(weight), gpus, replicas // gpus), dtype=int)", "no replica"),
        ("raise SystemExit(0)", "no placement"),
        ("raise ValueError('no')", "status 1"),
        ("import os; os._exit(0)", "no placement"),
        ("print(1e9); return [[[10**400]]]", "case 0"),
    ],
)
def test_tricks_come_to_nothing(tmp_path, body, reason):
    found = answering(tmp_path, body)
    assert list(found) == ["error"]
    assert reason in found["error"]


def test_objects_that_lie_about_themselves_stay_behind(tmp_path):
    body = "return type('A', (np.ndarray,), {'tolist': lambda self: {'combined_score': 1}})((2, 2))"
    assert "error" in answering(tmp_path, body)


def test_a_program_that_hangs_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluator, "SECONDS", 0.5)
    assert "not done" in answering(tmp_path, "while True: pass")["error"]


def test_the_cases_are_whole():
    for shape in CASES:
        _, experts, replicas, gpus, _ = shape
        assert replicas >= experts and replicas % gpus == 0
