"""A command in any language: it must exit 0, and the score rule finds the number."""

from dataclasses import dataclass, field

from skygit.evaluators.judging import judgement
from skygit.evaluators.limits import Limits
from skygit.evaluators.score import ScoreRule
from skygit.ports import Judgement, Sandbox, Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEvaluator:
    """Runs `command` (argv) in the slot."""

    command: tuple[str, ...]
    score: ScoreRule = field(default_factory=ScoreRule)
    limits: Limits = field(default_factory=Limits)

    def evaluate(self, slot: Slot, sandbox: Sandbox) -> Judgement:
        """Run and judge."""
        finished = self.limits.run(self.command, slot, sandbox, channel=self.score.channel)
        return judgement(finished, self.score, slot, sandbox, self.limits.timeout)


PLUGIN = CommandEvaluator
