"""Evaluations on this machine."""

from collections.abc import Sequence
from dataclasses import dataclass

from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.ports import Evaluator, Judgement, Sandbox, Slots

_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalExecutor:
    """Lays candidates into slots and measures them there. Safe to use from several threads."""

    slots: Slots
    evaluator: Evaluator
    sandbox: Sandbox

    def judge(self, candidate: Candidate) -> Judgement:
        """Measure in a slot of its own. Who changes what is protected gets no score, whatever was measured."""
        with self.slots.lease(candidate.commit) as slot:
            judgement = self.evaluator.evaluate(slot, self.sandbox)
            changed = self.slots.tampered(slot)
        return _tampered(judgement, changed) if changed else judgement

    def stop(self) -> None:
        """Kill what runs; nothing more is run."""
        self.sandbox.close()

    def close(self) -> None:
        """Kill what runs and remove the slots."""
        self.sandbox.close()
        self.slots.close()


def _tampered(judgement: Judgement, changed: Sequence[str]) -> Judgement:
    named = ", ".join(sorted(changed)[:_NAMED])
    more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    evaluation = Evaluation(
        verdict=Verdict.TAMPERED,
        message=f"changed while it was measured: {named}{more}",
        sandbox=judgement.evaluation.sandbox,
        stage=judgement.evaluation.stage,
    )
    return Judgement(evaluation=evaluation, papers=judgement.papers, seconds=judgement.seconds)


PLUGIN = LocalExecutor
