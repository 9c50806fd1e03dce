"""Runs git with nothing of the user's in the way: no hook, pager, editor, signature, filter, prompt or gc.

GitPython is the door. Its `Repo` takes locations from inherited GIT_* variables, so git itself
finds the repository and GitPython's command runner starts it, persistent processes included.
"""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from skygit.domain.secrecy import tells_of_a_key
from skygit.errors import RepositoryError

if TYPE_CHECKING:
    import git

_CONFIG: Final = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.logAllRefUpdates=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgsign=false",
    "tag.gpgsign=false",
    "log.showSignature=false",
    "i18n.logOutputEncoding=UTF-8",
    "i18n.commitEncoding=UTF-8",
)
_ENVIRONMENT: Final = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "false",
    "GIT_SEQUENCE_EDITOR": "false",
    "GIT_AUTHOR_NAME": "skygit",
    "GIT_AUTHOR_EMAIL": "skygit@localhost",
    "GIT_COMMITTER_NAME": "skygit",
    "GIT_COMMITTER_EMAIL": "skygit@localhost",
}
_KEPT: Final = ("GIT_CONFIG_", "GIT_SSH", "GIT_PYTHON_", "GIT_CEILING_", "GIT_DISCOVERY_", "GIT_TEST_")
_PARAMETERS: Final = "GIT_CONFIG_PARAMETERS"


class GitFailed(RepositoryError):
    """A git command ended with an error; the text is git's own last line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A git process with pipes. `owner` keeps GitPython's wrapper, which ends it when forgotten."""

    owner: Any
    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def close(self) -> None:
        """Let it see the end of its input and wait for it."""
        process: subprocess.Popen[bytes] = self.owner.proc
        try:
            self.stdin.close()
        except BrokenPipeError:
            pass
        process.wait()
        self.stdout.close()
        self.stderr.close()


class Git:
    """Git in one folder; with `git_dir` bound to that repository, blind to working tree and index."""

    def __init__(self, folder: Path, *, git_dir: Path | None = None) -> None:
        self._door = _door(folder)
        places = () if git_dir is None else ("--bare", f"--git-dir={git_dir}", "-c", "core.attributesFile=/dev/null")
        no_index = {} if git_dir is None else {"GIT_INDEX_FILE": str(git_dir / "skygit-has-no-index")}
        options = (word for setting in _CONFIG for word in ("-c", setting))
        self._environment = {**_ENVIRONMENT, **no_index}
        self._prefix = (*_without(os.environ, self._environment), "git", *places, "--no-pager", *options)

    def run(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        """What the command prints. Raises GitFailed with git's own message when it fails."""
        started = self._start(arguments, env or {})
        process: subprocess.Popen[bytes] = started.proc
        output, complaint = process.communicate(stdin)
        if process.returncode:
            raise GitFailed(_last_line(complaint) or f"git {arguments[0]} ended with status {process.returncode}")
        return output

    def start(self, *arguments: str) -> Running:
        """A process that reads our requests. Ctrl-C in the terminal does not reach it."""
        owner = self._start(arguments, {})
        process: subprocess.Popen[bytes] = owner.proc
        assert process.stdin and process.stdout and process.stderr
        return Running(owner=owner, stdin=process.stdin, stdout=process.stdout, stderr=process.stderr)

    def _start(self, arguments: tuple[str, ...], env: Mapping[str, str]) -> Any:
        return self._door.execute(
            [*self._prefix, *arguments],
            istream=subprocess.PIPE,
            as_process=True,
            env={**self._environment, **env},
            start_new_session=True,
        )


def text(output: bytes) -> str:
    """One value that git printed."""
    return output.decode("utf-8", "surrogateescape").rstrip("\n")


def _door(folder: Path) -> "git.Git":
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    try:
        import git
    except ImportError as error:
        raise RepositoryError(f"git cannot be run: {error}") from error
    return git.Git(str(folder))


def _without(environment: Mapping[str, str], replaced: Mapping[str, str]) -> tuple[str, ...]:
    """The words that start a program without git's variables that point elsewhere (a hook sets some).

    Nor with keys: a candidate can read the environment of the processes that stay.
    """
    foreign = [name for name in environment if _pointing(name) or tells_of_a_key(name)]
    if _PARAMETERS in environment:
        foreign.append(_PARAMETERS)
    unset = [f"--unset={name}" for name in sorted(foreign) if name not in replaced]
    return ("env", *unset) if unset else ()


def _pointing(name: str) -> bool:
    return name.startswith("GIT_") and not name.startswith(_KEPT)


def _last_line(complaint: bytes) -> str:
    lines = [line for line in text(complaint).replace("\n\t", " ").splitlines() if line.strip()]
    fatal = [line.split(": ", 1)[1] for line in lines if line.startswith(("fatal: ", "error: "))]
    return "".join((fatal or lines)[:1])
