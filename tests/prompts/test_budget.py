"""The budget is a hard cap on the estimate, whatever the repository; the cost does not grow with it."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from skygit.domain.brief import Attempt
from skygit.domain.request import Proposal, Tactic
from skygit.domain.scope import Scope
from skygit.prompts.budget import clip, fill, head, tokens, total
from skygit.prompts.scribe import TemplateScribe
from skygit.testing.desk import MemoryDesk
from tests.prompts.conftest import brief_of, judged

BIG = "def part_{n}(x):\n    return x + {n}\n\n\n"
TEXTS = st.text(max_size=3000) | st.integers(0, 60_000).map(lambda size: "word é\n" * (size // 8))


def repository(seed: int, files: int, largest: int) -> dict[str, bytes]:
    rng = Random(seed)
    return {
        f"src/d{rng.randrange(9)}/f{n}.{rng.choice(('py', 'c', 'txt'))}": (
            "".join(BIG.format(n=k) for k in range(rng.randrange(largest))).encode()
        )
        for n in range(files)
    }


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 99),
    files=st.integers(0, 80),
    largest=st.sampled_from([1, 20, 400]),
    budget=st.integers(3600, 40_000),
    texts=st.lists(TEXTS, min_size=5, max_size=5),
)
def test_the_budget_is_a_hard_cap(seed, files, largest, budget, texts):
    before = repository(seed, files, largest)
    after = {path: data + b"x = 1\n" for path, data in before.items()}
    desk = MemoryDesk(commits={"parent": before, "other": after})
    failed = Attempt(ticket=1, summary=texts[0], outcome="crashed", message=texts[1], paths=("a", "b"), commit="other")
    brief = brief_of(
        seed=seed,
        scope=Scope(evolvable=("src/**",), new_files=("src/**",)),
        problem=texts[2],
        artifacts={"log": texts[3], texts[4][:50]: texts[4]},
        attempts=(failed,) * 4,
        inspirations=(judged("other", 2.0),) * 2,
        parents=(judged("parent", 1.0, paths=tuple(before)[:3]), judged("other", 2.0)),
        proposal=Proposal(parents=("parent", "other"), tactics=(Tactic(name=texts[0], text=texts[1]),)),
    )
    messages = TemplateScribe(budget=budget, system_prompt=texts[4]).proposal(brief, desk)
    assert total(messages) <= budget


@given(text=st.text(max_size=2000), limit=st.integers(0, 500))
def test_cut_texts_fit(text, limit):
    assert tokens(clip(text, limit)) <= limit
    assert tokens(head(text, limit)) <= limit
    assert tokens(fill(text.split("a"), limit)) <= limit
    if tokens(text) <= limit:
        assert clip(text, limit) == text == head(text, limit)


def test_a_large_repository_is_used_to_the_full():
    desk = MemoryDesk(commits={"parent": repository(1, 400, 60)})
    messages = TemplateScribe(budget=16_000).proposal(brief_of(scope=Scope(evolvable=("src/**",))), desk)
    assert 16_000 * 0.7 < total(messages) <= 16_000


def test_only_what_is_shown_is_read_and_paths_are_listed_once():
    files = repository(2, 5000, 60)
    desk = MemoryDesk(commits={f"c{n}": {**files, "src/d1/new.py": f"n = {n}\n".encode()} for n in range(4)})
    scribe = TemplateScribe(budget=16_000)
    for n in range(4):
        parent = judged(f"c{n}", 1.0, paths=("src/d1/new.py",))
        scribe.proposal(brief_of(parents=(parent,), scope=Scope(evolvable=("src/**",))), desk)
    assert sum(tree.listed for tree in desk.trees.values()) == 1
    assert all(len(desk.trees[f"c{n}"].reads) <= 320 for n in range(1, 4))


def test_the_changed_file_is_shown_in_full_and_its_import_before_the_rest():
    files = repository(3, 300, 200)
    files["src/hot/engine.py"] = b"from src.hot2.table import lookup\n\nHOT = 1\n"
    files["src/hot2/table.py"] = b"def lookup(key):\n    return key\n"
    desk = MemoryDesk(commits={"parent": files})
    parent = judged("parent", 1.0, paths=("src/hot/engine.py",))
    for seed in range(5):
        brief = brief_of(parents=(parent,), seed=seed, scope=Scope(evolvable=("src/**",)))
        text = TemplateScribe(budget=5000).proposal(brief, desk)[1].text
        assert "HOT = 1" in text and "    return key" in text


def test_a_file_named_in_an_artifact_is_shown():
    files = repository(3, 300, 200) | {"src/deep/slow.py": b"SLOW = 1\n"}
    brief = brief_of(scope=Scope(evolvable=("src/**",)), artifacts={"trace": 'File "/slot/src/deep/slow.py", line 1'})
    text = TemplateScribe(budget=5000).proposal(brief, MemoryDesk(commits={"parent": files}))[1].text
    assert "SLOW = 1" in text


def test_every_file_of_a_large_repository_comes_to_be_seen():
    files = {f"src/f{n}.py": (f"NUMBER = {n}\n" + "pad = 0\n" * 300).encode() for n in range(30)}
    desk, scribe = MemoryDesk(commits={"parent": files}), TemplateScribe(budget=6000)
    seen = set()
    for seed in range(120):
        text = scribe.proposal(brief_of(seed=seed, scope=Scope(evolvable=("src/**",))), desk)[1].text
        seen |= {n for n in range(30) if f"NUMBER = {n}\n" in text}
    assert seen == set(range(30))
