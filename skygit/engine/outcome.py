"""What a worker brings back to the coordinator."""

from dataclasses import dataclass, field

from skygit.domain.brief import Reply
from skygit.domain.event import TicketEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """An event, its papers, and the reply's text where it is one."""

    event: TicketEvent
    papers: dict[str, bytes] = field(default_factory=dict)
    reply: Reply | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The ticket wants a reply, and no more may be bought: it stays open for a later session."""

    ticket: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A worker could not go on: an outage, a full disk or a bug. The ticket stays open."""

    ticket: int
    error: BaseException


Outcome = Happened | Held | Broken
