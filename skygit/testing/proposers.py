"""The contract of proposers, for their authors to inherit.

    class TestMine(ProposerContract):
        def make(self) -> Proposer:
            return Mine()

A proposer that asks models gets the replies of `good` (each must lead to a sketch when it is the
only one) and of `bad` (none may); one that asks none leaves them empty.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from skygit.domain.brief import Attempt, Brief, Call, GaveUp, Reply, Sketch, Step
from skygit.domain.candidate import Candidate, Evaluation, Judged, Verdict
from skygit.domain.request import Proposal
from skygit.domain.scope import Scope
from skygit.edits.blocks import Regions, regions
from skygit.edits.permits import creatable, editable
from skygit.ports import Proposer, Syntax
from skygit.testing.desk import MemoryDesk, drafted
from skygit.testing.memory_ports import NoSyntax

MOST_CALLS = 4
"""Replies after which every proposer must have ended."""

_BASKET = b"""from shop.prices import price


# EVOLVE-BLOCK-START
def total(items):
    result = 0
    for item in items:
        result += price(item) * item.count
    return result


def cheapest(items):
    return sorted(items, key=price)[0]
# EVOLVE-BLOCK-END


def report(items):
    return total(items) + 1
"""
_PRICES = b"""from shop.store import lookup


def price(item):
    return lookup(item.name)
"""
_MARGIN = b"""def margin(value):
    limit = 25 + 3
    return value * limit > 100
"""
_TESTS = b"""from shop.basket import total


def test_total():
    assert total([]) == 0
"""
FILES = {
    "shop/basket.py": _BASKET,
    "shop/margin.py": _MARGIN,
    "shop/prices.py": _PRICES,
    "tests/test_basket.py": _TESTS,
}
SCOPE = Scope(evolvable=("shop/**",), protected=("tests/**",))
RUBBISH = ("", "I cannot help with that.", "```diff\nnonsense\n```", "<think>never closed", "\0\udcff```")


class ProposerContract(ABC):
    """Laws of every proposer. Override what is to be known about yours."""

    good: Sequence[str] = ()
    bad: Sequence[str] = RUBBISH

    @abstractmethod
    def make(self) -> Proposer:
        """A fresh proposer."""

    def syntax(self) -> Syntax:
        """What the desk knows of languages."""
        return NoSyntax()

    def desk(self) -> MemoryDesk:
        """A small code base in memory."""
        worse = {**FILES, "shop/prices.py": FILES["shop/prices.py"] + b"\n\nUNUSED = 1\n"}
        return MemoryDesk(commits={"parent": FILES, "worse": worse}, syntax=self.syntax())

    def brief(self, *, seed: int = 5, scope: Scope = SCOPE) -> Brief:
        """A brief for the code base."""
        parent = _judged("parent")
        tried = Attempt(ticket=2, summary="add a name", outcome="not-better", message="score 1", commit="worse")
        return Brief(
            ticket=3, seed=seed, proposal=Proposal(parents=("parent",)), parents=(parent,), best=parent, scope=scope,
            problem="Make it faster.", attempts=(tried,),
        )  # fmt: skip

    def test_it_is_a_function_of_brief_and_replies(self) -> None:
        for texts in ((), *((text,) for text in (*self.good, *self.bad))):
            assert _step(self, texts) == _step(self, texts), f"two steps differ after {texts!r}"

    def test_it_ends_whatever_is_replied(self) -> None:
        for text in (*self.good, *self.bad):
            steps = [_step(self, (text,) * count) for count in range(MOST_CALLS + 1)]
            assert any(not isinstance(step, Call) for step in steps), f"it asks for ever after {text!r}"

    def test_a_good_reply_becomes_a_sketch(self) -> None:
        for step in _sketching(self):
            assert isinstance(step, Sketch), f"no sketch: {step}"

    def test_a_bad_reply_never_becomes_a_sketch(self) -> None:
        if not isinstance(_step(self, ()), Call):
            return
        for text in self.bad:
            for count in range(1, MOST_CALLS + 1):
                step = _step(self, (text,) * count)
                assert not isinstance(step, Sketch), f"a sketch from {text!r}"

    def test_a_sketch_stays_within_the_scope(self) -> None:
        for sketch in _sketches(self):
            for change in sketch.draft.changes:
                allowed = editable if change.path in FILES else creatable
                assert allowed(SCOPE, change.path), f"{change.path} may not change"
                _frozen_bytes_survive(self.syntax(), change.path, change.content)

    def test_a_sketch_changes_something_and_tells_it(self) -> None:
        for sketch in _sketches(self):
            assert drafted(FILES, sketch.draft) != FILES, "the draft changes nothing"
            assert list(sketch.draft.paths) == sorted(set(sketch.draft.paths)), "paths sorted, each once"
            assert sketch.summary.strip() and "\n" not in sketch.summary, "the summary is one line"
            assert sketch.kinds, "an edit has a kind to be credited by"

    def test_a_tree_that_was_made_before_is_not_made_again(self) -> None:
        for texts in (*((text,) for text in self.good), () if not self.good else None):
            first = _step(self, texts) if texts is not None else None
            if isinstance(first, Sketch):
                desk = self.desk()
                desk.seen.append(drafted(FILES, first.draft))
                again = self.make().step(self.brief(), desk, _replies(texts or ()))
                assert not isinstance(again, Sketch) or again.draft != first.draft, "the same tree twice"

    def test_a_call_has_messages_that_end_with_the_user(self) -> None:
        for texts in ((), *((text,) for text in self.bad)):
            step = _step(self, texts)
            if isinstance(step, Call):
                assert step.messages and step.messages[-1].role == "user"
                assert all(message.text.encode() for message in step.messages), "text that JSON can carry"

    def test_where_nothing_may_change_it_gives_up(self) -> None:
        closed = self.brief(scope=Scope(evolvable=("nothing/**",)))
        for text in (*self.good, "x"):
            steps = [
                self.make().step(closed, self.desk(), _replies((text,) * count)) for count in range(MOST_CALLS + 1)
            ]
            assert isinstance(next(step for step in steps if not isinstance(step, Call)), GaveUp)

    def test_a_refusal_says_why(self) -> None:
        for text in self.bad:
            for count in range(MOST_CALLS + 1):
                step = _step(self, (text,) * count)
                if isinstance(step, GaveUp):
                    assert step.refusal.message.strip() and "\n" not in step.summary


def _step(contract: ProposerContract, texts: Sequence[str]) -> Step:
    return contract.make().step(contract.brief(), contract.desk(), _replies(texts))


def _sketching(contract: ProposerContract) -> Sequence[Step]:
    return [_step(contract, (text,)) for text in contract.good] or [_step(contract, ())]


def _sketches(contract: ProposerContract) -> Sequence[Sketch]:
    return [step for step in _sketching(contract) if isinstance(step, Sketch)]


def _frozen_bytes_survive(syntax: Syntax, path: str, content: bytes | None) -> None:
    before = FILES.get(path)
    old = regions(path, before, syntax) if before is not None else None
    if before is None or not isinstance(old, Regions) or not old.marked:
        return
    assert content is not None, f"{path} has markers and is deleted"
    new = regions(path, content, syntax)
    assert isinstance(new, Regions) and new.frozen(content) == old.frozen(before), f"frozen bytes of {path}"


def _replies(texts: Sequence[str]) -> tuple[Reply, ...]:
    return tuple(Reply(text=text, model="contract/model") for text in texts)


def _judged(commit: str) -> Judged:
    candidate = Candidate(
        commit=commit, tree=f"tree {commit}", parents=(), island=0, generation=0, summary="the base", operator="base"
    )
    return Judged(ticket=0, candidate=candidate, evaluation=Evaluation(verdict=Verdict.PASSED, score=1.0))
