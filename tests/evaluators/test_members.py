"""Every evaluator keeps the laws, and the contract catches evaluators that do not."""

import time
from pathlib import Path

import msgspec
import pytest

from skygit.domain.candidate import Evaluation, Verdict
from skygit.evaluators.cascade import CascadeEvaluator, Stage
from skygit.evaluators.command import CommandEvaluator
from skygit.evaluators.limits import Limits
from skygit.evaluators.python import PythonEvaluator
from skygit.evaluators.repeats import RepeatEvaluator
from skygit.evaluators.score import ScoreRule
from skygit.ports import Evaluator, Judgement, Sandbox, Slot
from skygit.sandboxes.hygiene import Hygiene
from skygit.testing.evaluators import EvaluatorContract

SHELL = {
    "good": "echo '{\"combined_score\": -2.5}'",
    "crash": "echo fell >&2; exit 3",
    "hang": "sleep 30",
    "nan": "echo '{\"combined_score\": NaN}'",
    "infinite": "echo '{\"combined_score\": Infinity}'",
    "text": 'echo \'{"combined_score": "a lot"}\'',
    "silent": "true",
}
PYTHON = {
    "good": "print('a line')\ndef solve(): return -2.5",
    "crash": "def solve(): return 1 / 0",
    "hang": "while True: pass",
    "nan": "def solve(): return float('nan')",
    "infinite": "def solve(): return float('inf')",
    "text": "def solve(): return 'a lot'",
    "silent": "import os\nos._exit(0)",
}
EVALUATOR = """
import runpy
def evaluate(program_path):
    return {"combined_score": runpy.run_path(program_path)["solve"]()}
"""
SHORT = Limits(timeout=1.0)
COMMAND = CommandEvaluator(command=("sh", "program"), limits=SHORT)


class TestCommand(EvaluatorContract):
    def make(self) -> Evaluator:
        return COMMAND

    def write(self, folder: Path, deed: str) -> None:
        (folder / "program").write_text(SHELL[deed])


class TestCommandOnTheChannel(TestCommand):
    def make(self) -> Evaluator:
        return CommandEvaluator(command=("sh", "report"), score=ScoreRule(source="result"), limits=SHORT)

    def write(self, folder: Path, deed: str) -> None:
        super().write(folder, deed)
        script = 'nonce=${SKYGIT_RESULT#*:}; out=$(sh program 3>&-) || exit; echo "$out"; '
        script += '[ -z "$out" ] || echo "$nonce $out" >&3'
        (folder / "report").write_text(script)


class TestPython(EvaluatorContract):
    def make(self) -> Evaluator:
        return PythonEvaluator(python="bench/evaluator.py", program="program.py", limits=SHORT)

    def write(self, folder: Path, deed: str) -> None:
        (folder / "bench").mkdir(exist_ok=True)
        (folder / "bench" / "evaluator.py").write_text(EVALUATOR)
        (folder / "program.py").write_text(PYTHON[deed])


class TestCascade(TestCommand):
    def make(self) -> Evaluator:
        return CascadeEvaluator(stages=(Stage(name="gate", command=("true",), limits=SHORT),), last=COMMAND)


class TestRepeats(TestCommand):
    def make(self) -> Evaluator:
        return RepeatEvaluator(inner=COMMAND, repeats=3)


class Bent:
    def __init__(self, bend) -> None:
        self.bend = bend

    def evaluate(self, slot: Slot, sandbox: Sandbox) -> Judgement:
        judgement = COMMAND.evaluate(slot, sandbox)
        return self.bend(judgement, slot)


def evaluation(judgement: Judgement, **changes) -> Judgement:
    return msgspec.structs.replace(judgement, evaluation=msgspec.structs.replace(judgement.evaluation, **changes))


def slow(judgement: Judgement, slot: Slot) -> Judgement:
    time.sleep(1.2)
    return judgement


FAULTS = [
    ("test_finds_what_is_to_be_found", "crash", lambda j, s: evaluation(j, verdict=Verdict.INVALID)),
    ("test_finds_what_is_to_be_found", "good", lambda j, s: evaluation(j, sandbox="")),
    ("test_finds_what_is_to_be_found", "crash", lambda j, s: evaluation(j, score=0.0)),
    ("test_finds_what_is_to_be_found", "nan", lambda j, s: evaluation(j, metrics={"x": float("nan")})),
    ("test_finds_what_is_to_be_found", "good", lambda j, s: evaluation(j, score=2.5)),
    ("test_finds_what_is_to_be_found", "crash", lambda j, s: evaluation(j, message=f"in {s.folder}")),
    ("test_finds_what_is_to_be_found", "crash", lambda j, s: evaluation(j, message="")),
    ("test_finds_what_is_to_be_found", "crash", lambda j, s: evaluation(j, message="a\nb")),
    ("test_the_same_failure_is_told_in_the_same_words", None, lambda j, s: evaluation(j, message=s.folder)),
    ("test_a_hang_ends_in_time_and_harms_nobody", None, slow),
    ("test_keeps_what_was_printed", None, lambda j, s: msgspec.structs.replace(j, papers={"stdout.txt": b""})),
]


PLANTED = [pytest.param(*one, marks=pytest.mark.slow if "hang" in one[0] else ()) for one in FAULTS]


@pytest.mark.parametrize(("law", "deed", "bend"), PLANTED)
def test_a_planted_fault_is_caught(law: str, deed: str | None, bend, tmp_path: Path) -> None:
    contract = TestCommand()
    contract.make = lambda: Bent(bend)
    sandbox = Hygiene()
    with pytest.raises(AssertionError):
        getattr(contract, law)(sandbox, tmp_path, *([deed] if deed else []))
    sandbox.close()


def test_a_verdict_is_not_below_a_score() -> None:
    """A crash has no number at all, so no comparison can put it above a valid negative score."""
    assert Evaluation(verdict=Verdict.CRASHED).score is None
