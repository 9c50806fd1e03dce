"""A candidate is a commit; a judged one has an evaluation."""

from enum import StrEnum
from math import isfinite

from msgspec.structs import replace

from skygit.domain.value import Value


class Verdict(StrEnum):
    """What an evaluation found. Only `passed` carries a score."""

    PASSED = "passed"
    INVALID = "invalid"
    CRASHED = "crashed"
    TIMED_OUT = "timed-out"
    TAMPERED = "tampered"


class Candidate(Value, frozen=True, kw_only=True):
    """One commit of a run. `kinds` are the edit kinds that made it (credited by gains)."""

    commit: str
    tree: str
    parents: tuple[str, ...]
    island: int
    generation: int
    summary: str
    operator: str
    model: str = ""
    paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    sketch: tuple[int, ...] = ()


def base_candidate(commit: str, tree: str) -> Candidate:
    """The base as the candidate that ticket 0 judges."""
    return Candidate(commit=commit, tree=tree, parents=(), island=0, generation=0, summary="the base", operator="base")


class Evaluation(Value, frozen=True, kw_only=True):
    """What was measured. `score` is maximised, finite, and there only when passed.

    `message` is one line that says why it did not pass. `samples` are the scores of
    repeated measurements, in order; `sandbox` is the tier that held the candidate.
    """

    verdict: Verdict
    score: float | None = None
    metrics: dict[str, float] = {}
    message: str = ""
    samples: tuple[float, ...] = ()
    sandbox: str = ""
    stage: str = ""

    @property
    def passed(self) -> bool:
        return self.verdict is Verdict.PASSED


def sound(evaluation: Evaluation) -> Evaluation:
    """The evaluation, whatever measured it, without numbers that are not finite: those are never a score."""
    metrics = {name: number for name, number in evaluation.metrics.items() if isfinite(number)}
    samples = tuple(number for number in evaluation.samples if isfinite(number))
    clean = replace(evaluation, metrics=metrics, samples=samples)
    if evaluation.score is None or isfinite(evaluation.score):
        return clean
    message = f"the score is {evaluation.score}, not a finite number"
    return replace(clean, verdict=Verdict.INVALID, score=None, message=message)


class Judged(Value, frozen=True, kw_only=True):
    """A candidate and its evaluation, with the ticket that made it."""

    ticket: int
    candidate: Candidate
    evaluation: Evaluation

    @property
    def score(self) -> float:
        """The score. Only a judged candidate that passed has one."""
        assert self.evaluation.score is not None, f"{self.candidate.commit} has no score"
        return self.evaluation.score
