"""`skygit log`: what happened in a run, ticket by ticket."""

from pathlib import Path
from typing import Annotated, Any

import typer

from skygit.cli.figures import as_json, natural, settings_of, short, table
from skygit.cli.selection import tell
from skygit.domain.event import Evaluated, Failed
from skygit.domain.request import Proposal
from skygit.domain.ticket import Ticket
from skygit.wire.site import open_site


def log(
    run: Annotated[str, typer.Argument(help="The run; the newest when left out.")] = "",
    *,
    number: Annotated[int, typer.Option("-n", help="Only the newest N tickets; 0 is all of them.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="For a script.")] = False,
) -> None:
    """What happened in a run, ticket by ticket, the newest last."""
    told = tell(open_site(Path.cwd()), run)
    tickets = list(told.history.tickets.values())[-number:]
    if json:
        print(as_json([_facts(ticket) for ticket in tickets]))
        return
    show = natural(settings_of(told.started))
    rows = [_row(ticket, show) for ticket in tickets]
    print(table(("ticket", "island", "candidate", "score", "outcome", "what"), rows))


def _row(ticket: Ticket, show: Any) -> tuple[str, ...]:
    facts = _facts(ticket)
    score = show(facts["score"]) if facts["score"] is not None else "-"
    commit = short(facts["commit"]) if facts["commit"] else "-"
    why = f": {facts['message']}" if facts["message"] else ""
    return (f"#{ticket.number}", str(facts["island"]), commit, score, facts["outcome"], f"{facts['what']}{why}")


def _facts(ticket: Ticket) -> dict[str, Any]:
    candidate, evaluation, closing = ticket.candidate, ticket.evaluation, ticket.closing
    request = ticket.request
    failed = closing if isinstance(closing, Failed) else None
    return {
        "ticket": ticket.number,
        "kind": type(request).__name__.lower(),
        "island": request.island if isinstance(request, Proposal) else "-",
        "commit": candidate.commit if candidate else "",
        "score": evaluation.score if evaluation else None,
        "outcome": _outcome(ticket),
        "what": candidate.summary if candidate else failed.summary if failed else type(request).__name__.lower(),
        "message": evaluation.message if evaluation else failed.message if failed else "",
        "replies": len(ticket.replies),
    }


def _outcome(ticket: Ticket) -> str:
    match ticket.closing:
        case None:
            return "open"
        case Evaluated(evaluation=evaluation):
            return str(evaluation.verdict)
        case Failed(word=word):
            return word
        case _:
            return "done"
