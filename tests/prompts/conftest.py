"""A small code base in memory and the brief of a proposal in it."""

from collections.abc import Mapping

import pytest

from skygit.domain.brief import Attempt, Brief
from skygit.domain.candidate import Candidate, Evaluation, Judged, Verdict
from skygit.domain.request import Proposal, Tactic
from skygit.domain.scope import Scope
from skygit.testing.desk import MemoryDesk

SOLVER = b"""import math
from app.store import load

# EVOLVE-BLOCK-START
def solve(data):
    total = 0
    for item in data:
        total += math.sqrt(item)
    return total
# EVOLVE-BLOCK-END


def main():
    return solve(load())
"""
STORE = b"""def load():
    return [1, 2, 3]
"""
FILES = {
    "app/solver.py": SOLVER,
    "app/store.py": STORE,
    "app/notes.md": b"Use it so:\n\n```python\nsolve([1])\n```\n",
    "tests/test_solver.py": b"from app.solver import solve\n\n\ndef test_solve():\n    assert solve([4]) == 2\n",
    ".env": b"API=very-secret\n",
    "app/deploy.pem": b"-----BEGIN RSA PRIVATE KEY-----\nabc\n",
    "app/blob.bin": b"\x00\x01\x02",
}
BETTER = {**FILES, "app/store.py": STORE.replace(b"[1, 2, 3]", b"(1, 2, 3)")}
WORSE = {**FILES, "app/store.py": STORE.replace(b"[1, 2, 3]", b"list(range(1, 4))")}
SCOPE = Scope(evolvable=("app/**",), protected=("tests/**",))


def judged(commit: str, score: float | None, *, ticket: int = 1, paths: tuple[str, ...] = ()) -> Judged:
    candidate = Candidate(
        commit=commit, tree=f"t{commit}", parents=(), island=0, generation=1, summary=f"summary of {commit}",
        operator="llm", paths=paths,
    )  # fmt: skip
    verdict = Verdict.PASSED if score is not None else Verdict.CRASHED
    return Judged(ticket=ticket, candidate=candidate, evaluation=Evaluation(verdict=verdict, score=score))


def brief_of(**changes: object) -> Brief:
    parent = judged("parent", 1.5)
    usual: dict[str, object] = {
        "ticket": 7,
        "seed": 11,
        "proposal": Proposal(parents=("parent",)),
        "parents": (parent,),
        "best": parent,
        "scope": SCOPE,
        "problem": "Make the solver faster.",
    }
    return Brief(**(usual | changes))  # type: ignore[arg-type]


def rich_brief() -> Brief:
    parent, better = judged("parent", 1.5, paths=("app/store.py",)), judged("better", 2.25, ticket=3)
    failed = Attempt(ticket=5, summary="unroll the loop", outcome="crashed", message="IndexError in solve",
                     paths=("app/store.py",), commit="worse")  # fmt: skip
    refused = Attempt(ticket=6, summary="vectorise", outcome="no-match", message="line 3 of hunk 1 is not in the file")
    tactic = Tactic(name="memo", text="Remember square roots in a table.")
    return brief_of(
        proposal=Proposal(parents=("parent",), inspirations=("better",), tactics=(tactic,), breadth="rewrite"),
        parents=(parent,),
        best=better,
        inspirations=(better,),
        attempts=(failed, refused),
        artifacts={"profile": "95 % in solve", "stderr": "warning: slow"},
    )


def desk_of(files: Mapping[str, bytes] = FILES) -> MemoryDesk:
    return MemoryDesk(commits={"parent": files, "better": {**BETTER}, "worse": {**WORSE}})


@pytest.fixture
def desk() -> MemoryDesk:
    return desk_of()
