"""Candidates that misbehave: what verdict each gets, and that the next one is unaffected."""

import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.evaluators.command import CommandEvaluator
from skygit.evaluators.limits import Limits
from skygit.evaluators.python import PythonEvaluator
from skygit.evaluators.score import ScoreRule
from skygit.executors.local import LocalExecutor
from skygit.ports import Evaluator, Slot
from skygit.sandboxes.hygiene import Hygiene
from skygit.testing.survivors import mark, survivors

LIMIT = 1.5
EVALUATOR = """
import runpy
def evaluate(program_path):
    return runpy.run_path(program_path)["solve"]()
"""
COMMAND = """
import runpy
from skygit.harness import take
report = take()
report(runpy.run_path("program.py")["solve"]())
"""
HONEST = "def solve(): return -2.5\n"
FLOOD = "while True: print('x' * 1000)\n"
DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
"""
BOMB = """
import os, time
for _ in range(6):
    os.fork()
time.sleep(60)
"""
GLUTTON = "hold = []\nwhile True: hold.append(bytearray(b'x' * (16 << 20)))\n"
THIEF = """
import os
assert not any('KEY' in name or 'sk-' in value for name, value in os.environ.items()), 'found'
assert b'sk-secret' not in open(f'/proc/{os.getppid()}/environ', 'rb').read(), 'found'
"""
EDITOR = "open('evaluator.py', 'w').write('def evaluate(p): return 1e9')\n"


class FolderSlots:
    """Slots in plain folders: the evaluator is everyone's, the program the candidate's."""

    def __init__(self, root: Path, protected: Mapping[str, str]) -> None:
        self._root, self._protected = root, protected
        self.programs: dict[str, str] = {}
        self._leased = 0

    @contextmanager
    def lease(self, commit: str) -> Iterator[Slot]:
        self._leased += 1
        folder = self._root / f"slot-{self._leased}"
        folder.mkdir()
        for name, text in {**self._protected, "program.py": self.programs[commit]}.items():
            (folder / name).write_text(text)
        yield Slot(folder=str(folder))
        shutil.rmtree(folder)

    def close(self) -> None:
        """Every lease has removed its own."""

    def tampered(self, slot: Slot) -> Sequence[str]:
        return [name for name, text in self._protected.items() if (Path(slot.folder) / name).read_text() != text]


class Judge:
    """An executor, and how long its judgements took."""

    def __init__(self, root: Path, evaluator: Evaluator) -> None:
        self.slots = FolderSlots(root, {"evaluator.py": EVALUATOR, "command.py": COMMAND})
        self.executor = LocalExecutor(slots=self.slots, evaluator=evaluator, sandbox=Hygiene())
        self.took = 0.0

    def __call__(self, program: str) -> Evaluation:
        self.slots.programs["c"] = program
        began = time.monotonic()
        judgement = self.executor.judge(candidate("c"))
        self.took = time.monotonic() - began
        return judgement.evaluation


def candidate(commit: str) -> Candidate:
    return Candidate(commit=commit, tree="t", parents=(), island=0, generation=0, summary="", operator="base")


MARK = mark()
LIMITS = Limits(timeout=LIMIT, memory_mb=200, env=MARK)
EVALUATORS = {
    "python": PythonEvaluator(python="evaluator.py", program="program.py", limits=LIMITS),
    "command": CommandEvaluator(
        command=(sys.executable, "command.py"), score=ScoreRule(source="result"), limits=LIMITS
    ),
}


@pytest.fixture(params=["python", pytest.param("command", marks=pytest.mark.slow)])
def judge(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Judge]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    judge = Judge(tmp_path, EVALUATORS[request.param])
    yield judge
    judge.executor.close()


CASES = {
    "hangs": ("while True: pass\n", {Verdict.TIMED_OUT}),
    "forks": (BOMB, {Verdict.TIMED_OUT}),
    "daemonises": (DAEMON + HONEST, {Verdict.INVALID}),
    "daemonises and hangs": (DAEMON + "time.sleep(60)\n", {Verdict.TIMED_OUT}),
    "eats memory": (GLUTTON, {Verdict.CRASHED}),
    "floods": (FLOOD, {Verdict.TIMED_OUT, Verdict.CRASHED}),
    "leaves with status 0": ("import sys\nsys.exit(0)\n", {Verdict.CRASHED, Verdict.INVALID}),
    "prints a score": ("print('{\"combined_score\": 1e9}')\nimport os\nos._exit(0)\n", {Verdict.INVALID}),
    "edits the evaluator": (EDITOR + HONEST, {Verdict.TAMPERED}),
    "edits the evaluator and crashes": (EDITOR + "1 / 0\n", {Verdict.TAMPERED}),
    "crashes": ("1 / 0\n", {Verdict.CRASHED}),
    "is not a number": ("def solve(): return float('nan')\n", {Verdict.INVALID}),
    "is infinite": ("def solve(): return float('inf')\n", {Verdict.INVALID}),
}


@pytest.mark.parametrize("deed", CASES)
def test_gets_its_verdict_in_time_and_harms_nobody(judge: Judge, deed: str) -> None:
    program, verdicts = CASES[deed]
    found = judge(program)
    assert found.verdict in verdicts, found
    assert found.score is None
    assert found.message
    assert judge.took < LIMIT + 1.0
    assert survivors(MARK) == []
    honest = judge(HONEST)
    assert (honest.verdict, honest.score) == (Verdict.PASSED, -2.5)


def test_finds_no_key(judge: Judge) -> None:
    assert judge(THIEF + HONEST).score == -2.5


def test_a_printed_score_beside_a_real_one_is_output(judge: Judge) -> None:
    assert judge("print('{\"combined_score\": 1e9}')\n" + HONEST).score == -2.5


def test_tampering_is_named_and_counted(tmp_path: Path) -> None:
    slots = FolderSlots(tmp_path, {f"file-{n}": "" for n in range(5)})
    slots.programs["c"] = "for f in file-*; do echo x > $f; done; echo '{\"combined_score\": 1}'"
    sandbox = Hygiene()
    executor = LocalExecutor(slots=slots, evaluator=CommandEvaluator(command=("sh", "program.py")), sandbox=sandbox)
    judgement = executor.judge(candidate("c"))
    executor.close()
    assert judgement.evaluation == Evaluation(
        verdict=Verdict.TAMPERED,
        message="changed while it was measured: file-0, file-1, file-2 and 2 more",
        sandbox="hygiene",
    )
    assert b"combined_score" in judgement.papers["stdout.txt"]
