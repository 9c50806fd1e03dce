"""Everything of the outside that a run needs, as ports, in one value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from skygit.domain.scope import Scope
from skygit.ports import Executor, Journal, Models, Observer, Proposer, Repository, Sandbox, Scribe, Syntax


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The ports of one run.

    `clock` gives Unix seconds, `free_mb` the free space in MB where git keeps objects,
    `evaluator_text` is what meta-guidance is shown of how candidates are judged, `advisor`
    the model that answers consults ("": drawn from the pool).
    """

    run: str
    journal: Journal
    repository: Repository
    proposer: Proposer
    models: Models
    scribe: Scribe
    executor: Executor
    sandbox: Sandbox
    syntax: Syntax
    scope: Scope
    clock: Callable[[], float]
    free_mb: Callable[[], float]
    problem: str = ""
    evaluator_text: str = ""
    advisor: str = ""
    observers: Sequence[Observer] = ()
