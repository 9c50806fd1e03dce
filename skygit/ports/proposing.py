"""From a brief to a draft: desk, proposer, models, scribe."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Protocol

from skygit.domain.brief import Brief, Call, Message, Reply, Step
from skygit.domain.draft import Draft
from skygit.ports.files import Syntax, Tree


class Desk(Protocol):
    """What lies before a proposer: the repository read-only, and the way to a draft."""

    @property
    def syntax(self) -> Syntax: ...

    def tree(self, commit: str) -> Tree:
        """The files of a commit."""
        ...

    def diff(self, old: str, new: str) -> str:
        """The unified diff between two commits."""
        ...

    def known(self, parent: str, draft: Draft) -> bool:
        """Whether the tree this draft gives was already made in this run."""
        ...


class Proposer(Protocol):
    """Makes a child out of a brief. A frozen dataclass whose fields are its options.

    A function of (brief, replies so far): it is called with no replies, and again after each
    reply, until it returns a Sketch or GaveUp. So a proposer needs no memory, and a reply
    that the journal holds is never paid again.
    """

    def step(self, brief: Brief, desk: Desk, replies: Sequence[Reply]) -> Step: ...


class Models(Protocol):
    """A pool of models."""

    def names(self) -> Sequence[str]:
        """The models in the pool, as configured; empty: no model can be asked."""
        ...

    def complete(self, call: Call, rng: Random) -> Reply:
        """One reply. Draws the model by weight unless the call names one; fails over.

        Raises Outage when no model answers, Denied when none ever will.
        """
        ...

    def cease(self) -> None:
        """Send no further request: who waits for a turn gets an Outage, requests in flight go on. Idempotent."""
        ...


class Scribe(Protocol):
    """Writes what models read, within a token budget."""

    def proposal(self, brief: Brief, desk: Desk) -> Sequence[Message]:
        """The messages that ask for an edit."""
        ...

    def repair(self, brief: Brief, desk: Desk, replies: Sequence[Reply], refusal_note: str) -> Sequence[Message]:
        """The messages that ask for the edit again, after a refusal."""
        ...

    def consult(self, topic: str, facts: Mapping[str, str]) -> Sequence[Message]:
        """The messages that ask for advice; `facts` fill the topic's template."""
        ...
