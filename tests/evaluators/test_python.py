"""The `evaluate(program_path)` contract, whatever it returns and whatever the candidate tries."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skygit.domain.candidate import Evaluation, Verdict
from skygit.evaluators.limits import Limits
from skygit.evaluators.python import PythonEvaluator
from skygit.ports import Judgement, Sandbox, Slot
from skygit.sandboxes.hygiene import Hygiene

LOAD = "import runpy\ndef load(path): return runpy.run_path(path)\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    sandbox = Hygiene()
    yield sandbox
    sandbox.close()


def judge(sandbox: Sandbox, folder: Path, evaluator: str, program: str = "", **more) -> Judgement:
    (folder / "evaluator.py").write_text(evaluator)
    (folder / "program.py").write_text(program)
    limits = Limits(timeout=10, env={"PYTHONNOUSERSITE": "1"})
    made = PythonEvaluator(python="evaluator.py", program="program.py", limits=limits, **more)
    return made.evaluate(Slot(folder=str(folder)), sandbox)


RETURNS = {
    "float": ("return 1.5", 1.5),
    "int": ("return 2", 2.0),
    "mapping": ("return {'combined_score': 3, 'other': 4}", 3.0),
    "one number": ("return {'ratio': 0.25, 'name': 'x'}", 0.25),
    "result class": (
        "import dataclasses\n    R = dataclasses.make_dataclass('R', ['metrics', 'artifacts'])\n"
        "    return R({'combined_score': 5.0}, {'log': 'hello'})",
        5.0,
    ),
    "object": ("import types\n    return types.SimpleNamespace(combined_score=6, artifacts={'log': 'hello'})", 6.0),
    "named tuple": ("import collections\n    return collections.namedtuple('R', 'combined_score note')(7, 'x')", 7.0),
    "numpy": ("import numpy\n    return {'combined_score': numpy.float32(0.5), 'n': numpy.int64(3)}", 0.5),
    "numpy scalar array": ("import numpy\n    return numpy.array(8.0)", 8.0),
    "fraction": ("import fractions\n    return fractions.Fraction(1, 4)", 0.25),
    "none": ("return None", None),
    "truth": ("return True", None),
    "text": ("return '3'", None),
    "list": ("return [1.0]", None),
    "complex": ("return 1j", None),
    "two unnamed": ("return {'a': 1, 'b': 2}", None),
}


@pytest.mark.parametrize("case", RETURNS)
def test_reads_results_by_shape(sandbox: Sandbox, tmp_path: Path, case: str) -> None:
    body, score = RETURNS[case]
    evaluation = judge(sandbox, tmp_path, f"def evaluate(program_path):\n    {body}\n").evaluation
    assert evaluation.score == score, evaluation
    assert evaluation.verdict is (Verdict.INVALID if score is None else Verdict.PASSED)


def test_artifacts_become_a_paper(sandbox: Sandbox, tmp_path: Path) -> None:
    evaluator = (
        "def evaluate(p):\n    return {'combined_score': 1, 'artifacts': {'log': 'x' * 200000, 'n': 3, 'b': b'bytes'}}"
    )
    papers = judge(sandbox, tmp_path, evaluator).papers
    artifacts = json.loads(papers["artifacts.json"])
    assert (artifacts["n"], artifacts["b"]) == (3, "bytes")
    assert 1000 < len(artifacts["log"]) < 20_000


def test_the_path_is_absolute_and_siblings_can_be_imported(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "sibling.py").write_text("VALUE = 4")
    evaluator = (
        "import os, sys, sibling\n"
        "def evaluate(program_path):\n"
        "    assert os.path.isabs(program_path) and os.path.exists(program_path)\n"
        "    assert sys.path[0] == os.path.dirname(program_path) and os.getcwd() == sys.path[0]\n"
        "    return sibling.VALUE\n"
    )
    assert judge(sandbox, tmp_path, evaluator).evaluation.score == 4.0


def test_several_files_are_given_as_their_folder(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "evaluator.py").write_text("import os\ndef evaluate(path):\n    return float(len(os.listdir(path)))\n")
    made = PythonEvaluator(python="evaluator.py")
    assert made.evaluate(Slot(folder=str(tmp_path)), sandbox).evaluation.score == 1.0


def test_a_pool_left_open_is_no_stray(sandbox: Sandbox, tmp_path: Path) -> None:
    evaluator = (
        "import concurrent.futures, multiprocessing\n"
        "def evaluate(path):\n"
        "    pool = multiprocessing.get_context('fork').Pool(2)\n"
        "    return float(sum(pool.map(abs, [-1, -2])))\n"
    )
    assert judge(sandbox, tmp_path, evaluator).evaluation.score == 3.0


TRICKS = {
    "exit 0": ("import sys\nsys.exit(0)", Verdict.CRASHED, "sys.exit(0)"),
    "os._exit": ("import os\nos._exit(0)", Verdict.INVALID, "no result"),
    "prints a score": (
        "print('{\"combined_score\": 99}')\nraise ValueError('x')",
        Verdict.CRASHED,
        "ValueError: x (program.py:2",
    ),
    "prints and leaves": (
        "import os\nprint('{\"combined_score\": 99}', flush=True)\nos._exit(0)",
        Verdict.INVALID,
        "no result",
    ),
    "writes to the channel": (
        "import os\nos.write(3, b'{\"combined_score\": 99}\\n')\nos._exit(0)",
        Verdict.INVALID,
        "nonce",
    ),
    "at exit": (
        "import atexit, os\natexit.register(lambda: os.write(3, b'{\"combined_score\": 99}\\n'))\nraise KeyError('k')",
        Verdict.CRASHED,
        "KeyError: 'k' (program.py:3",
    ),
    "environment": (
        "import os\nfd, _, nonce = os.environ['SKYGIT_RESULT'].partition(':')\n",
        Verdict.CRASHED,
        "KeyError: 'SKYGIT_RESULT'",
    ),
    "own /proc": (
        "import os\nspelled = open('/proc/self/environ').read().partition('SKYGIT_RESULT=3:')[2][:32]\n"
        "os.write(3, f'{spelled} 99\\n'.encode())\nos._exit(0)",
        Verdict.INVALID,
        "nonce",
    ),
    "keyboard interrupt": ("raise KeyboardInterrupt", Verdict.CRASHED, "KeyboardInterrupt"),
    "endless recursion": ("def f(): f()\nf()", Verdict.CRASHED, "RecursionError"),
    "kills itself": ("import os\nos.kill(os.getpid(), 11)", Verdict.CRASHED, "SIGSEGV"),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_gives_no_score(sandbox: Sandbox, tmp_path: Path, trick: str) -> None:
    program, verdict, said = TRICKS[trick]
    evaluation = judge(
        sandbox, tmp_path, LOAD + "def evaluate(path):\n    load(path)\n    return -1.0\n", program
    ).evaluation
    assert evaluation.verdict is verdict, evaluation
    assert said in evaluation.message
    assert evaluation.score is None


def test_what_is_registered_to_run_at_exit_changes_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    program = "import atexit, os\natexit.register(lambda: (print('{\"combined_score\": 99}', flush=True), os._exit(0)))"
    evaluation = judge(
        sandbox, tmp_path, LOAD + "def evaluate(path):\n    load(path)\n    return -1.0\n", program
    ).evaluation
    assert evaluation.score == -1.0


@pytest.mark.parametrize(
    ("evaluator", "said"),
    [
        ("x = 1", "evaluate(program_path)"),
        ("import no_such_module_anywhere", "no_such_module_anywhere"),
        ("def evaluate(:", "SyntaxError"),
    ],
)
def test_a_broken_evaluator_is_told(sandbox: Sandbox, tmp_path: Path, evaluator: str, said: str) -> None:
    found: Evaluation = judge(sandbox, tmp_path, evaluator).evaluation
    assert found.verdict is Verdict.CRASHED
    assert said in found.message


def test_a_missing_interpreter_is_told(sandbox: Sandbox, tmp_path: Path) -> None:
    found = judge(sandbox, tmp_path, "", interpreter="/no/such/python").evaluation
    assert found.verdict is Verdict.CRASHED
    assert "/no/such/python" in found.message
    assert judge(sandbox, tmp_path, "def evaluate(p): return 1", interpreter=sys.executable).evaluation.passed


def test_a_file_of_the_candidate_does_not_stand_in_for_the_standard_library(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('shadowed')")
    (tmp_path / "evaluators").mkdir()
    (tmp_path / "evaluators" / "e.py").write_text("def evaluate(p): return 1.0")
    made = PythonEvaluator(python="evaluators/e.py")
    assert made.evaluate(Slot(folder=str(tmp_path)), sandbox).evaluation.score == 1.0
