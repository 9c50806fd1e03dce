"""A Python file with `evaluate(program_path)`, run in a child process.

The file comes from the slot, where it is the bundle's or the base's, never the candidate's.
It may return a number, a mapping or an object; `skygit.harness` says what is understood. A
candidate imported into the child shares it with the evaluator: it cannot reach skygit or
the next candidate, but it can deceive this evaluator. Evaluators that must not be deceived
run the candidate as a program of its own.
"""

import site
import sys
from dataclasses import dataclass, field
from pathlib import Path

from skygit.evaluators.judging import judgement
from skygit.evaluators.limits import Limits
from skygit.evaluators.score import ScoreRule
from skygit.ports import Judgement, Sandbox, Slot

_PACKAGE = str(Path(__file__).parents[2])
_START = "import sys; sys.path[0] = sys.argv[1]; from skygit.evaluators.runner import main; main(*sys.argv[2:])"


def _reported() -> ScoreRule:
    return ScoreRule(source="result")


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonEvaluator:
    """`python` is the evaluator's file and `program` what it is given, both relative to the slot.

    `interpreter` runs it; "" is the Python that runs skygit.
    """

    python: str
    program: str = "."
    interpreter: str = ""
    score: ScoreRule = field(default_factory=_reported)
    limits: Limits = field(default_factory=Limits)

    def evaluate(self, slot: Slot, sandbox: Sandbox) -> Judgement:
        """Call `evaluate` with the program's absolute path and judge what it returns."""
        evaluator, program = (str(Path(slot.folder) / path) for path in (self.python, self.program))
        argv = (self.interpreter or sys.executable, "-c", _START, _PACKAGE, evaluator, program)
        finished = self.limits.run(argv, slot, sandbox, channel=True, env=_user_packages())
        return judgement(finished, self.score, slot, sandbox, self.limits.timeout)


def _user_packages() -> dict[str, str]:
    """Packages installed for the user are found by HOME, which is another one in a sandbox."""
    return {"PYTHONUSERBASE": site.getuserbase()} if site.ENABLE_USER_SITE else {}


PLUGIN = PythonEvaluator
