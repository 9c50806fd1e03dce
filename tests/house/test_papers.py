"""What the papers of the project say of its code is true."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAPERS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.name)
def test_every_module_and_file_named_is_there(paper: Path) -> None:
    text = paper.read_text(encoding="utf-8")
    assert not [name for name in _dotted(text) if not _importable(name)]
    assert not [path for path in _files(text) if not (ROOT / path).exists()]


def test_the_license_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_a_name_that_is_not_there_is_seen() -> None:
    assert _importable("skygit.ports.Proposer")
    assert not _importable("skygit.ports.Nothing")
    assert not _importable("skygit.nothing")


def _dotted(text: str) -> set[str]:
    return set(re.findall(r"`(skygit(?:\.[a-z_]+)+(?:\.[A-Z]\w+)?)`", text))


def _files(text: str) -> set[str]:
    return set(re.findall(r"`((?:skygit|tests|templates|benchmarks|docs)/[\w/.-]+)`", text))


def _importable(name: str) -> bool:
    module, _, last = name.rpartition(".")
    if last[:1].isupper():
        return _importable(module) and last in vars(importlib.import_module(module))
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False
