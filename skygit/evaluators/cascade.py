"""Cheap stages first: each must exit 0 before the next, and the measure comes last."""

from dataclasses import dataclass, field

import msgspec

from skygit.domain.candidate import Verdict
from skygit.evaluators.judging import failure, judged
from skygit.evaluators.limits import Limits
from skygit.evaluators.score import Reading
from skygit.ports import Evaluator, Finished, Judgement, Sandbox, Slot

_TAIL = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A gate: a command (argv) that must exit 0."""

    name: str
    command: tuple[str, ...]
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeEvaluator:
    """Stops at the first gate that fails, and says which one and why."""

    stages: tuple[Stage, ...]
    last: Evaluator

    def evaluate(self, slot: Slot, sandbox: Sandbox) -> Judgement:
        """Run the gates in order, then the last evaluator. The seconds are those of all."""
        spent = 0.0
        for stage in self.stages:
            finished = stage.limits.run(stage.command, slot, sandbox)
            spent += finished.wall
            refused = _refusal(stage, finished, slot, sandbox)
            if refused is not None:
                return msgspec.structs.replace(refused, seconds=spent)
        judgement = self.last.evaluate(slot, sandbox)
        return msgspec.structs.replace(judgement, seconds=spent + judgement.seconds)


def _refusal(stage: Stage, finished: Finished, slot: Slot, sandbox: Sandbox) -> Judgement | None:
    failed = failure(finished, slot, stage.limits.timeout)
    if failed is None:
        return None
    verdict, why = failed
    timed_out = verdict is Verdict.TIMED_OUT
    message = f"gate '{stage.name}' {why}" if timed_out else f"gate '{stage.name}' failed: {why}"
    return judged(
        finished,
        verdict if timed_out else Verdict.INVALID,
        message,
        sandbox,
        reading=Reading(artifacts={f"gate {stage.name}": _tail(finished)}),
        stage=stage.name,
    )


def _tail(finished: Finished) -> str:
    """The end of what the gate printed."""
    both = finished.stdout + finished.stderr
    return both[-_TAIL:].decode("utf-8", "replace")


PLUGIN = CascadeEvaluator
