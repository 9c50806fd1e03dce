"""What a proposer is told about the child it shall make, and what it may answer."""

from typing import Literal

from skygit.domain.candidate import Judged
from skygit.domain.draft import Draft, Refusal
from skygit.domain.request import Proposal
from skygit.domain.scope import Scope
from skygit.domain.value import Value

Role = Literal["system", "user", "assistant"]


class Message(Value, frozen=True, kw_only=True):
    """One message to a model."""

    role: Role
    text: str


class Reply(Value, frozen=True, kw_only=True):
    """What a model answered. `cost` in US dollars, None when the price is unknown.

    `truncated` when the model stopped at its length limit. `note` says what had to be done
    to get it (failover, dropped parameters); it is an observation.
    """

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    truncated: bool = False
    note: str = ""


class Credit(Value, frozen=True, kw_only=True):
    """How an edit kind did so far: children evaluated, and those that beat their first parent."""

    tries: int = 0
    gains: int = 0


class Attempt(Value, frozen=True, kw_only=True):
    """A child of the same parent that came to nothing, or was worse: what it did and why it failed.

    `commit` is "" when the reply never became one.
    """

    ticket: int
    summary: str
    outcome: str
    message: str
    paths: tuple[str, ...] = ()
    commit: str = ""


class Brief(Value, frozen=True, kw_only=True):
    """One proposal with everything around it. `parents[0]` is the one to be edited.

    `artifacts` are the parent's, name to text. `credits` maps an edit kind to its record.
    `seed` makes the proposer's chance: `Random(seed)` per ticket.
    """

    ticket: int
    seed: int
    proposal: Proposal
    parents: tuple[Judged, ...]
    best: Judged
    scope: Scope
    problem: str = ""
    inspirations: tuple[Judged, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    artifacts: dict[str, str] = {}
    credits: dict[str, Credit] = {}


class Call(Value, frozen=True, kw_only=True):
    """A proposer's wish: send these messages to a model and come back with the reply."""

    messages: tuple[Message, ...]
    model: str = ""


class Sketch(Value, frozen=True, kw_only=True):
    """A proposer's work done: the draft, a one-line summary, why, and the edit kinds in it."""

    draft: Draft
    summary: str
    body: str = ""
    kinds: tuple[str, ...] = ()


class GaveUp(Value, frozen=True, kw_only=True):
    """A proposer's work undone: the last refusal and what had been tried, in one line."""

    refusal: Refusal
    summary: str = ""


Step = Call | Sketch | GaveUp
