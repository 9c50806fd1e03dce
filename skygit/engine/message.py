"""The commit message of a candidate: what changed, why, and where it comes from."""

from collections.abc import Sequence

from skygit.domain.brief import Reply, Sketch
from skygit.domain.request import Proposal

SUBJECT = 72
"""Most characters of a subject line."""


def compose(run: str, ticket: int, proposal: Proposal, sketch: Sketch, replies: Sequence[Reply]) -> str:
    """Subject, body and trailers, in the order people expect of git."""
    trailers = {
        "Skygit-Run": run,
        "Skygit-Ticket": str(ticket),
        "Skygit-Island": str(proposal.island),
        "Skygit-Operator": ", ".join(sketch.kinds) or proposal.operator,
    }
    if replies:
        trailers["Skygit-Model"] = replies[-1].model
        trailers["Skygit-Tokens"] = str(sum(reply.prompt_tokens + reply.completion_tokens for reply in replies))
        trailers["Skygit-Cost"] = _cost(replies)
    body = f"\n{sketch.body.strip()}\n" if sketch.body.strip() else ""
    lines = "\n".join(f"{name}: {_line(text)}" for name, text in trailers.items() if text)
    return f"{subject(sketch.summary)}\n{body}\n{lines}\n".replace("\0", "")  # git ends a message at a NUL


def subject(summary: str) -> str:
    """One line of at most SUBJECT characters."""
    line = _line(summary) or "change"
    return line if len(line) <= SUBJECT else line[: SUBJECT - 1].rstrip() + "…"


def _line(text: str) -> str:
    return " ".join(text.split())


def _cost(replies: Sequence[Reply]) -> str:
    if any(reply.cost is None for reply in replies):
        return "unpriced"
    return f"{sum(reply.cost or 0.0 for reply in replies):.6f} USD"
