"""The proposer that asks a model: the contract, repairs, summaries, and the example of every format."""

import re

import pytest

from skygit.domain.brief import Call, GaveUp, Reply, Sketch
from skygit.domain.draft import Change, Draft
from skygit.languages.syntax import TreeSitterSyntax
from skygit.prompts.scribe import TemplateScribe
from skygit.prompts.templates import Templates
from skygit.proposers.llm import LlmProposer
from skygit.testing.desk import drafted
from skygit.testing.proposers import FILES, ProposerContract

GOOD = """**Sum in one pass.**

The loop is slower than it needs to be.

```diff
--- a/shop/basket.py
+++ b/shop/basket.py
@@ def total(items):
 def total(items):
-    result = 0
-    for item in items:
-        result += price(item) * item.count
-    return result
+    return sum(price(item) * item.count for item in items)
```
"""
FROZEN = """Change the report.

```diff
--- a/shop/basket.py
+++ b/shop/basket.py
@@ def report(items):
 def report(items):
-    return total(items) + 1
+    return total(items) + 2
```
"""
STALE = GOOD.replace("result = 0", "outcome = 0")


def example(name: str) -> str:
    """The worked example of a format's text: what follows the promise of one."""
    return Templates().fill(f"format_{name}", {}).split("the first has markers:\n")[1]


class TestContract(ProposerContract):
    good = (GOOD, example("diff"), example("search_replace"), example("block"))
    bad = (*ProposerContract.bad, FROZEN, STALE)

    def make(self):
        return LlmProposer(scribe=TemplateScribe())

    def syntax(self):
        return TreeSitterSyntax()


contract = TestContract()


def step(*texts, desk=None, repairs=1, truncated=False, **changes):
    replies = tuple(Reply(text=text, model="m", truncated=truncated) for text in texts)
    proposer = LlmProposer(scribe=TemplateScribe(), repairs=repairs)
    return proposer.step(contract.brief(**changes), desk or contract.desk(), replies)


def test_every_format_s_example_gives_the_same_code():
    trees = [drafted(FILES, step(example(name)).draft) for name in ("diff", "search_replace", "block")]
    assert trees[0] == trees[1] == trees[2]
    assert b"_KNOWN" in trees[0]["shop/prices.py"] and b"min(items" in trees[0]["shop/basket.py"]
    assert b"def report" in trees[0]["shop/basket.py"]


def test_the_kind_is_the_format():
    kinds = [step(example(name)).kinds for name in ("diff", "search_replace", "block")]
    assert len(set(kinds)) == 3, kinds


def test_a_summary_and_why_come_from_the_prose():
    sketch = step(GOOD)
    assert isinstance(sketch, Sketch)
    assert sketch.summary == "Sum in one pass."
    assert "slower than it needs" in sketch.body and "```" not in sketch.body


@pytest.mark.parametrize(
    ("prose", "summary"),
    [
        ("", "change basket.py"),
        ("<think>let me see\n# A plan</think>Cache it.", "Cache it."),
        ("Sure, here is the edit:\n\n## Use `sum` *once*", "Use sum once"),
        ("x" * 200, "x" * 69 + "..."),
    ],
)
def test_summaries(prose, summary):
    assert step(prose + GOOD[GOOD.index("\n```diff") :]).summary == summary


@pytest.mark.parametrize(("reply", "word"), [(FROZEN, "frozen-region"), (STALE, "no-match"), ("no", "empty-diff")])
def test_a_refused_reply_is_sent_back_once_with_its_reason_then_given_up(reply, word):
    asked = step(reply)
    assert isinstance(asked, Call) and asked.model == "m", "the same model repairs its own edit"
    assert word in asked.messages[-1].text and asked.messages[-2].role == "assistant"
    ended = step(reply, reply)
    assert isinstance(ended, GaveUp) and ended.refusal.word == word
    assert isinstance(step(reply, repairs=0), GaveUp)
    assert isinstance(step(reply, reply, repairs=2), Call)


def test_a_repaired_reply_is_a_sketch():
    assert isinstance(step(STALE, GOOD), Sketch)


def test_an_edit_made_before_is_refused_with_a_reason():
    desk = contract.desk()
    desk.seen.append(drafted(FILES, step(GOOD).draft))
    assert "already tried" in step(GOOD, desk=desk).messages[-1].text
    assert step(GOOD, GOOD, desk=desk).refusal.word == "noop"


def test_a_reply_cut_at_the_length_limit_says_so():
    stump = GOOD[: GOOD.index("+    return sum")]
    ended = step(stump, repairs=0, truncated=True)
    assert isinstance(ended, GaveUp) and ended.refusal.word == "truncated"
    assert "length limit" in ended.refusal.message


class Planted(LlmProposer):
    """Faults that the contract must find."""

    fault = ""

    def step(self, brief, desk, replies):
        made = LlmProposer.step(self, brief, desk, replies)
        return getattr(self, f"_{self.fault}")(made, brief, desk, replies)

    def _asks_for_ever(self, made, brief, desk, replies):
        return Call(messages=tuple(self.scribe.proposal(brief, desk)))

    def _edits_tests(self, made, brief, desk, replies):
        change = Change(path="tests/test_basket.py", content=b"pass\n")
        return Sketch(draft=Draft(changes=(change,)), summary="s", kinds=("k",)) if replies else made

    def _edits_frozen_code(self, made, brief, desk, replies):
        content = FILES["shop/basket.py"].replace(b"+ 1", b"+ 2")
        change = Change(path="shop/basket.py", content=content)
        return Sketch(draft=Draft(changes=(change,)), summary="s", kinds=("k",)) if replies else made

    def _changes_nothing(self, made, brief, desk, replies):
        change = Change(path="shop/basket.py", content=FILES["shop/basket.py"])
        return Sketch(draft=Draft(changes=(change,)), summary="s", kinds=("k",)) if replies else made

    def _takes_all_from_memory(self, made, brief, desk, replies):
        Planted.calls += 1
        message = made.messages[0] if isinstance(made, Call) else None
        return Call(messages=(message.__class__(role="user", text=str(Planted.calls)),)) if message else made

    def _has_no_kind(self, made, brief, desk, replies):
        return Sketch(draft=made.draft, summary="two\nlines") if isinstance(made, Sketch) else made

    def _forgets_what_was_tried(self, made, brief, desk, replies):
        desk.seen.clear()
        return LlmProposer.step(self, brief, desk, replies)

    def _ends_with_the_assistant(self, made, brief, desk, replies):
        return Call(messages=made.messages[:-1]) if isinstance(made, Call) else made

    calls = 0


@pytest.mark.parametrize("fault", sorted(name[1:] for name in vars(Planted) if re.match(r"_[a-z]", name)))
def test_the_contract_finds_planted_faults(fault):
    planted = type("Faulty", (Planted,), {"fault": fault})

    class Checked(TestContract):
        def make(self):
            return planted(scribe=TemplateScribe())

    checks = [getattr(Checked(), name) for name in dir(Checked) if name.startswith("test_")]
    assert any(_fails(check) for check in checks), f"nobody noticed: {fault}"


def _fails(check) -> bool:
    try:
        check()
    except AssertionError:
        return True
    return False
