"""The events of a run. A run is their sequence; everything else is a fold over it.

A ticket is opened by `Requested`, may pass through `Replied` (once per paid reply) and
`Committed`, and ends in a closing: `Evaluated`, `Failed`, `Answered` or `Computed`.
`Started`, `Adjusted`, `Steered` and `Stopped` concern the run as a whole.

What an event says is a fact, compared when a run is replayed, except its `seen`: times and
costs, which differ from run to run. Papers (prompt, reply, output) lie beside an event.
"""

from typing import Any, Final

from skygit.domain.candidate import Candidate, Evaluation
from skygit.domain.request import Request
from skygit.domain.value import Value

SCHEMA: Final = 1
"""The version of everything in this module. A journal of another version is refused."""


class Seen(Value, frozen=True, kw_only=True):
    """Observations. `at` Unix seconds, `seconds` duration, `cost` US dollars (None: unpriced).

    `papers` are the names of the event's own papers: an append may hold those of others too.
    """

    at: float = 0.0
    seconds: float = 0.0
    cost: float | None = 0.0
    note: str = ""
    papers: tuple[str, ...] = ()


class Started(Value, tag="started", frozen=True, kw_only=True):
    """The first event. `base` is the commit evolved from, `settings` the set-up as checked."""

    schema: int
    run: str
    base: str
    seed: int
    settings: dict[str, Any]
    bundle: tuple[str, ...] = ()
    seen: Seen = Seen()


class Adjusted(Value, tag="adjusted", frozen=True, kw_only=True):
    """Limits, models or parallelism changed: only the sections that a run may change."""

    settings: dict[str, Any]
    seen: Seen = Seen()


class Steered(Value, tag="steered", frozen=True, kw_only=True):
    """What a person said to a running evolution. `island` None is all of them."""

    kind: str
    text: str = ""
    commit: str = ""
    island: int | None = None
    window: int = 0
    seen: Seen = Seen()


class Stopped(Value, tag="stopped", frozen=True, kw_only=True):
    """A session ended; the run may go on. `reason` is a word, `message` a sentence."""

    reason: str
    message: str = ""
    seen: Seen = Seen()


class Requested(Value, tag="requested", frozen=True, kw_only=True):
    """A ticket was opened."""

    ticket: int
    request: Request
    seen: Seen = Seen()


class Replied(Value, tag="replied", frozen=True, kw_only=True):
    """A paid reply, recorded before it is parsed. Its text is the paper `reply.md`."""

    ticket: int
    ordinal: int
    model: str
    digest: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    truncated: bool = False
    seen: Seen = Seen()


class Committed(Value, tag="committed", frozen=True, kw_only=True):
    """The ticket's child is a commit. Not yet judged."""

    ticket: int
    candidate: Candidate
    seen: Seen = Seen()


class Evaluated(Value, tag="evaluated", frozen=True, kw_only=True):
    """A closing: the child (or the candidate measured again) was judged.

    `cached`: another candidate with the same evaluation tree had been judged before.
    """

    ticket: int
    commit: str
    evaluation: Evaluation
    cached: bool = False
    seen: Seen = Seen()


class Failed(Value, tag="failed", frozen=True, kw_only=True):
    """A closing without a child: the word and the sentence of the reason, and what was tried."""

    ticket: int
    word: str
    message: str
    paths: tuple[str, ...] = ()
    summary: str = ""
    seen: Seen = Seen()


class Answered(Value, tag="answered", frozen=True, kw_only=True):
    """A closing: a model's advice."""

    ticket: int
    text: str
    seen: Seen = Seen()


class Computed(Value, tag="computed", frozen=True, kw_only=True):
    """A closing: what the program printed, or why it has no result (`error` not empty)."""

    ticket: int
    output: str
    error: str = ""
    seen: Seen = Seen()


Closing = Evaluated | Failed | Answered | Computed
TicketEvent = Requested | Replied | Committed | Evaluated | Failed | Answered | Computed
Event = Started | Adjusted | Steered | Stopped | TicketEvent
