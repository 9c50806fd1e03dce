"""Plugins are found by name, path or entry point, and their options are their fields."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

import pytest

from skygit import plugins
from skygit.errors import ConfigError


class Port(Protocol):
    """What only the composition root can supply."""

    def say(self) -> str: ...


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A plugin with options of several types."""

    port: Port
    rho: float = 0.9
    width: int = 3
    mode: Literal["paper", "scaled"] = "scaled"
    names: tuple[str, ...] = ()
    hidden: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if not 0 < self.rho < 1:
            raise ValueError("rho must lie between 0 and 1")


SOURCE = """
from dataclasses import dataclass

@dataclass(frozen=True, kw_only=True)
class Mine:
    width: int = 3
    def __post_init__(self):
        if self.width > 9:
            raise ValueError("width must be at most 9")

PLUGIN = Mine
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("family", plugins.FAMILIES)
def test_every_listed_plugin_can_be_found_and_says_what_it_is(family: str) -> None:
    for name in plugins.names(family):
        assert plugins.about(family, name)
        if family != "languages":
            assert isinstance(plugins.options(plugins.find(family, name)), dict)


@pytest.mark.parametrize("family", plugins.FAMILIES)
def test_machinery_is_not_listed(family: str) -> None:
    folder = Path(plugins.__file__).parent / family
    for name in plugins.names(family):
        declared = "\nLANGUAGES" if family == "languages" else "\nPLUGIN"
        assert declared in (folder / f"{name}.py").read_text(encoding="utf-8")


def test_the_box_is_not_empty() -> None:
    assert {"adaevolve", "topk", "beam", "best_of_n"} <= set(plugins.names("algorithms"))
    assert {"python", "javascript", "c"} <= set(plugins.names("languages"))


def test_algorithms_are_built_by_name() -> None:
    assert plugins.build("algorithms", "adaevolve", {"rho": 0.5}).rho == 0.5


def test_a_name_with_dashes_is_understood_as_a_suggestion() -> None:
    with pytest.raises(ConfigError, match="did you mean `best_of_n`"):
        plugins.find("algorithms", "best-of-n")


@pytest.mark.parametrize("name", ["mine.py:Mine", "mine.py"])
def test_a_file_is_a_plugin(mine: Path, name: str) -> None:
    assert plugins.build("algorithms", name, {"width": 4}, root=mine).width == 4
    assert [file.name for file in mine.iterdir()] == ["mine.py"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mine.py:Mien", "did you mean `Mine`"),
        ("other.py:Mine", "cannot be read"),
        ("broken.py:Mine", "cannot be loaded"),
        ("plain.py", "write `plain.py:ClassName`"),
        ("plain.py:x", "is no class"),
        ("nothing", "no plugin `nothing` in algorithms"),
    ],
)
def test_what_is_no_plugin_is_a_mistake_of_the_user(mine: Path, name: str, words: str) -> None:
    (mine / "broken.py").write_text("def (", encoding="utf-8")
    (mine / "plain.py").write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        plugins.find("algorithms", name, mine)
    assert words in str(caught.value)


def test_an_unknown_family_is_named() -> None:
    with pytest.raises(ConfigError, match="did you mean `algorithms`"):
        plugins.names("algorithm")


def test_an_entry_point_is_a_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n", encoding="utf-8")
    entries = "[skygit.observers]\ntheirs = theirs:Theirs\nlost = theirs:Lost\n"
    (info / "entry_points.txt").write_text(entries, encoding="utf-8")
    (tmp_path / "theirs.py").write_text("class Theirs:\n    pass\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    plugins._entries.cache_clear()
    try:
        assert {"theirs", "lost"} <= set(plugins.names("observers"))
        assert plugins.find("observers", "theirs").__name__ == "Theirs"
        with pytest.raises(ConfigError, match="cannot be loaded"):
            plugins.find("observers", "lost")
    finally:
        plugins._entries.cache_clear()


@pytest.mark.parametrize(
    ("given", "key", "words"),
    [
        ({"rhо": 1}, "rhо", "unknown option"),
        ({"widht": 1}, "widht", "did you mean `width`"),
        ({"width": "3"}, "width", "expected a whole number, got text"),
        ({"width": True}, "width", "got true or false"),
        ({"width": 1.5}, "width", "got a number"),
        ({"mode": "papper"}, "mode", "one of paper, scaled; did you mean `paper`"),
        ({"names": "a"}, "names", "expected a list"),
        ({"hidden": 1}, "hidden", "unknown option"),
        ({"port": 1}, "port", "unknown option"),
    ],
)
def test_a_wrong_option_is_named(given: dict[str, object], key: str, words: str) -> None:
    found = plugins.fault(Sample, given, supplies={"port"})
    assert found is not None
    assert found.key == key
    assert words in found.message


def test_right_options_have_no_fault() -> None:
    given = {"rho": 0.5, "width": 1, "mode": "paper", "names": ["a"]}
    assert plugins.fault(Sample, given, supplies={"port"}) is None


def test_what_post_init_refuses_is_a_mistake_of_the_user(mine: Path) -> None:
    with pytest.raises(ConfigError, match=r"^set-up\.yaml: width: width must be at most 9"):
        plugins.build("algorithms", "mine.py", {"width": 10}, "set-up.yaml", root=mine)


def test_supplies_fill_fields_and_others_are_left_out(mine: Path) -> None:
    (mine / "wants.py").write_text(
        "from dataclasses import dataclass\n@dataclass\nclass Wants:\n    port: object\n    n: int = 1\n",
        encoding="utf-8",
    )
    built = plugins.build("proposers", "wants.py:Wants", {"n": 2}, supplies={"port": "p", "other": 1}, root=mine)
    assert (built.port, built.n) == ("p", 2)


@pytest.mark.parametrize(
    ("word", "nearest"), [("spawn", "spawn_threshold"), ("RHO", "rho"), ("tactic-window", "tactic_window"), ("zzz", "")]
)
def test_suggestions(word: str, nearest: str) -> None:
    known = ["rho", "spawn_threshold", "tactic_window"]
    assert plugins.suggestion(word, known) == (f"; did you mean `{nearest}`?" if nearest else "")
