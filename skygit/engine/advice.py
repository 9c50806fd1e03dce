"""A consult -> messages: what a model is shown when it is asked for advice."""

from collections.abc import Sequence

from skygit.domain.brief import Message
from skygit.domain.candidate import Judged
from skygit.domain.draft import FILES
from skygit.domain.event import Failed
from skygit.domain.history import History
from skygit.domain.request import Consult
from skygit.engine.world import World

MOST_PROGRAM = 24_000
"""Characters of the best program shown; the rest is named, not shown."""


def messages(world: World, history: History, consult: Consult) -> Sequence[Message]:
    """The messages of a consult (seeds 9.3.4: evaluator, best program, failed approaches)."""
    best = history.judged[consult.best]
    facts = {
        "problem": world.problem,
        "evaluator_code": world.evaluator_text,
        "best_score": f"{best.score:.6g}",
        "best_program": _program(world, best),
        "failed_approaches": "\n".join(_approach(history, number) for number in consult.failed) or "(none yet)",
        "notes": "\n".join(f"- {note}" for note in consult.notes) or "(none yet)",
    }
    return world.scribe.consult(consult.topic, facts)


def _program(world: World, best: Judged) -> str:
    """The files this lineage changed, else the change from the base, within the limit."""
    tree = world.repository.tree(best.candidate.commit)
    parts, left = [], MOST_PROGRAM
    for path in best.candidate.paths or _evolvable(world, best):
        if tree.mode(path) not in FILES:
            continue
        text = tree.read(path).decode("utf-8", "replace")
        parts.append(f"### {path}\n{text[:left]}" + ("\n[cut]" if len(text) > left else ""))
        left -= min(left, len(text))
        if left == 0:
            break
    return "\n\n".join(parts)


def _evolvable(world: World, best: Judged) -> Sequence[str]:
    from skygit.edits.permits import editable

    tree = world.repository.tree(best.candidate.commit)
    return [path for path in sorted(tree.paths()) if editable(world.scope, path)]


def _approach(history: History, number: int) -> str:
    ticket = history.tickets[number]
    if isinstance(ticket.closing, Failed):
        return f"- {ticket.closing.summary or 'an edit'}: {ticket.closing.word}, {ticket.closing.message}"
    judged = ticket.judged
    if judged is None:
        return f"- ticket {number}: no candidate"
    outcome = f"score {judged.score:.6g}" if judged.evaluation.passed else judged.evaluation.message
    return f"- {judged.candidate.summary}: {outcome}"
