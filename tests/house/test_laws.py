"""The package keeps the laws of the house, and each law is seen to find a planted fault."""

from pathlib import Path

import pytest

import skygit
from tests.house import laws
from tests.house.laws import Law, Source, findings, sources

PACKAGE = Path(skygit.__file__).parent
FILES = sources(PACKAGE)

FAULTS: dict[Law, Source] = {
    laws.short_files: Source("engine/loop.py", "x = 1\n" * 301),
    laws.short_functions: Source("engine/loop.py", "def long():\n" + "    x = 1\n" * 40),
    laws.small_classes: Source(
        "engine/loop.py", "class Big:\n" + "".join(f"    def m{n}(self): ...\n" for n in range(16))
    ),
    laws.telling_names: Source("engine/utils.py", ""),
    laws.nothing_swallowed: Source("engine/loop.py", "try:\n    x\nexcept (ValueError, Exception):\n    pass\n"),
    laws.one_door: Source("engine/loop.py", "def f():\n    import tree_sitter_python\n"),
    laws.pure_inside: Source("edits/apply.py", "import random\nx = random.random()\n"),
    laws.quiet: Source("engine/loop.py", "print('hello')\n"),
    laws.no_default_getattr: Source("engine/loop.py", "x = getattr(y, 'z', None)\n"),
    laws.nothing_left_open: Source("engine/loop.py", "raise NotImplementedError\n"),
    laws.no_boolean_position: Source("engine/loop.py", "def f(*, a: bool) -> None: ...\ndef g(a: bool) -> None: ...\n"),
    laws.documented: Source("engine/loop.py", '"""A module."""\n\n\ndef f() -> None: ...\n'),
    laws.strangers_in_the_family: Source(
        "algorithms/new.py", "from skygit.algorithms.adaevolve import AdaEvolve\n\nPLUGIN = AdaEvolve\n"
    ),
}


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
def test_the_package_keeps_the_law(law: Law) -> None:
    assert not findings(law, FILES)


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
def test_the_law_finds_a_planted_fault(law: Law) -> None:
    assert len(findings(law, [FAULTS[law]])) == 1


def test_tidying_up_and_raising_again_swallows_nothing() -> None:
    text = "try:\n    x\nexcept BaseException:\n    y()\n    raise\n"
    assert not findings(laws.nothing_swallowed, [Source("engine/loop.py", text)])


def test_the_package_is_seen() -> None:
    assert len(FILES) > 20


@pytest.mark.parametrize("module", ["import os", "from time import sleep"])
def test_pure_folders_reach_nothing(module: str) -> None:
    assert findings(laws.pure_inside, [Source("domain/event.py", module)])


def test_a_bare_except_catches_everything() -> None:
    assert findings(laws.nothing_swallowed, [Source("domain/event.py", "try:\n    x\nexcept:\n    pass\n")])


def test_no_place_is_excused_for_nothing() -> None:
    for path in laws.CATCHES_ALL:
        text = (PACKAGE / path).read_text(encoding="utf-8")
        assert findings(laws.nothing_swallowed, [Source("elsewhere.py", text)])


def test_no_test_uses_a_mock() -> None:
    """Fakes that keep the port, never mocks."""
    mocking = ("unittest." + "mock", "Magic" + "Mock")
    files = [path for path in Path(__file__).parents[1].rglob("*.py") if "corpus" not in path.parts]
    assert not [str(path) for path in files if any(word in path.read_text(encoding="utf-8") for word in mocking)]
