"""History -> brief: what a proposer is told."""

import json
from collections.abc import Callable

from skygit.domain.brief import Attempt, Brief
from skygit.domain.candidate import Judged
from skygit.domain.event import Evaluated, Failed
from skygit.domain.history import History
from skygit.domain.request import Proposal
from skygit.domain.ticket import Ticket
from skygit.engine.world import World

MOST_ATTEMPTS = 8
"""Failed or worse siblings shown to a proposer, newest first."""

Papers = Callable[[int, str], bytes | None]
"""The newest paper of a ticket by name, None when it has none."""


def brief(world: World, history: History, papers: Papers, ticket: Ticket, seed: int) -> Brief:
    """The brief of an open proposal."""
    proposal = ticket.request
    assert isinstance(proposal, Proposal)
    parents = tuple(history.judged[commit] for commit in proposal.parents)
    assert history.best is not None
    return Brief(
        ticket=ticket.number,
        seed=seed,
        proposal=proposal,
        parents=parents,
        best=history.best,
        scope=world.scope,
        problem=world.problem,
        inspirations=tuple(history.judged[commit] for commit in proposal.inspirations if commit in history.judged),
        attempts=attempts(history, parents[0], before=ticket.number),
        artifacts=artifacts(papers, parents[0].ticket),
        credits=dict(history.credits),
    )


def attempts(history: History, parent: Judged, *, before: int) -> tuple[Attempt, ...]:
    """The parent's children that came to nothing or did not beat it, newest first."""
    found: list[Attempt] = []
    for number in reversed(history.children[parent.candidate.commit]):
        attempt = _attempt(history.tickets[number], parent) if number < before else None
        if attempt is not None:
            found.append(attempt)
        if len(found) == MOST_ATTEMPTS:
            break
    return tuple(found)


def artifacts(papers: Papers, ticket: int) -> dict[str, str]:
    """What the evaluator left for the next prompt, name to text."""
    paper = papers(ticket, "artifacts.json")
    if paper is None:
        return {}
    plain = json.loads(paper)
    return {str(name): text if isinstance(text, str) else json.dumps(text) for name, text in plain.items()}


def _attempt(ticket: Ticket, parent: Judged) -> Attempt | None:
    match ticket.closing:
        case Failed(word=word, message=message, paths=paths, summary=summary):
            return Attempt(ticket=ticket.number, summary=summary, outcome=word, message=message, paths=paths)
        case Evaluated():
            return _worse(ticket, parent)
        case _:
            return None


def _worse(ticket: Ticket, parent: Judged) -> Attempt | None:
    child = ticket.judged
    if child is None or (child.evaluation.passed and child.score > parent.score):
        return None
    evaluation, candidate = child.evaluation, child.candidate
    message = (
        f"score {child.score:.6g}, the parent's is {parent.score:.6g}" if evaluation.passed else evaluation.message
    )
    return Attempt(
        ticket=ticket.number,
        summary=candidate.summary,
        outcome=str(evaluation.verdict) if not evaluation.passed else "not-better",
        message=message,
        paths=candidate.paths,
        commit=candidate.commit,
    )
