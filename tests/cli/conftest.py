"""A small repository with an evaluator, and the command line called in this process."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from skygit.cli import main

KNOBS = "A = 3\nB = 40\nC = 500\n"
ENGINE = (
    "import knobs\n\n# EVOLVE-BLOCK-START\ndef value():\n    return knobs.A * 7 + knobs.B - knobs.C // 3\n"
    "# EVOLVE-BLOCK-END\n\n\ndef fixed():\n    return value()\n"
)
SCORE = 'import json, engine\nprint(json.dumps({"combined_score": -abs(engine.fixed() - 1000)}))\n'
CONFIG = f"""\
evaluation: {{command: [{json.dumps(sys.executable)}, -S, score.py], timeout: 20}}
scope: {{evolvable: [knobs.py, engine.py]}}
llm: {{max_iterations: 12}}
seed: 3
"""

Call = Callable[..., tuple[int, str]]


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@t")
    return subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    for name, text in (("knobs.py", KNOBS), ("engine.py", ENGINE), ("score.py", SCORE), (".skydiscover.yaml", CONFIG)):
        (folder / name).write_text(text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "base")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run one command line: its exit status and what it printed on stdout, then stderr."""

    def run(*words: str) -> tuple[int, str]:
        status = main(list(words))
        told = capsys.readouterr()
        return status, told.out + told.err

    return run
