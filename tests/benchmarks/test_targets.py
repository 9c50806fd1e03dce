"""Real projects become tasks; offline, with an archive made here in the place of the fetched one."""

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from benchmarks.targets import fetch
from benchmarks.targets.fetch import TARGETS, FetchError
from skygit.config import settings

PACKAGE = """
class SortedList(list):
    pass
"""


def archive(folder, name):
    """A source archive of a project with one file."""
    project = folder / f"{name}-1"
    (project / name).mkdir(parents=True)
    (project / name / "__init__.py").write_text(PACKAGE)
    with tarfile.open(folder / "sdist.tar.gz", "w:gz") as tar:
        tar.add(project, arcname=project.name)
    return folder / "sdist.tar.gz"


def git(folder, *words):
    return subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_target_is_a_clean_repository_with_its_benchmark(tmp_path, name):
    folder = tmp_path / "target"
    fetch.fetch(name, folder, archive(tmp_path, name))
    files = git(folder, "ls-files").split()
    assert {".skydiscover.yaml", "bench/eval.py", "bench/meter.py", f"bench/original/{name}/__init__.py"} <= set(files)
    assert git(folder, "status", "--porcelain") == ""
    text = (folder / ".skydiscover.yaml").read_text()
    assert "{python}" not in text and sys.executable in text
    assert settings.load(folder / ".skydiscover.yaml").problem


@pytest.mark.parametrize("path", sorted(fetch.HERE.parent.glob("*/*/seed/.skydiscover.yaml")), ids=str)
def test_the_set_ups_of_the_tasks_are_read(path):
    assert settings.load(path).problem
    task = path.parents[1]
    best = json.loads((task / "best_known.json").read_text())
    assert set(best) == {"score", "direction", "source"}
    assert (task / "problem.md").read_text().startswith("# ")


def test_a_folder_in_use_is_left_alone(tmp_path):
    (tmp_path / "mine").write_text("x")
    with pytest.raises(FetchError, match="not empty"):
        fetch.fetch("pathfinding", tmp_path, archive(tmp_path, "pathfinding"))


def test_the_command_line_tells_what_is_wrong(tmp_path):
    (tmp_path / "mine").write_text("x")
    command = [sys.executable, "-m", "benchmarks.targets", "pathfinding", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(fetch.__file__).parents[2])
    assert done.returncode == 2
    assert "not empty" in done.stderr
