"""The message of a review commit: what changed, what it is worth, how it came about."""

from collections.abc import Callable, Sequence

from skygit.domain.candidate import Judged
from skygit.domain.history import History
from skygit.domain.value import Value
from skygit.review.revalidate import Revalidation

MOST_STEPS = 30
"""Steps of the lineage that are listed."""


class Evidence(Value, frozen=True, kw_only=True):
    """What a review found: the run and its winner, measured again; `smaller` when pieces were put back."""

    run: str
    winner: Judged
    checked: Revalidation
    smaller: bool


def describe(history: History, evidence: Evidence, natural: Callable[[float], str]) -> str:
    """Subject, body and trailers. `natural` writes a score as it was measured."""
    base, winner = history.base, evidence.winner
    lines = [
        subject(base, winner),
        "",
        f"Score: {natural(base.score)} -> {natural(winner.score)} in the run.",
        _fresh(evidence.checked, natural),
        *(["Pieces of the change that earn nothing were put back."] if evidence.smaller else []),
        *_metrics(base, winner),
        "",
        "How it came about, newest first:",
        *_steps(history, winner, natural),
        "",
        f"Skygit-Run: {evidence.run}",
        f"Skygit-Candidate: {winner.candidate.commit}",
        f"Skygit-Ticket: {winner.ticket}",
        f"Skygit-Sandbox: {winner.evaluation.sandbox or 'unknown'}",
    ]
    return "\n".join(lines) + "\n"


def subject(base: Judged, winner: Judged) -> str:
    """One line: the gain and, where it is one step, the step."""
    difference = winner.score - base.score
    gain = f"{100 * difference / abs(base.score):+.3g} %" if base.score else f"{difference:+.4g}"
    if winner.candidate.generation == 1:
        return f"{winner.candidate.summary} ({gain})"[:100]
    return f"Improve the score by {gain} in {winner.candidate.generation} steps"


def _fresh(checked: Revalidation, natural: Callable[[float], str]) -> str:
    if checked.failure is not None:
        return f"Measured again: the {checked.failed} did not pass: {checked.failure.message}"
    base, winner = (", ".join(natural(score) for score in scores) for scores in (checked.base, checked.winner))
    return f"Measured again, in turns: base {base}; this {winner}."


def _metrics(base: Judged, winner: Judged) -> Sequence[str]:
    before, after = base.evaluation.metrics, winner.evaluation.metrics
    return [f"  {name}: {before[name]:.6g} -> {after[name]:.6g}" for name in sorted(before.keys() & after.keys())]


def _steps(history: History, winner: Judged, natural: Callable[[float], str]) -> Sequence[str]:
    line = [judged for judged in history.lineage(winner.candidate.commit) if judged.ticket > 0]
    rows = [f"- {natural(judged.score)}  {judged.candidate.summary}" for judged in line[:MOST_STEPS]]
    more = len(line) - MOST_STEPS
    return [*rows, f"- and {more} earlier steps"] if more > 0 else rows
