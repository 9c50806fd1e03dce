"""Noise: measured several times, the median counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from skygit.ports import Evaluator, Judgement, Sandbox, Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatEvaluator:
    """Measures `repeats` times in one slot; the first measurement that fails decides.

    Put it around the measure, inside a cascade: gates need no repetition.
    """

    inner: Evaluator
    repeats: int

    def evaluate(self, slot: Slot, sandbox: Sandbox) -> Judgement:
        """The judgement nearest the median, with the median as score and all samples in order."""
        done: list[Judgement] = []
        for _ in range(max(self.repeats, 1)):
            done.append(self.inner.evaluate(slot, sandbox))
            if not done[-1].evaluation.passed:
                return msgspec.structs.replace(done[-1], seconds=_seconds(done))
        return _middle(done)


def _middle(done: Sequence[Judgement]) -> Judgement:
    samples = tuple(one.evaluation.score for one in done if one.evaluation.score is not None)
    score = median(samples)
    nearest = done[min(range(len(samples)), key=lambda at: abs(samples[at] - score))]
    evaluation = msgspec.structs.replace(
        nearest.evaluation, score=score, samples=samples, metrics=_medians([one.evaluation.metrics for one in done])
    )
    return msgspec.structs.replace(nearest, evaluation=evaluation, seconds=_seconds(done))


def _medians(all_metrics: Sequence[dict[str, float]]) -> dict[str, float]:
    shared = [name for name in all_metrics[0] if all(name in metrics for metrics in all_metrics)]
    return {name: median(metrics[name] for metrics in all_metrics) for name in shared}


def _seconds(done: Sequence[Judgement]) -> float:
    return sum(one.seconds for one in done)


PLUGIN = RepeatEvaluator
