"""`skygit init` in real repositories: writes a set-up that loads, and touches nothing else."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from skygit.config import Settings, load

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def skygit(tmp_path: Path) -> Run:
    """`skygit` in a fresh process, with a HOME that holds nothing."""
    (tmp_path / "home").mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "GIT_CONFIG_NOSYSTEM": "1"}

    def run(*words: str, folder: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
        argv = [sys.executable, "-m", "skygit", *words]
        return subprocess.run(argv, cwd=folder, env=env, input=stdin, capture_output=True, text=True, check=False)

    return run


def repository(root: Path, files: dict[str, str]) -> Path:
    """A repository with one commit that holds the files."""
    root.mkdir()
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def git(root: Path, *words: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(["git", *identity, *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


PROJECT = {
    "src/app/a.py": "x = 1\n",
    "tests/test_a.py": "import pytest\n",
    "bench/eval.py": "print('METRIC ops=3')\n",
    ".gitignore": "secret.py\n",
}


def set_up_of(root: Path) -> Settings:
    found = load(root / ".skydiscover.yaml")
    assert found.notes == ()
    return found


def test_a_project_is_set_up_without_a_question(tmp_path: Path, skygit: Run) -> None:
    root = repository(tmp_path / "repo", PROJECT)
    (root / "secret.py").write_text("# EVOLVE-BLOCK-START\n", encoding="utf-8")
    head = git(root, "rev-parse", "HEAD")
    done = skygit("init", folder=root)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("next: skygit check\n")
    assert git(root, "status", "--short") == "?? .skydiscover.yaml\n"
    assert git(root, "rev-parse", "HEAD") == head
    found = set_up_of(root)
    assert found.scope.evolvable == ("src/**/*.py",)
    assert set(found.scope.protected) == {"bench/**", "tests/**"}
    assert (found.evaluation.command, found.evaluation.source) == ("python bench/eval.py", "metric")
    assert (found.evaluation.score.key, found.evaluation.direction) == ("ops", "min")
    assert [stage.command for stage in found.evaluation.stages] == ["python -m pytest -q"]


def test_an_existing_set_up_is_not_overwritten(tmp_path: Path, skygit: Run) -> None:
    root = repository(tmp_path / "repo", {**PROJECT, ".skydiscover.yaml": "mine\n"})
    done = skygit("init", folder=root)
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert (root / ".skydiscover.yaml").read_text(encoding="utf-8") == "mine\n"
    assert skygit("init", "--force", folder=root).returncode == 0
    set_up_of(root)


def test_the_command_line_decides(tmp_path: Path, skygit: Run) -> None:
    root = repository(tmp_path / "repo", PROJECT)
    words = ("--eval", "make 'b' \"c\"", "--evolve", "src/app/*.py", "--evolve", "x y/**", "--protect", "bench/eval.py")
    done = skygit("init", *words, "--yes", folder=root)
    assert "note: `x y/**` matches no file" in done.stdout
    found = set_up_of(root)
    assert found.evaluation.command == "make 'b' \"c\""
    assert found.scope.evolvable == ("src/app/*.py", "x y/**")
    assert found.scope.protected == ("bench/eval.py",)


def test_a_package_in_a_subfolder_is_set_up_at_the_root(tmp_path: Path, skygit: Run) -> None:
    root = repository(tmp_path / "repo", {f"libs/one/{name}": text for name, text in PROJECT.items()} | {"main.go": ""})
    assert skygit("init", folder=root / "libs" / "one").returncode == 0
    found = set_up_of(root)
    assert found.scope.evolvable == ("libs/one/src/**/*.py",)
    assert found.evaluation.command == "cd libs/one && python bench/eval.py"
    assert found.evaluation.source == "metric"


def test_without_a_measure_an_evaluator_is_written_that_runs(tmp_path: Path, skygit: Run) -> None:
    tests = "import unittest\nclass T(unittest.TestCase):\n    def test(self): pass\n"
    root = repository(
        tmp_path / "repo", {"solve.py": "# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-END\n", "test_solve.py": tests}
    )
    done = skygit("init", folder=root)
    assert "wrote skygit_evaluator.py" in done.stdout
    found = set_up_of(root)
    assert (found.evaluation.python, found.evaluation.program) == ("skygit_evaluator.py", "solve.py")
    assert "/skygit_evaluator.py" in found.scope.protected
    names: dict[str, Callable[[str], dict[str, float]]] = {}
    exec((root / "skygit_evaluator.py").read_text(encoding="utf-8"), names)  # type: ignore[arg-type]
    assert names["evaluate"](str(root))["combined_score"] < 0
    (root / "test_solve.py").write_text("import unittest\nraise SystemExit(3)\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="failed"):
        names["evaluate"](str(root / "solve.py"))


def test_an_evaluator_that_is_there_is_kept(tmp_path: Path, skygit: Run) -> None:
    evaluator = "def evaluate(program_path):\n    return 1.0\n"
    root = repository(tmp_path / "repo", {"a.py": "x = 1\n", "skygit_evaluator.py": evaluator})
    assert skygit("init", folder=root).returncode == 0
    assert (root / "skygit_evaluator.py").read_text(encoding="utf-8") == evaluator
    assert set_up_of(root).evaluation.python == "skygit_evaluator.py"


def test_paths_with_signs_of_globs_are_named_literally(tmp_path: Path, skygit: Run) -> None:
    marked = "# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-END\n"
    root = repository(tmp_path / "repo", {"a [1]*.py": marked, "ä\"'.py": marked, "line\nbreak.py": marked})
    assert skygit("init", folder=root).returncode == 0
    assert set(set_up_of(root).scope.evolvable) == {"/a \\[1\\]\\*.py", "/ä\"'.py"}


@pytest.mark.parametrize(
    ("files", "words", "message"),
    [({"README.md": ""}, (), "--evolve GLOB"), ({"a.py": ""}, ("--evolve", "../x"), "stay inside")],
)
def test_what_cannot_be_set_up_is_said_and_nothing_is_written(
    tmp_path: Path, skygit: Run, files: dict[str, str], words: tuple[str, ...], message: str
) -> None:
    root = repository(tmp_path / "repo", files)
    done = skygit("init", *words, folder=root)
    assert done.returncode == 2
    assert message in done.stderr
    assert git(root, "status", "--short") == ""


def test_outside_of_a_repository_one_line_says_so(tmp_path: Path, skygit: Run) -> None:
    done = skygit("init", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("skygit: ")
    assert len(done.stderr.splitlines()) == 1
    assert "git repository" in done.stderr


def test_a_repository_without_a_commit_is_told_to_commit(tmp_path: Path, skygit: Run) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q")
    (root / "a.py").write_text("x = 1\n", encoding="utf-8")
    done = skygit("init", folder=root)
    assert done.returncode == 0
    assert "no commit yet" in done.stdout


def test_on_a_terminal_it_asks(tmp_path: Path) -> None:
    import pty

    root = repository(tmp_path / "repo", PROJECT)
    control, terminal = pty.openpty()
    os.write(control, b"make measure\n-\nsrc/app/**\n")
    argv = [sys.executable, "-m", "skygit", "init"]
    done = subprocess.run(argv, cwd=root, stdin=terminal, capture_output=True, text=True, check=True)
    os.close(control)
    os.close(terminal)
    found = set_up_of(root)
    assert (found.evaluation.command, found.evaluation.stages) == ("make measure", ())
    assert found.scope.evolvable == ("src/app/**",)
    assert "How is it measured" in done.stdout
