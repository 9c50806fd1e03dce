"""The laws of evaluators. Subclass the contract, make an evaluator, and write candidates that misbehave.

class TestMine(EvaluatorContract):
    def make(self):
        return Mine(limits=Limits(timeout=1.0))

    def write(self, folder, deed):
        (folder / "program").write_text(PROGRAMS[deed])
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

import pytest

from skygit.domain.candidate import Verdict
from skygit.ports import Evaluator, Judgement, Sandbox, Slot
from skygit.sandboxes.hygiene import Hygiene

DEEDS = {
    "good": Verdict.PASSED,
    "crash": Verdict.CRASHED,
    "hang": Verdict.TIMED_OUT,
    "nan": Verdict.INVALID,
    "infinite": Verdict.INVALID,
    "text": Verdict.INVALID,
    "silent": Verdict.INVALID,
}
"""What a candidate does, and what must be found. A good one scores -2.5 and prints a line."""


class EvaluatorContract(ABC):
    """What every evaluator does. Its deadline must be one second."""

    @abstractmethod
    def make(self) -> Evaluator:
        """An evaluator to test."""

    @abstractmethod
    def write(self, folder: Path, deed: str) -> None:
        """Lay a candidate with this deed, and its evaluator, into a slot's folder."""

    @pytest.fixture
    def sandbox(self) -> Iterator[Sandbox]:
        sandbox = Hygiene()
        yield sandbox
        sandbox.close()

    @pytest.mark.parametrize("deed", [deed for deed in DEEDS if deed != "hang"])
    def test_finds_what_is_to_be_found(self, sandbox: Sandbox, tmp_path: Path, deed: str) -> None:
        self.check(self.judge(sandbox, tmp_path, deed), tmp_path, deed)

    def test_a_hang_ends_in_time_and_harms_nobody(self, sandbox: Sandbox, tmp_path: Path) -> None:
        self.judge(sandbox, tmp_path / "first", "good")
        began = time.monotonic()
        hanging = self.judge(sandbox, tmp_path / "hang", "hang")
        assert time.monotonic() - began < 2.0
        self.check(hanging, tmp_path, "hang")
        assert self.judge(sandbox, tmp_path / "next", "good").evaluation.score == -2.5

    def test_the_same_failure_is_told_in_the_same_words(self, sandbox: Sandbox, tmp_path: Path) -> None:
        one, other = (self.judge(sandbox, tmp_path / name, "crash").evaluation for name in ("one", "other"))
        assert one == other

    def test_keeps_what_was_printed(self, sandbox: Sandbox, tmp_path: Path) -> None:
        judgement = self.judge(sandbox, tmp_path, "good")
        assert judgement.papers["stdout.txt"].strip()
        assert all(judgement.papers.values())
        assert 0 < judgement.seconds < 5

    def judge(self, sandbox: Sandbox, folder: Path, deed: str) -> Judgement:
        """Lay the candidate and judge it."""
        folder.mkdir(exist_ok=True)
        self.write(folder, deed)
        return self.make().evaluate(Slot(folder=str(folder)), sandbox)

    def check(self, judgement: Judgement, folder: Path, deed: str) -> None:
        """Verdict, score and message belong together."""
        evaluation = judgement.evaluation
        assert evaluation.verdict is DEEDS[deed]
        assert evaluation.sandbox == "hygiene"
        assert evaluation.score == (-2.5 if evaluation.passed else None)
        assert all(math.isfinite(value) for value in evaluation.metrics.values())
        assert bool(evaluation.message) == (deed != "good")
        assert "\n" not in evaluation.message
        assert str(folder) not in evaluation.message
