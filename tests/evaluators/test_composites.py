"""Gates, repetitions, and what is kept of them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from skygit.domain.candidate import Verdict
from skygit.evaluators.cascade import CascadeEvaluator, Stage
from skygit.evaluators.command import CommandEvaluator
from skygit.evaluators.limits import Limits
from skygit.evaluators.repeats import RepeatEvaluator
from skygit.evaluators.score import ScoreRule
from skygit.ports import Evaluator, Judgement, Sandbox, Slot
from skygit.sandboxes.hygiene import Hygiene


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    sandbox = Hygiene()
    yield sandbox
    sandbox.close()


def script(text: str) -> tuple[str, ...]:
    return ("sh", "-c", text)


def measure(text: str) -> CommandEvaluator:
    return CommandEvaluator(command=script(text), score=ScoreRule(source="metric", key="x"))


def judge(evaluator: Evaluator, sandbox: Sandbox, folder: Path) -> Judgement:
    return evaluator.evaluate(Slot(folder=str(folder)), sandbox)


def test_the_first_gate_that_fails_ends_the_cascade(sandbox: Sandbox, tmp_path: Path) -> None:
    stages = (
        Stage(name="build", command=script("echo built >> log")),
        Stage(name="tests", command=script("echo tested >> log; echo '2 failed, 10 passed in 0.35s'; exit 1")),
        Stage(name="style", command=script("echo styled >> log")),
    )
    found = judge(CascadeEvaluator(stages=stages, last=measure("echo measured >> log")), sandbox, tmp_path)
    assert (tmp_path / "log").read_text() == "built\ntested\n"
    assert (found.evaluation.verdict, found.evaluation.stage) == (Verdict.INVALID, "tests")
    assert found.evaluation.message == "gate 'tests' failed: 2 failed, 10 passed"
    assert found.evaluation.score is None
    assert "2 failed" in json.loads(found.papers["artifacts.json"])["gate tests"]


def test_a_gate_that_hangs_is_timed_out(sandbox: Sandbox, tmp_path: Path) -> None:
    stage = Stage(name="tests", command=script("sleep 30"), limits=Limits(timeout=0.3))
    found = judge(CascadeEvaluator(stages=(stage,), last=measure("true")), sandbox, tmp_path).evaluation
    assert (found.verdict, found.message) == (Verdict.TIMED_OUT, "gate 'tests' timed out after 0.3 s")


def test_gates_that_pass_leave_the_last_word_to_the_measure(sandbox: Sandbox, tmp_path: Path) -> None:
    stage = Stage(name="tests", command=script("sleep 0.1; echo METRIC x=99"))
    found = judge(CascadeEvaluator(stages=(stage,), last=measure("echo METRIC x=3")), sandbox, tmp_path)
    assert (found.evaluation.score, found.evaluation.stage) == (3.0, "")
    assert found.papers == {"stdout.txt": b"METRIC x=3\n"}
    assert found.seconds > 0.1


@pytest.mark.parametrize(("values", "score"), [("5 1 3", 3.0), ("4 1 2 9", 3.0), ("7", 7.0)])
def test_the_median_of_repeated_measurements(sandbox: Sandbox, tmp_path: Path, values: str, score: float) -> None:
    (tmp_path / "values").write_text("\n".join(values.split()))
    once = measure("echo METRIC x=$(head -1 values); echo METRIC y=1; sed -i 1d values")
    found = judge(RepeatEvaluator(inner=once, repeats=len(values.split())), sandbox, tmp_path).evaluation
    assert (found.score, found.metrics) == (score, {"x": score, "y": 1.0})
    assert found.samples == tuple(float(value) for value in values.split())


def test_one_failed_measurement_decides(sandbox: Sandbox, tmp_path: Path) -> None:
    once = measure("echo run >> runs; [ $(wc -l < runs) -lt 2 ] && echo METRIC x=1")
    found = judge(RepeatEvaluator(inner=once, repeats=5), sandbox, tmp_path).evaluation
    assert (found.verdict, found.score, found.samples) == (Verdict.CRASHED, None, ())
    assert (tmp_path / "runs").read_text() == "run\nrun\n"


def test_background_processes_are_a_verdict(sandbox: Sandbox, tmp_path: Path) -> None:
    found = judge(measure("sleep 30 & echo METRIC x=1"), sandbox, tmp_path).evaluation
    assert (found.verdict, found.message) == (Verdict.INVALID, "1 background processes outlived the command")


def test_limits_reach_the_command(sandbox: Sandbox, tmp_path: Path) -> None:
    limits = Limits(env={"GIVEN": "7"}, output_kb=1, file_mb=1)
    evaluator = CommandEvaluator(
        command=script("yes | head -c 9000; echo METRIC x=$GIVEN"),
        score=ScoreRule(source="metric", key="x"),
        limits=limits,
    )
    found = judge(evaluator, sandbox, tmp_path)
    assert found.evaluation.score == 7.0
    assert len(found.papers["stdout.txt"]) < 1200
