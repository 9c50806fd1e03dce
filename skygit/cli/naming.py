"""How a candidate is named on the command line: a ticket, "best", "base", or its commit's beginning."""

from skygit.cli.selection import Told
from skygit.domain.candidate import Judged
from skygit.domain.ticket import Ticket
from skygit.errors import UserError

LEAST = 4
"""Characters of a commit id that must be given."""


def ticket_of(told: Told, name: str) -> Ticket:
    """The ticket that a name stands for. Raises UserError when there is none, or more than one."""
    history = told.history
    if name in ("", "best"):
        if history.best is None:
            raise UserError(f"the run {told.name} has no best candidate yet")
        return history.tickets[history.best.ticket]
    if name == "base":
        return history.tickets[0]
    if name.startswith("#"):
        return _numbered(told, name)
    return _committed(told, name)


def judged_of(told: Told, name: str) -> Judged:
    """The judged candidate that a name stands for."""
    ticket = ticket_of(told, name)
    if ticket.judged is None:
        raise UserError(f"ticket #{ticket.number} of {told.name} has no judged candidate")
    return ticket.judged


def commit_of(told: Told, name: str) -> str:
    """The commit that a name stands for."""
    ticket = ticket_of(told, name)
    if ticket.candidate is None:
        raise UserError(f"ticket #{ticket.number} of {told.name} never became a commit")
    return ticket.candidate.commit


def _numbered(told: Told, name: str) -> Ticket:
    number = name.removeprefix("#")
    if not number.isdigit() or int(number) not in told.history.tickets:
        raise UserError(f"{name}: the run {told.name} has tickets #0 to #{len(told.history.tickets) - 1}")
    return told.history.tickets[int(number)]


def _committed(told: Told, name: str) -> Ticket:
    tickets = told.history.tickets.values()
    found = [ticket for ticket in tickets if ticket.candidate and ticket.candidate.commit.startswith(name.lower())]
    if name.isdigit() and int(name) in told.history.tickets and not found:
        return told.history.tickets[int(name)]
    if len(name) < LEAST or not found:
        raise UserError(
            f"no candidate {name} in the run {told.name}: name #TICKET, best, base, or a commit's beginning"
        )
    if len({ticket.candidate.commit for ticket in found if ticket.candidate}) > 1:
        raise UserError(f"{name} is the beginning of {len(found)} candidates: give more of it")
    return found[0]
