"""From how a command ended to a judgement with its papers. A verdict is never a score."""

import json
from collections.abc import Mapping
from typing import Any

from skygit.domain.candidate import Evaluation, Verdict
from skygit.evaluators.headline import ending, headline, tidy
from skygit.evaluators.score import Reading, ScoreRule
from skygit.ports import Finished, Judgement, Sandbox, Slot

_MOST_ARTIFACTS = 64
_ARTIFACT_CHARS = 16384
_ALL_CHARS = 65536
_NAME_CHARS = 100


def judgement(finished: Finished, rule: ScoreRule, slot: Slot, sandbox: Sandbox, timeout: float) -> Judgement:
    """The judgement on the command that gives the score."""
    failed = failure(finished, slot, timeout)
    if failed is not None:
        return judged(finished, failed[0], failed[1], sandbox)
    reading = rule.read(finished)
    if reading.fault:
        return judged(finished, Verdict.INVALID, tidy(reading.fault, slot.folder), sandbox, reading=reading)
    return judged(finished, Verdict.PASSED, "", sandbox, reading=reading)


def failure(finished: Finished, slot: Slot, timeout: float) -> tuple[Verdict, str] | None:
    """What went wrong with a command, as a verdict and a line; None when it ended well."""
    if finished.timed_out:
        return Verdict.TIMED_OUT, f"timed out after {timeout:g} s"
    if finished.status != 0 and finished.fault:
        return Verdict.CRASHED, tidy(finished.fault, slot.folder)
    if finished.status != 0:
        said = headline(finished, slot.folder)
        words = ending(finished.status)
        return Verdict.CRASHED, f"{words}: {said}" if said and finished.status < 0 else said or words
    if finished.fault:
        return Verdict.INVALID, tidy(finished.fault, slot.folder)
    if finished.strays:
        return Verdict.INVALID, f"{finished.strays} background processes outlived the command"
    return None


def judged(
    finished: Finished,
    verdict: Verdict,
    message: str,
    sandbox: Sandbox,
    *,
    reading: Reading | None = None,
    stage: str = "",
) -> Judgement:
    """A judgement with its papers: what was printed, and the artifacts."""
    found = reading or Reading()
    evaluation = Evaluation(
        verdict=verdict,
        score=found.score if verdict is Verdict.PASSED else None,
        metrics=found.metrics,
        message=message,
        sandbox=sandbox.name,
        stage=stage,
    )
    papers = _papers(finished, found.artifacts)
    return Judgement(evaluation=evaluation, papers=papers, seconds=finished.wall)


def _papers(finished: Finished, artifacts: Mapping[str, Any]) -> dict[str, bytes]:
    kept = _bounded(artifacts)
    all_papers = {
        "stdout.txt": finished.stdout,
        "stderr.txt": finished.stderr,
        "artifacts.json": json.dumps(kept, indent=1).encode() if kept else b"",
    }
    return {name: data for name, data in all_papers.items() if data}


def _bounded(artifacts: Mapping[str, Any]) -> dict[str, Any]:
    """Artifacts as they fit: the first 64, long ones cut, 64 KB of text in all."""
    kept: dict[str, Any] = {}
    left = _ALL_CHARS
    for name, value in list(artifacts.items())[:_MOST_ARTIFACTS]:
        text = value if isinstance(value, str) else json.dumps(value)
        allowed = min(_ARTIFACT_CHARS, left)
        if allowed <= 0:
            break
        kept[name[:_NAME_CHARS]] = value if len(text) <= allowed else _cut(text, allowed)
        left -= min(len(text), allowed)
    return kept


def _cut(text: str, allowed: int) -> str:
    return f"{text[: allowed // 2]}\n[... {len(text) - allowed} characters cut ...]\n{text[len(text) - allowed // 2 :]}"
