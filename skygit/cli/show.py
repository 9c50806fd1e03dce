"""`skygit show`: one candidate, with what was asked, answered and measured."""

import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from skygit.cli.figures import as_json, natural, settings_of, table
from skygit.cli.naming import ticket_of
from skygit.cli.selection import Told, tell
from skygit.domain.event import Failed, TicketEvent
from skygit.domain.ticket import Ticket
from skygit.git.journal import open_journal
from skygit.wire.site import Site, open_site


def show(
    candidate: Annotated[str, typer.Argument(help="#TICKET, best, base, or the beginning of a commit.")] = "best",
    *,
    run: Annotated[str, typer.Option(help="The run; the newest when left out.")] = "",
    prompt: Annotated[bool, typer.Option("--prompt", help="What the model was asked.")] = False,
    reply: Annotated[bool, typer.Option("--reply", help="What it answered.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="The change from the parent.")] = False,
    artifacts: Annotated[bool, typer.Option("--artifacts", help="What the evaluator left, and its output.")] = False,
    json: Annotated[bool, typer.Option("--json", help="For a script.")] = False,
) -> None:
    """One candidate: scores, prompt, reply, diff, artifacts."""
    site = open_site(Path.cwd())
    told = tell(site, run)
    ticket = ticket_of(told, candidate)
    if json:
        print(as_json({**_plain(ticket), "papers": dict(_decoded(site, told, ticket))}))
        return
    if prompt or reply:
        _papers(site, told, ticket, "prompt.md" if prompt else "reply.md")
    elif artifacts:
        _papers(site, told, ticket, "artifacts.json", "stdout.txt", "stderr.txt")
    elif diff:
        sys.stdout.write(_diff(site, ticket))
    else:
        print(table(("ticket", f"#{ticket.number} of {told.name}"), list(_facts(told, ticket).items())))


def _plain(ticket: Ticket) -> dict[str, Any]:
    """Everything as it is recorded: the score is maximised, metrics are as they were measured."""
    closing = ticket.closing
    return {
        "ticket": ticket.number,
        "request": msgspec.to_builtins(ticket.request),
        "candidate": msgspec.to_builtins(ticket.candidate),
        "evaluation": msgspec.to_builtins(ticket.evaluation),
        "failure": {"word": closing.word, "message": closing.message} if isinstance(closing, Failed) else None,
    }


def _facts(told: Told, ticket: Ticket) -> dict[str, str]:
    natural_score = natural(settings_of(told.started))
    facts: dict[str, str] = {"request": type(ticket.request).__name__.lower()}
    candidate, evaluation, closing = ticket.candidate, ticket.evaluation, ticket.closing
    if candidate is not None:
        facts |= {
            "candidate": candidate.commit,
            "what": candidate.summary,
            "parents": " ".join(candidate.parents),
            "island": str(candidate.island),
            "generation": str(candidate.generation),
            "files": " ".join(candidate.paths),
        }
    if evaluation is not None:
        score = natural_score(evaluation.score) if evaluation.score is not None else "-"
        facts |= {"verdict": str(evaluation.verdict), "score": score, "message": evaluation.message}
        facts |= {name: f"{value:.6g}" for name, value in evaluation.metrics.items()}
        facts["sandbox"] = evaluation.sandbox
    if isinstance(closing, Failed):
        facts |= {"outcome": closing.word, "message": closing.message, "what": closing.summary}
    return {key: value for key, value in facts.items() if value}


def _papers(site: Site, told: Told, ticket: Ticket, *names: str) -> None:
    found = [(name, text) for name, text in _decoded(site, told, ticket) if name in names]
    for name, text in found:
        if len(names) > 1 or len(found) > 1:
            print(f"── {name}")
        print(text)
    if not found:
        print(f"ticket #{ticket.number} has no {' or '.join(names)}", file=sys.stderr)


def _decoded(site: Site, told: Told, ticket: Ticket) -> list[tuple[str, str]]:
    journal = open_journal(site.repository, told.name)
    return [
        (name, journal.paper(item.at, name).decode("utf-8", "replace"))
        for item in told.recorded
        if isinstance(item.event, TicketEvent) and item.event.ticket == ticket.number
        for name in item.event.seen.papers
    ]


def _diff(site: Site, ticket: Ticket) -> str:
    if ticket.candidate is None or not ticket.candidate.parents:
        return ""
    return site.repository.diff(ticket.candidate.parents[0], ticket.candidate.commit)
