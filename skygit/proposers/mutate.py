"""Built-in mutation: a child without a model, by seeded operators on the syntax tree.

It is what a run does when no model is configured, and the control group of every other
proposer. A draft is a function of the brief: the ticket seeds all chance. Kinds of edits are
credited by their gains (`brief.credits`), so a run learns what pays on its code base.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import sqrt
from random import Random

from skygit.domain.brief import Brief, GaveUp, Reply, Sketch, Step
from skygit.domain.draft import Change, Draft, Refusal
from skygit.domain.request import Breadth
from skygit.edits.judge import check
from skygit.edits.mutations.ground import Ground
from skygit.edits.mutations.menu import OPERATORS, choose, weighed
from skygit.edits.mutations.splice import Edit, disjoint, spliced
from skygit.ports import Desk, Tree
from skygit.proposers.mutation.field import Field, field_of
from skygit.proposers.mutation.memory import Memory


@dataclass(frozen=True, kw_only=True)
class MutateProposer:
    """Mutates the first parent.

    `spread` is the standard deviation of a numeric move on a log scale; `weights` override
    how often a kind is drawn (see `skygit.edits.mutations.menu.WEIGHTS`); `floor` is the share of
    edits drawn by weight alone, whatever gained so far; `draws` bounds the edits tried for one
    draft; `reach` the neighbouring files that one idea may spread to.
    """

    spread: float = 0.25
    weights: dict[str, float] = field(default_factory=dict)
    floor: float = 0.05
    draws: int = 60
    reach: int = 24
    _memory: Memory = field(default_factory=Memory, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        unknown = sorted(set(self.weights) - set(OPERATORS))
        if unknown:
            raise ValueError(f"unknown kind `{unknown[0]}` in weights; there are: {', '.join(OPERATORS)}")
        if self.spread <= 0 or not 0 <= self.floor <= 1 or self.draws < 1 or self.reach < 0:
            raise ValueError("spread must be above 0, floor in 0..1, draws at least 1, reach at least 0")

    def step(self, brief: Brief, desk: Desk, replies: Sequence[Reply] = ()) -> Step:
        """A sketch, or the reason why none was found. Never asks a model."""
        files = field_of(brief, desk, self._memory, self.reach)
        if not files.paths:
            return _nothing(brief)
        rng = Random(f"{brief.seed}/{brief.ticket}")
        refusal = Refusal(word="noop", message="no operator found a place to work on in the files in scope")
        for edits in self._ideas(brief, files, rng):
            draft = _draft(edits, files.tree)
            found = check(draft, files.tree, brief.scope, desk.syntax) or _known(brief, desk, draft)
            if found is None:
                return _sketch(draft, edits)
            refusal = found
        return GaveUp(refusal=refusal, summary=f"{self.draws} mutations drawn")

    def _ideas(self, brief: Brief, files: Field, rng: Random) -> Iterator[Sequence[Edit]]:
        """Up to `draws` groups of edits that can be made together, as many in one as the breadth asks."""
        weights = weighed(self.weights, brief.proposal.tactics)
        drawn = 0
        while drawn < self.draws:
            wanted, edits = _count(brief.proposal.breadth, rng), list[Edit]()
            while drawn < self.draws and len(edits) < wanted:
                drawn += 1
                edit = self._edit(brief, files, weights, wanted, rng)
                if edit is not None and _fits([*edits, edit], brief.scope.max_files):
                    edits.append(edit)
            if edits:
                yield edits

    def _edit(self, brief: Brief, files: Field, weights: dict[str, float], share: int, rng: Random) -> Edit | None:
        """One of `share` edits made together: each number moves less, so that all together move as far as one."""
        source = files.pick(rng)
        if source is None:
            return None
        forced = brief.proposal.operator
        kind = forced if forced in OPERATORS else choose(weights, brief.credits, self.floor, rng)
        return OPERATORS[kind](Ground(source=source, rng=rng, spread=self.spread / sqrt(share), around=files))


PLUGIN = MutateProposer


def _count(breadth: Breadth, rng: Random) -> int:
    low, high = {"focused": (1, 1), "several": (2, 3), "rewrite": (4, 6)}[breadth]
    return rng.randint(low, high)


def _fits(edits: Sequence[Edit], files: int) -> bool:
    splices = [splice for edit in edits for splice in edit.splices]
    return disjoint(splices) and len({splice.path for splice in splices}) <= files


def _draft(edits: Sequence[Edit], tree: Tree) -> Draft:
    splices = sorted((splice for edit in edits for splice in edit.splices), key=lambda splice: splice.path)
    changes = [
        Change(
            path=path,
            content=spliced(tree.read(path), list(group)),
            mode="100755" if tree.mode(path) == "100755" else "100644",
        )
        for path, group in groupby(splices, key=lambda splice: splice.path)
    ]
    return Draft(changes=tuple(changes))


def _known(brief: Brief, desk: Desk, draft: Draft) -> Refusal | None:
    if not desk.known(brief.parents[0].candidate.commit, draft):
        return None
    return Refusal(word="noop", message="every mutation that was drawn had been made before in this run")


def _sketch(draft: Draft, edits: Sequence[Edit]) -> Sketch:
    first, *rest = edits
    more = f" and {len(rest)} more" if rest else ""
    return Sketch(
        draft=draft,
        summary=first.what + more,
        body="\n".join(f"- {edit.what}" for edit in edits) if rest else "",
        kinds=tuple(sorted({edit.kind for edit in edits})),
    )


def _nothing(brief: Brief) -> GaveUp:
    globs = ", ".join(brief.scope.evolvable) or "nothing"
    message = f"no file in scope ({globs}) is of a language whose syntax tree can be mutated"
    return GaveUp(refusal=Refusal(word="protected-path", message=message))
