"""The parts of a prompt beside the files: standing, artifacts, other candidates, failures, directions."""

import re
from collections.abc import Sequence
from typing import Final

from skygit.domain.brief import Attempt, Brief
from skygit.domain.candidate import Judged
from skygit.domain.scope import Scope
from skygit.ports import Desk
from skygit.prompts.budget import clip, fill, head, tokens
from skygit.prompts.text import fenced, quoted

_MOST_DIFFS: Final = 3
"""Failed attempts whose diff is shown; the others are told in a line."""
_DIFF: Final = 500
"""Tokens of the diff of one failed attempt."""
_ONE_LINE: Final = 300
_HUNK: Final = re.compile(r"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@", re.MULTILINE)
_BLOBS: Final = re.compile(r"^(?:diff --git .*|index [0-9a-f]+\.\.[0-9a-f]+(?: \d+)?)\n", re.MULTILINE)
_MOST_METRICS: Final = 20


def scope_values(scope: Scope) -> dict[str, str]:
    """What `scope.md` names."""
    allowed = [
        f"{what} {'is' if yes else 'is not'} allowed."
        for what, yes in (
            ("Deleting a file", scope.allow_delete),
            ("Renaming a file", scope.allow_rename),
            ("Changing a file's mode", scope.allow_mode_change),
        )
    ]
    return {
        "evolvable": _globs(scope.evolvable),
        "protected": _globs(scope.protected),
        "new_files": f"may be made where the path matches {_globs(scope.new_files)}" if scope.new_files else "none",
        "allowances": " ".join(allowed),
        "max_files": str(scope.max_files),
        "max_change_bytes": str(scope.max_change_bytes),
    }


def standing(brief: Brief) -> str:
    """The parent's score and metrics, and the best score of the run."""
    parent = brief.parents[0]
    metrics = sorted(parent.evaluation.metrics.items())[:_MOST_METRICS]
    lines = [f"Score of this code: {number(parent.score)} (higher is better)."]
    lines += [f"Best score of the run: {number(brief.best.score)}."] if brief.best.score > parent.score else []
    lines += ["Metrics: " + ", ".join(f"{name} = {number(value)}" for name, value in metrics)] if metrics else []
    return "\n".join(lines)


def artifacts(brief: Brief, limit: int) -> str:
    """What the evaluation left, each text cut so that all get a share."""
    names = sorted(brief.artifacts)
    if not names:
        return ""
    share = limit // len(names)
    parts = []
    for name in names:
        label = f"`{_line(name)}`:"
        text = clip(brief.artifacts[name], share - tokens(label) - 8)
        parts.append(f"{label}\n{fenced(text)}\n")
    return fill(parts, limit)


def partner(brief: Brief, desk: Desk, limit: int) -> str:
    """The second parent of a merge, as a diff from the first."""
    return fill([_other(brief, desk, judged, limit - 8) for judged in brief.parents[1:2]], limit)


def inspirations(brief: Brief, desk: Desk, limit: int) -> str:
    """Other candidates as diffs from the parent, with their scores."""
    parent = brief.parents[0].candidate.commit
    others = [judged for judged in brief.inspirations if judged.candidate.commit != parent]
    share = limit // max(len(others), 1) - 8
    return fill([_other(brief, desk, judged, share) for judged in others], limit)


def attempts(brief: Brief, desk: Desk, limit: int) -> str:
    """Failed siblings: what they changed, why they failed, and the newest ones' diffs."""
    parent = brief.parents[0].candidate.commit
    tried = list({_attempt(attempt): attempt for attempt in reversed(brief.attempts)}.items())[::-1]
    parts = [told for told, _ in tried]  # what failed twice in the same way is told once
    left = limit - sum(tokens(part) + 1 for part in parts)
    with_diff = [place for place, (_, attempt) in enumerate(tried) if attempt.commit][:_MOST_DIFFS]
    for place in with_diff:
        shown = _cut_diff(desk.diff(parent, tried[place][1].commit), min(left - 2, _DIFF))
        if shown:
            parts[place] += f"\n{shown}"
            left -= tokens(shown) + 1
    return fill(parts, limit)


def tactics(brief: Brief, limit: int) -> str:
    """The directions in force."""
    return fill([f"- {_line(tactic.name)}: {tactic.text.strip()}" for tactic in brief.proposal.tactics], limit)


def number(value: float) -> str:
    """A score or metric as a model should read it."""
    return f"{value:.8g}"


def _attempt(attempt: Attempt) -> str:
    where = f" (in {', '.join(quoted(path) for path in attempt.paths[:6])})" if attempt.paths else ""
    return f"- {_line(attempt.summary) or 'an edit'}{where}: {attempt.outcome}. {_line(attempt.message)}".rstrip()


def _other(brief: Brief, desk: Desk, judged: Judged, limit: int) -> str:
    name = judged.candidate.commit[:10]
    title = f"Candidate {name}, score {number(judged.score)}: {_line(judged.candidate.summary)}"
    diff = desk.diff(brief.parents[0].candidate.commit, judged.candidate.commit)
    return f"{title}\n{_cut_diff(diff, limit - tokens(title) - 2)}\n"


def _cut_diff(diff: str, limit: int) -> str:
    plain = _numberless(diff)
    shown = head(plain, limit - 16)
    if not shown.strip():
        return ""
    note = "" if shown == plain else "\n(the rest of this diff is not shown)"
    return f"{fenced(shown, 'diff')}{note}"


def _numberless(diff: str) -> str:
    """A diff in the form that is asked for: no line numbers, no blob ids."""
    return _HUNK.sub("@@", _BLOBS.sub("", diff))


def _globs(globs: Sequence[str]) -> str:
    return ", ".join(f"`{glob}`" for glob in globs) or "none"


def _line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _ONE_LINE else f"{flat[: _ONE_LINE - 3]}..."
