"""YAML as plain data that remembers its lines."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skygit.config.document import read
from skygit.errors import ConfigError

PRINTABLE = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | PRINTABLE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PRINTABLE, inner, max_size=4),
    max_leaves=12,
)


@given(PLAIN)
def test_what_json_writes_is_read_back(data: object) -> None:
    assert read(json.dumps(data, ensure_ascii=False), "f").data == data


@given(st.dictionaries(PRINTABLE, st.integers() | PRINTABLE.map("t".__add__), min_size=1, max_size=6))
def test_what_yaml_writes_is_read_back_with_the_line_of_each_key(data: dict[str, object]) -> None:
    text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=10**6)
    document = read(text, "f")
    assert document.data == data
    lines = [document.lines[(key,)] for key in data]
    assert lines == sorted(set(lines))
    assert lines[0] == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("1E5", 100000.0),
        (".5", 0.5),
        ("2.", 2.0),
        ("-3", -3),
        ("010", "010"),
        ("1_000", 1000),
        ("1:30", "1:30"),
        ("2026-01-01", "2026-01-01"),
        ("0x10", "0x10"),
        ("yes", True),
        ("~", None),
        ("'1'", "1"),
        ("1.2.3", "1.2.3"),
        ("-", None),
    ],
)
def test_scalars(text: str, value: object) -> None:
    found = read(f"a: {text}" if text != "-" else "a:", "f").data["a"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "already on line 1"),
        ("a:\n  b: {c: 1, c: 2}\n", 2, "already on line 2"),
        ("a: .nan\n", 1, "NaN"),
        ("x: 1\na: [1, -.inf]\n", 2, "infinity"),
        ("a: 1e999\n", 1, "infinity"),
        ("b: 1\na: &x\n  - *x\n", 2, "contains itself"),
        ("a: {b\n", 2, "no YAML"),
        ("a:\n\t- b\n", 2, "no YAML"),
        ("a: 1\n---\nb: 2\n", 2, "no YAML"),
        ("a: !!python/object/apply:os.system [ls]\n? [1]\n: 2\n", 2, "plain words"),
        ("a: !!python/name:os.system x\n", 1, "cannot be read"),
        ("a: !!binary aGk=\n", 1, "only text"),
        ("<<: {a: 1}\n", 1, "plain words"),
        ('a: "\\ud800"\n', 1, "half a character"),
        ("a: *nowhere\n", 1, "no YAML"),
    ],
)
def test_what_is_refused_is_named_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text, "set-up.yaml")
    assert str(caught.value).startswith(f"set-up.yaml:{line}: ")
    assert words in str(caught.value)


def test_aliases_that_multiply_are_stopped() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))
    with pytest.raises(ConfigError, match="too many values"):
        read(bomb, "f")


@given(st.text())
def test_any_text_is_read_or_refused_as_a_mistake(text: str) -> None:
    try:
        read(text, "f")
    except ConfigError as error:
        assert str(error).startswith("f")


@given(st.sampled_from(["1e", "1.e5", "+.e3", "0o7", "1__0", "--1", "+", ".", "-.", "1e+", "12e03"]))
def test_what_looks_like_a_number_is_a_number_or_text(text: str) -> None:
    assert isinstance(read(f"a: {text}", "f").data["a"], (str, float))


def test_overrides_replace_values_and_are_named_as_such() -> None:
    document = read("a: {b: 1, c: 2}\n", "f").with_overrides({"a.b": 5, "d.e": 6})
    assert document.data == {"a": {"b": 5, "c": 2}, "d": {"e": 6}}
    assert document.at(("a", "b")) == "command line"
    assert document.at(("d", "e", 0)) == "command line"
    assert document.at(("a", "c")) == "f:1"
