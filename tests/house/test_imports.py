"""What costs seconds is imported only where it is used."""

import subprocess
import sys
from pathlib import Path

import pytest

import skygit.cli

HEAVY = ("litellm", "scipy", "tree_sitter", "git", "numpy", "matplotlib")
CPU_SECONDS = 0.25


def _loaded(code: str) -> set[str]:
    """The modules loaded after running some code in a fresh interpreter."""
    program = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.splitlines()}


@pytest.mark.parametrize("module", ["skygit.cli", "skygit.config", "skygit.plugins", "skygit.engine.loop"])
def test_nothing_heavy_is_imported(module: str) -> None:
    assert not _loaded(f"import {module}") & set(HEAVY)


def test_help_imports_no_command() -> None:
    code = "from skygit.cli import main\nassert main(['--help']) == 0\nsys.stdout.flush()"
    loaded = _loaded(code)
    assert not loaded & {*HEAVY, "yaml", "msgspec"}


def test_a_heavy_import_would_be_seen() -> None:
    assert "numpy" in _loaded("import numpy")


def test_help_is_quick() -> None:
    """CPU seconds, the quietest of five: other work on the machine only ever adds."""
    assert min(_cpu_of_help() for _ in range(5)) < CPU_SECONDS


def _cpu_of_help() -> float:
    program = (
        "import os, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'skygit', '--help'], stdout=subprocess.DEVNULL, check=True)\n"
        "times = os.times()\nprint(times.children_user + times.children_system)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return float(done.stdout)


def test_every_command_that_is_there_is_offered() -> None:
    """A file in cli/ that defines a command of its own name is registered."""
    folder = Path(skygit.cli.__file__).parent
    targets = {command.target.partition(":")[0] for command in skygit.cli.COMMANDS}
    defining = {file.stem for file in folder.glob("*.py") if f"\ndef {file.stem}(" in file.read_text(encoding="utf-8")}
    assert defining <= targets
