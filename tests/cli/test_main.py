"""The edge of the command line: exit statuses, one line for a mistake, a traceback for a bug."""

import subprocess
import sys
from pathlib import Path

import pytest

import skygit
from skygit.cli import COMMANDS, Command, main
from skygit.errors import Conflict, RepositoryError


def run(*words: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """`skygit` in a fresh process; `code` runs before it."""
    program = f"import sys\nimport skygit.cli\n{code}\nsys.exit(skygit.cli.main(sys.argv[1:]))"
    return subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)


def failing(statement: str) -> str:
    """Code that offers one more command, which does one statement."""
    return (
        "import types\n"
        "from skygit.errors import *\n"
        f"def fail():\n    {statement}\n"
        "module = types.ModuleType('skygit.cli.plugins'); module.plugins = fail\n"
        "sys.modules['skygit.cli.plugins'] = module\n"
    )


def test_the_version() -> None:
    assert run("--version").stdout == f"skygit {skygit.__version__}\n"


def test_help_lists_every_command_with_its_line() -> None:
    text = run("--help").stdout
    for command in COMMANDS:
        if command.installed:
            assert f"  {command.name} " in text
            assert command.line.split()[0] in text


@pytest.mark.parametrize("command", [command for command in COMMANDS if command.installed], ids=lambda one: one.name)
def test_every_command_explains_itself(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command.name, "--help"]) == 0
    assert f"skygit {command.name}" in capsys.readouterr().out


@pytest.mark.parametrize("words", [("plugin",), ("plugins", "--nothing"), ("--nothing",)])
def test_a_misspelt_command_line_is_a_mistake(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert "Error" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("statement", "status", "stderr"),
    [
        ("raise UserError('one\\ntwo')", 2, "skygit: one two\n"),
        ("raise ConfigError('x')", 2, "skygit: x\n"),
        (f"raise {RepositoryError.__name__}('x')", 2, "skygit: x\n"),
        (f"raise {Conflict.__name__}('x')", 1, "skygit: x\n"),
        ("raise KeyboardInterrupt", 130, ""),
        ("return 3", 3, ""),
        ("return None", 0, ""),
    ],
)
def test_how_a_command_ends(statement: str, status: int, stderr: str) -> None:
    done = run("plugins", code=failing(statement))
    assert (done.returncode, done.stderr.lstrip("\n")) == (status, stderr)


def test_a_bug_shows_its_traceback() -> None:
    done = run("plugins", code=failing("1 / 0"))
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


def test_a_folder_that_cannot_be_written_is_one_line() -> None:
    done = run("plugins", code=failing("raise OSError(30, 'Read-only file system', '/there/file')"))
    assert (done.returncode, done.stderr) == (1, "skygit: [Errno 30] Read-only file system: '/there/file'\n")


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    program = f"{sys.executable} -m skygit plugins algorithms 2> {tmp_path / 'err'} | true"
    subprocess.run(["bash", "-c", program], check=True)
    assert (tmp_path / "err").read_text(encoding="utf-8") == ""


def test_the_plugins_are_listed_with_their_options() -> None:
    assert "adaevolve" in run("plugins").stdout
    assert "rho: float = 0.9" in run("plugins", "algorithms").stdout
    done = run("plugins", "algoritms")
    assert (done.returncode, "did you mean `algorithms`" in done.stderr) == (2, True)
