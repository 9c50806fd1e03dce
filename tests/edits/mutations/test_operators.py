"""The laws of the single operators."""

import math
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skygit.edits.mutations.graft import differing
from skygit.edits.mutations.ground import Ground
from skygit.edits.mutations.lines import reindented
from skygit.edits.mutations.menu import FAMILIES, OPERATORS, WEIGHTS, choose
from skygit.edits.mutations.numerals import moved, scaled, written
from skygit.edits.mutations.source import survey
from skygit.edits.mutations.splice import Splice, disjoint, spliced
from skygit.edits.mutations.tables import grammar
from skygit.languages.syntax import TreeSitterSyntax

SYNTAX = TreeSitterSyntax()


class Alone:
    """A file with no others around it."""

    def near(self, path, word):
        return iter(())

    def neighbour(self, path, rng):
        return None

    def muse(self, path, rng):
        return None


def surveyed(text, path="a.py"):
    data = text.encode()
    return survey(path, data, grammar(SYNTAX.language(path)), SYNTAX.nodes(path, data), [(0, len(data))])


def outcomes(kind, text, path="a.py", tries=200):
    """All texts that an operator makes of a text."""
    source, found = surveyed(text, path), set()
    for seed in range(tries):
        edit = OPERATORS[kind](Ground(source=source, rng=Random(seed), spread=0.25, around=Alone()))
        if edit is not None:
            assert edit.kind == kind and disjoint(edit.splices)
            found.add(spliced(source.data, edit.splices).decode())
    return found


EXACT = [
    ("truth", "a.py", "f(x=True)\n", {"f(x=False)\n"}),
    ("truth", "a.js", "f(true);\n", {"f(false);\n"}),
    ("comparison", "a.py", "a < b\n", {"a <= b\n", "a > b\n", "a >= b\n"}),
    ("comparison", "a.py", "a is not b\n", {"a is b\n"}),
    ("comparison", "a.js", "a === b;\n", {"a !== b;\n"}),
    ("comparison", "a.c", "int f(int a) { return a == 1; }\n", {"int f(int a) { return a != 1; }\n"}),
    ("arithmetic", "a.py", "a + b\n", {"a - b\n", "a\n", "b\n"}),
    ("arithmetic", "a.py", "a += b\n", {"a -= b\n"}),
    ("boolean", "a.py", "a and b\n", {"a or b\n", "a\n", "b\n"}),
    ("boolean", "a.py", "not a\n", {"a\n"}),
    ("boolean", "a.js", "a && b;\n", {"a || b;\n", "a;\n", "b;\n"}),
    ("condition", "a.py", "if a:\n    b()\n", {f"if {c}:\n    b()\n" for c in ("True", "False", "not (a)")}),
    ("condition", "a.py", "while a:\n    b()\n", {f"while {c}:\n    b()\n" for c in ("False", "not (a)")}),
    ("condition", "a.js", "while (a) b();\n", {f"while ({c}) b();\n" for c in ("false", "!(a)")}),
    ("delete", "a.py", "a()\nb()\n", {"a()\n", "b()\n"}),
    ("delete", "a.py", "if x:\n    a()\n", {"pass\n", "if x:\n    pass\n"}),
    ("delete", "a.py", "a(); b()\n", {"pass; b()\n", "a(); pass\n"}),
    ("swap", "a.py", "a()\nb()\n", {"b()\na()\n"}),
    ("swap", "a.py", "if x:\n    a()\nb()\n", {"b()\nif x:\n    a()\n"}),
    ("copy", "a.py", "a()\n", {"a()\na()\n"}),
    ("move", "a.py", "a()\nb()\n", {"b()\na()\n", "a()\nb()\n"}),
    ("replace", "a.py", "a()\nb = 1\nc()\n", {"c()\nb = 1\nc()\n", "a()\nb = 1\na()\n"}),
    ("unwrap", "a.py", "f(int(a), b.copy(), g(c))\n", {"f(a, b.copy(), g(c))\n", "f(int(a), b, g(c))\n"}),
    ("unwrap", "a.c", "int f(long a) { return (int) a; }\n", {"int f(long a) { return a; }\n"}),
    (
        "hoist",
        "a.py",
        "for x in y:\n    m.a(x, m.a)\n    x.b = x.c\n",
        {"_a = m.a\nfor x in y:\n    _a(x, _a)\n    x.b = x.c\n"},
    ),
    ("hoist", "a.py", "while x:\n    s.a += s.a\n", set()),
    (
        "consistent",
        "a.py",
        "f(tight=True)\ng(tight=True)\nh(loose=True)\n",
        {"f(tight=False)\ng(tight=False)\nh(loose=True)\n"},
    ),
]


@pytest.mark.parametrize(("kind", "path", "text", "expected"), EXACT)
def test_an_operator_makes_exactly_this(kind, path, text, expected):
    assert outcomes(kind, text, path) == expected


@pytest.mark.parametrize("kind", sorted(OPERATORS))
def test_imports_docstrings_and_definitions_are_no_statements(kind):
    text = '"""Doc."""\nimport a\n\n\ndef f():\n    """Doc."""\n'
    assert outcomes(kind, text) == set()


def test_a_copied_block_takes_its_new_indentation():
    made = outcomes("copy", "class A:\n    def f(self):\n        if a:\n            b()\n\n\nc()\n")
    assert "class A:\n    def f(self):\n        if a:\n            b()\n\n\nif a:\n    b()\nc()\n" in made
    assert "class A:\n    def f(self):\n        if a:\n            c()\n            b()\n\n\nc()\n" in made


@given(st.integers(0, 10**30), st.integers(), st.floats(0.01, 3.0))
def test_whole_numbers_stay_whole_and_move(value, seed, spread):
    new = moved(str(value), Random(seed), spread)
    assert new is not None and re.fullmatch(r"-?\d+", new) and int(new) != value


@given(st.floats(0, 1e300), st.integers(), st.floats(0.01, 3.0))
def test_fractions_stay_finite_fractions(value, seed, spread):
    new = moved(written(value), Random(seed), spread)
    assert new is not None and math.isfinite(float(new)) and not new.lstrip("-").isdigit()


def test_a_move_is_normal_on_the_log_scale():
    logs = [math.log(abs(float(moved("2.5", Random(seed), 0.25) or "nan")) / 2.5) for seed in range(4000)]
    assert abs(sum(logs) / len(logs)) < 0.02
    assert 0.22 < math.sqrt(sum(log * log for log in logs) / len(logs)) < 0.27


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("0x1F", r"-?0x[0-9a-f]+"),
        ("100UL", r"-?\d+UL"),
        ("2.5f", r"-?[\d.]+f"),
        ("10n", r"-?\d+n"),
        ("1_000", r"-?\d+"),
        ("7u32", r"-?\d+u32"),
    ],
)
def test_a_literal_keeps_its_kind(text, pattern):
    assert all(re.fullmatch(pattern, moved(text, Random(seed), 0.25) or "") for seed in range(200))


@pytest.mark.parametrize("text", ["3j", "0b11", "0755", "'a'", "1.2.3", ""])
def test_what_is_no_plain_numeral_is_left_alone(text):
    assert moved(text, Random(1), 0.25) is None and scaled(text, 2.0) is None


def test_zero_moves_to_something_small():
    assert {moved("0", Random(seed), 0.25) for seed in range(50)} <= {"1", "2", "-1"}
    assert all(0 < abs(float(moved("0.0", Random(seed), 0.25) or "0")) <= 1 for seed in range(50))


def test_a_sign_after_a_sign_is_parenthesised():
    made = outcomes("constant", "int f(int a) { return a -5; }\n", "a.c", tries=1500)
    assert any("-(-5)" in text for text in made) and not any("--" in text for text in made)


def test_equal_numbers_move_alike():
    made = outcomes("alike", "x = 0.3 + 0.3\ny = 0.7\n")
    assert made and all(re.fullmatch(r"x = (\S+) \+ \1\ny = 0.7\n", text) for text in made)


def test_several_numbers_move_in_one_edit():
    made = outcomes("constants", "a = 1.5\nb = 2.5\nc = 3.5\n")
    assert made and all(sum(f"= {old}\n" not in text for old in ("1.5", "2.5", "3.5")) >= 2 for text in made)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.binary(max_size=4)), max_size=6))
def test_disjoint_splices_apply_in_any_order(parts):
    data = bytes(range(40))
    splices = [Splice(path="a", start=start, end=start + length, new=new) for start, length, new in parts]
    if disjoint(splices):
        assert spliced(data, splices) == spliced(data, splices[::-1])
        assert len(spliced(data, splices)) == len(data) + sum(len(one.new) - one.end + one.start for one in splices)


def test_touching_the_same_bytes_is_not_disjoint():
    def at(start, end):
        return Splice(path="a", start=start, end=end, new=b"")

    assert disjoint([at(0, 2), at(2, 4)])
    assert not disjoint([at(0, 3), at(2, 4)])
    assert not disjoint([at(2, 2), at(2, 2)])


def test_text_that_does_not_hang_on_its_indentation_is_not_moved():
    assert reindented(b"if a:\n  b()", b"    ", b"", b"\n") is None
    assert reindented(b"if a:\r\n\tb()", b"", b"\t", b"\n") == b"if a:\n\t\tb()"


@given(st.lists(st.sampled_from([b"a", b"b", b"c", b""])), st.lists(st.sampled_from([b"a", b"b", b"c", b""])))
def test_all_differences_together_give_the_other_text(old, new):
    mine, theirs = b"\n".join(old), b"\n".join(new)
    splices = [Splice(path="a", start=start, end=end, new=text) for start, end, text in differing(mine, theirs)]
    assert spliced(mine, splices) == theirs


def test_every_kind_has_a_weight_and_one_family():
    assert set(WEIGHTS) == set(OPERATORS) == {kind for family in FAMILIES for kind in family}
    assert len([kind for family in FAMILIES for kind in family]) == len(OPERATORS)


def test_only_what_lies_within_a_region_is_listed():
    data = b"a = 1\nb = 2\nc = 3\n"
    source = survey("a.py", data, grammar("python"), SYNTAX.nodes("a.py", data), [(6, 12)])
    assert [source.text(at) for at in source.numbers + source.statements] == [b"2", b"b = 2"]


def test_unknown_languages_have_no_operators():
    assert grammar("") is None and grammar("cobol") is None


def test_the_choice_explores_what_was_never_tried():
    drawn = {choose(dict(WEIGHTS), {}, 0.0, Random(seed)) for seed in range(600)}
    assert drawn == set(OPERATORS)
