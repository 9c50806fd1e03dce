"""Built-in mutation: every draft passes the gate, chance is the brief's, gains steer, cost follows the change."""

import statistics as stdlib_statistics
import textwrap
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from skygit.domain.brief import Brief, Credit, GaveUp, Sketch
from skygit.domain.candidate import Candidate, Evaluation, Judged, Verdict
from skygit.domain.draft import Draft
from skygit.domain.request import Proposal, Tactic
from skygit.domain.scope import Scope
from skygit.edits.judge import check
from skygit.edits.mutations.menu import OPERATORS
from skygit.languages.syntax import TreeSitterSyntax
from skygit.proposers.mutate import MutateProposer
from skygit.testing.desk import MemoryDesk, drafted

CORPUS = Path(__file__).parents[1] / "corpus"
SYNTAX = TreeSitterSyntax()
EVERYTHING = Scope(evolvable=("**",))


def judged(commit="p", *, parents=(), paths=()):
    candidate = Candidate(
        commit=commit, tree=commit, parents=parents, island=0, generation=0, summary="", operator="", paths=paths
    )
    return Judged(ticket=0, candidate=candidate, evaluation=Evaluation(verdict=Verdict.PASSED, score=1.0))


def brief(ticket=1, *, parent=None, scope=EVERYTHING, credits=None, **proposal):
    one = parent or judged()
    return Brief(
        ticket=ticket,
        seed=7,
        proposal=Proposal(parents=(one.candidate.commit,), **proposal),
        parents=(one,),
        best=one,
        scope=scope,
        credits=credits or {},
    )


def desk(files, **commits):
    return MemoryDesk(commits={"p": files, **commits}, syntax=SYNTAX)


def sketches(files, count=40, *, proposer=None, **given):
    there, mutate = desk(files), proposer or MutateProposer()
    steps = (mutate.step(brief(ticket, **given), there, ()) for ticket in range(1, count + 1))
    return [step for step in steps if isinstance(step, Sketch)]


def real_sources():
    suffixes = {".py", ".js", ".c", ".rs", ".yaml", ".toml"}
    found = {path.read_bytes(): path for path in sorted(CORPUS.glob("*/*/before/**/*")) if path.suffix in suffixes}
    own = (Path(module.__file__) for module in (textwrap, stdlib_statistics))
    return [(path.name, data) for data, path in found.items()] + [(path.name, path.read_bytes()) for path in own]


SOURCES = real_sources()
PROGRAM = b"""import math

SCALE = 0.5
LIMIT = 10

# EVOLVE-BLOCK-START
def area(points, closed=True):
    total = 0.25
    for index in range(LIMIT):
        if index < 3 and closed:
            total += math.sqrt(index) * SCALE
        weight = float(total) + 1.5
    return total - weight
# EVOLVE-BLOCK-END

def frozen(x=1):
    return x + 2
"""


@pytest.mark.parametrize(("name", "data"), SOURCES, ids=[f"{at}-{name}" for at, (name, _) in enumerate(SOURCES)])
def test_every_draft_of_real_code_passes_the_gate(name, data):
    there, mutate = desk({name: data}), MutateProposer()
    for ticket, breadth in ((1, "focused"), (2, "several"), (3, "rewrite")):
        step = mutate.step(brief(ticket, breadth=breadth), there, ())
        if isinstance(step, GaveUp):
            assert step.refusal.message
            continue
        assert check(step.draft, there.tree("p"), EVERYTHING, SYNTAX) is None
        (change,) = step.draft.changes
        assert change.content != data
        assert len(SYNTAX.faults(name, change.content)) <= len(SYNTAX.faults(name, data))


def test_real_code_is_mutated_and_not_given_up():
    steps = [MutateProposer().step(brief(), desk({name: data}), ()) for name, data in SOURCES]
    given_up = [step for step in steps if isinstance(step, GaveUp)]
    assert len(given_up) < len(SOURCES) / 5


def test_the_same_brief_gives_the_same_draft_whatever_was_asked_before():
    warm = MutateProposer()
    for ticket in range(1, 30):
        warm.step(brief(ticket), desk({"a.py": PROGRAM}), ())
    fresh = MutateProposer().step(brief(17, breadth="several"), desk({"a.py": PROGRAM}), ())
    assert warm.step(brief(17, breadth="several"), desk({"a.py": PROGRAM}), ()) == fresh
    drafts = {sketch.draft for sketch in sketches({"a.py": PROGRAM}, 20)}
    assert len(drafts) > 10


def test_frozen_bytes_are_never_touched():
    head, _, rest = PROGRAM.partition(b"# EVOLVE-BLOCK-START\n")
    tail = rest[rest.index(b"# EVOLVE-BLOCK-END") :]
    found = sketches({"a.py": PROGRAM}, 100, breadth="several")
    assert len(found) > 70
    for sketch in found:
        content = sketch.draft.changes[0].content
        assert content.startswith(head + b"# EVOLVE-BLOCK-START\n") and content.endswith(tail)


def test_files_outside_the_scope_are_never_touched():
    files = {"src/a.py": PROGRAM, "tests/b.py": PROGRAM, "src/secret.py": PROGRAM}
    scope = Scope(evolvable=("src/**",), protected=("src/secret.py",))
    found = sketches(files, 60, scope=scope, breadth="several")
    assert {path for sketch in found for path in sketch.draft.paths} == {"src/a.py"}


@pytest.mark.parametrize(
    ("data", "keeps"),
    [
        (PROGRAM.replace(b"\n", b"\r\n"), lambda new: new.count(b"\n") == new.count(b"\r\n")),
        (PROGRAM.replace(b"    ", b"\t"), lambda new: b"\n    " not in new),
        (b"# -*- coding: latin-1 -*-\nNAME = 'caf\xe9'\n" + PROGRAM, lambda new: b"caf\xe9" in new),
        (PROGRAM.rstrip(b"\n"), lambda new: not new.endswith(b"\n")),
        (b"\xef\xbb\xbf" + PROGRAM, lambda new: new.startswith(b"\xef\xbb\xbf")),
    ],
    ids=["crlf", "tabs", "latin-1", "no final newline", "byte order mark"],
)
def test_the_files_own_ways_survive(data, keeps):
    found = sketches({"a.py": data}, 80, breadth="several")
    assert len(found) > 50
    assert all(keeps(sketch.draft.changes[0].content) for sketch in found)


def test_lines_of_plain_text_are_moved_where_the_scope_names_it():
    text = b"# EVOLVE-BLOCK-START\nBe brief.\n\nBe exact.\nSay why.\n# EVOLVE-BLOCK-END\nQuestion: {question}\n"
    found = sketches({"prompt.txt": text}, 40, scope=Scope(evolvable=("prompt.txt",)))
    assert {kind for sketch in found for kind in sketch.kinds} >= {"delete", "swap", "copy", "move"}
    for sketch in found:
        content = sketch.draft.changes[0].content
        assert content.startswith(b"# EVOLVE-BLOCK-START\n")
        assert content.endswith(b"# EVOLVE-BLOCK-END\nQuestion: {question}\n")
    assert not sketches({"notes.txt": text}, 5), "`**` does not name it"


def test_what_was_made_before_is_not_made_again():
    there, mutate = desk({"a.py": b"x = True\ny = 2\n"}), MutateProposer()
    for ticket in range(1, 41):
        step = mutate.step(brief(ticket), there, ())
        if isinstance(step, Sketch):
            after = drafted(there.commits["p"], step.draft)
            assert after not in there.seen
            there.seen.append(after)
    assert len(there.seen) > 5


def test_an_exhausted_program_gives_up_with_the_reason():
    there = desk({"a.py": b"x = True\n"})
    there.seen = [{"a.py": b"x = False\n"}, {"a.py": b"pass\n"}, {"a.py": b"x = True\nx = True\n"}]
    step = MutateProposer(draws=200).step(brief(), there, ())
    assert isinstance(step, GaveUp)
    assert "made before" in step.refusal.message


@pytest.mark.parametrize("files", [{"notes.txt": b"say 3\n"}, {"a.py": b""}, {"a.py": b"import os\n"}, {}])
def test_nothing_to_mutate_is_said(files):
    step = MutateProposer().step(brief(), desk(files), ())
    assert isinstance(step, GaveUp)
    assert step.refusal.message


def test_gains_shift_the_choice():
    def shares(**credits):
        return Counter(kind for sketch in sketches({"a.py": PROGRAM}, 100, credits=credits) for kind in sketch.kinds)

    losing, gaining = Credit(tries=200, gains=1), Credit(tries=200, gains=60)
    deleting = shares(delete=gaining, constant=losing, alike=losing, constants=losing)
    moving = shares(delete=losing, constant=gaining)
    assert deleting["delete"] > 3 * moving["delete"]
    assert moving["constant"] > 3 * deleting["constant"]
    assert len(deleting) > 3, "no kind is given up"


def test_weights_and_tactics_shift_the_choice():
    def deletions(**given):
        return sum("delete" in sketch.kinds for sketch in sketches({"a.py": PROGRAM}, 100, **given))

    usual = deletions()
    assert deletions(proposer=MutateProposer(weights={"delete": 60.0})) > 2 * usual
    assert deletions(tactics=(Tactic(name="prune", text="delete what does nothing"),)) > 1.5 * usual


@pytest.mark.parametrize("kind", sorted(OPERATORS))
def test_a_proposal_may_name_the_operator(kind):
    assert {found for sketch in sketches({"a.py": PROGRAM}, 20, operator=kind) for found in sketch.kinds} <= {kind}


def test_breadth_is_the_number_of_edits():
    assert {sketch.body.count("- ") for sketch in sketches({"a.py": PROGRAM}, 40)} == {0}
    several = Counter(sketch.body.count("\n- ") + 1 for sketch in sketches({"a.py": PROGRAM}, 40, breadth="several"))
    assert set(several) <= {1, 2, 3} and several[2] + several[3] > 30
    rewrite = [sketch.body.count("\n- ") + 1 for sketch in sketches({"a.py": PROGRAM}, 40, breadth="rewrite")]
    assert stdlib_statistics.median(rewrite) >= 3


def test_one_idea_reaches_all_files_at_once():
    defaults = "\n".join(f"def f{at}(a, external: bool = True):\n    return run(a, external)\n" for at in range(4))
    files = {f"pkg/algorithm_{at}.py": defaults.encode() for at in range(5)} | {"pkg/other.py": b"x = True\n"}
    found = sketches(files, 60, operator="consistent")
    whole = [sketch for sketch in found if "external True -> False at 20 places in 5 files" in sketch.summary]
    assert whole
    assert whole[0].draft.paths == tuple(sorted(files))[:5]
    assert all(change.content.count(b"external: bool = False") == 4 for change in whole[0].draft.changes)
    assert any(sketch.kinds == ("consistent",) and len(sketch.draft.paths) > 1 for sketch in sketches(files, 150))


def test_an_idea_stays_within_the_files_one_edit_may_change():
    files = {f"m{at}.py": b"DEPTH = 12\n" for at in range(8)}
    scope = Scope(evolvable=("**",), max_files=3)
    assert all(len(sketch.draft.changes) <= 3 for sketch in sketches(files, 60, scope=scope))


def test_statements_come_from_inspirations_and_other_files():
    files = {"a.py": b"def f(x):\n    y = x\n    return y\n", "b.py": b"def g(z):\n    beside = z\n    return beside\n"}
    other = {"a.py": b"def f(x):\n    inspired = x\n    return inspired\n"}
    there, mutate, seen = desk(files, i=other), MutateProposer(), b""
    for ticket in range(1, 200):
        given = brief(ticket, operator="replace")
        given = Brief(
            **{name: getattr(given, name) for name in given.__struct_fields__} | {"inspirations": (judged("i"),)}
        )
        step = mutate.step(given, there, ())
        seen += step.draft.changes[0].content if isinstance(step, Sketch) else b""
    assert b"inspired = x" in seen and b"beside = z" in seen


def test_what_an_inspiration_does_otherwise_is_taken_over():
    mine = {"a.py": b"a = 1\nb = 2\nc = 3\nd = 4\n"}
    there, found = desk(mine, i={"a.py": b"a = 1\nb = 20\nc = 3\ne()\nd = 4\n"}), set()
    for ticket in range(1, 60):
        given = brief(ticket, operator="graft")
        given = Brief(
            **{name: getattr(given, name) for name in given.__struct_fields__} | {"inspirations": (judged("i"),)}
        )
        step = MutateProposer().step(given, there, ())
        assert isinstance(step, Sketch) and step.kinds == ("graft",)
        found.add(step.draft.changes[0].content)
    assert found == {
        b"a = 1\nb = 20\nc = 3\nd = 4\n",
        b"a = 1\nb = 2\nc = 3\ne()\nd = 4\n",
        b"a = 1\nb = 20\nc = 3\ne()\nd = 4\n",
    }


def test_the_tree_is_listed_once_and_children_cost_what_they_changed():
    files = {f"pkg/m{at:04}.py": PROGRAM for at in range(2000)}
    child = files | {"pkg/m0007.py": PROGRAM + b"\n"}
    there, mutate = desk(files, c=child), MutateProposer()
    for ticket in range(5):
        assert isinstance(mutate.step(brief(ticket), there, ()), Sketch)
    for ticket in range(5, 15):
        parent = judged("c", parents=("p",), paths=("pkg/m0007.py",))
        assert isinstance(mutate.step(brief(ticket, parent=parent), there, ()), Sketch)
    assert (there.trees["p"].listed, there.trees["c"].listed) == (1, 0)
    assert len(there.trees["c"].reads) < 10 * 60


def test_files_that_came_or_went_are_noticed():
    files, came, went = {"a.py": b"x = 1\n"}, {"a.py": b"x = 1\n", "b.py": b"y = 2\n"}, {"b.py": b"y = 2\n"}
    there, mutate = desk(files, came=came, went=went), MutateProposer()
    mutate.step(brief(), there, ())
    child = judged("came", parents=("p",), paths=("b.py",))
    grandchild = judged("went", parents=("came",), paths=("a.py",))
    touched = {path for at in range(30) for path in _paths(mutate.step(brief(at, parent=child), there, ()))}
    assert touched == {"a.py", "b.py"}
    assert {path for at in range(30) for path in _paths(mutate.step(brief(at, parent=grandchild), there, ()))} == {
        "b.py"
    }


def test_wrong_options_are_refused():
    for wrong in ({"weights": {"remove": 1.0}}, {"spread": 0.0}, {"floor": 2.0}, {"draws": 0}, {"reach": -1}):
        with pytest.raises(ValueError, match=r"weights|spread"):
            MutateProposer(**wrong)


def test_the_summary_names_place_and_change():
    found = sketches({"solve.py": b"ratio = 0.3\n"}, 40, operator="constant")
    assert all(sketch.summary.startswith("solve.py:1 0.3 -> ") and "(constant)" in sketch.summary for sketch in found)
    assert all(len(sketch.summary) < 200 for sketch in sketches({"a.py": PROGRAM}, 60, breadth="rewrite"))


def _paths(step):
    return step.draft.paths if isinstance(step, Sketch) else ()


def test_drafts_are_sorted_and_never_empty():
    files = {f"m{Random(at).random()}.py": PROGRAM for at in range(6)}
    for sketch in sketches(files, 60, breadth="rewrite"):
        assert isinstance(sketch.draft, Draft) and sketch.draft.paths == tuple(sorted(set(sketch.draft.paths)))
