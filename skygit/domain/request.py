"""What an algorithm asks for. Each request becomes a ticket and ends in a closing."""

from typing import Literal

from skygit.domain.value import Value

Breadth = Literal["focused", "several", "rewrite"]
"""How much of the code one child may change: a small diff, several functions, a rewrite."""


class Tactic(Value, frozen=True, kw_only=True):
    """A direction for a while: what to try, in words; `name` is what it is credited by."""

    name: str
    text: str


class Proposal(Value, tag="proposal", frozen=True, kw_only=True):
    """A request for one child.

    One parent, or two for a merge (the first is the branch's own); none for ticket 0, the
    base. `model` "" lets the pool choose; `operator` "" lets the proposer choose.
    """

    parents: tuple[str, ...]
    island: int = 0
    operator: str = ""
    breadth: Breadth = "focused"
    inspirations: tuple[str, ...] = ()
    tactics: tuple[Tactic, ...] = ()
    model: str = ""


class Consult(Value, tag="consult", frozen=True, kw_only=True):
    """Advice from a model. `topic` names the template; candidates are shown as the template says."""

    topic: str
    best: str
    failed: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


class Compute(Value, tag="compute", frozen=True, kw_only=True):
    """Written code, run in the sandbox: the program text, and the text on its standard input."""

    program: str
    stdin: str = ""
    seconds: float = 5.0


class Remeasure(Value, tag="remeasure", frozen=True, kw_only=True):
    """A candidate measured again; the cache is not asked."""

    commit: str
    island: int = 0


Request = Proposal | Consult | Compute | Remeasure
