"""The command line: one file per command, the only prints, the only exit codes.

Exit status: 0 done, 1 skygit could not go on, 2 a mistake the user can mend, 130 interrupted.
Only the module of the command that was typed is imported, so `skygit --help` stays quick.
"""

import errno
import functools
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from skygit import __version__
from skygit.errors import SkygitError, UserError


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, the function that is it ("module:function" in this package), one line of help."""

    name: str
    target: str
    line: str

    @property
    def installed(self) -> bool:
        """Whether the module is there."""
        return Path(__file__).with_name(self.target.partition(":")[0] + ".py").exists()

    def function(self) -> Callable[..., Any]:
        """The function itself; imports its module."""
        module, _, name = self.target.partition(":")
        found: Callable[..., Any] = vars(import_module(f"{__name__}.{module}"))[name]
        return found


COMMANDS: Final = (
    Command("init", "init:init", "Set up a repository: writes .skydiscover.yaml, commits nothing."),
    Command("check", "check:check", "Prove a set-up before money is spent."),
    Command("evolve", "evolve:evolve", "Start a run, or go on with the newest unfinished one."),
    Command("resume", "evolve:evolve", "The same as evolve."),
    Command("runs", "runs:runs", "List the runs of this repository."),
    Command("status", "status:status", "Where a run stands."),
    Command("log", "log:log", "What happened in a run, ticket by ticket."),
    Command("top", "top:top", "The best candidates of a run."),
    Command("show", "show:show", "One candidate: scores, prompt, reply, diff, artifacts."),
    Command("diff", "diff:diff", "The change between two candidates, or a candidate and the base."),
    Command("apply", "apply:apply", "Apply a model's reply to a folder, through the full scope check."),
    Command("review", "review:review", "Put a winner on a clean branch, with the evidence."),
    Command("clean", "clean:clean", "Remove what skygit made, and only that."),
    Command("plugins", "plugins:plugins", "List the plugins of each family and their options."),
)
"""In the order of a first tour. A command whose module is missing is not offered."""

NO_ROOM: Final = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)
"""A folder that cannot be written is no bug: one line says which."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit status. A bug shows its traceback."""
    try:
        try:
            _dispatch(list(sys.argv[1:] if argv is None else argv))
        finally:
            sys.stdout.flush()  # here, where a reader that has gone is known what to do about
    except SystemExit as end:
        return _status(end.code)
    except UserError as error:
        return _said(error, 2)
    except SkygitError as error:
        return _said(error, 1)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return _muted()
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        return _said(error, 1)
    return 0


def _dispatch(argv: list[str]) -> None:
    chosen = next((word for word in argv if not word.startswith("-")), "")
    application = typer.Typer(
        add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True
    )
    application.callback()(_skygit)
    for command in COMMANDS:
        if command.installed:
            _register(application, command, import_it=command.name == chosen)
    typer.main.get_command(application)(argv, prog_name="skygit")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"skygit {__version__}")
        raise typer.Exit


def _skygit(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and end.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Evolve a multi-file code base inside git: candidates are commits, islands are branches."""


def _register(application: typer.Typer, command: Command, *, import_it: bool) -> None:
    if import_it:
        application.command(command.name)(_exiting(command.function()))
    else:
        application.command(command.name, help=command.line)(_elsewhere)


def _elsewhere() -> None:
    """Stands for a command that was not typed, so that the list of commands is whole."""


def _exiting(function: Callable[..., Any]) -> Callable[..., None]:
    """The command with its result, if it is a number, as the exit status."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        raise typer.Exit(int(function(*args, **kwargs) or 0))

    run.__signature__ = inspect.signature(function, eval_str=True)  # type: ignore[attr-defined]
    return run


def _status(code: object) -> int:
    return code if isinstance(code, int) else int(code is not None)


def _said(error: Exception, status: int) -> int:
    print("skygit:", " ".join(str(error).split()), file=sys.stderr)
    return status


def _muted() -> int:
    """The reader of our output has gone; so that nothing more is written at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
