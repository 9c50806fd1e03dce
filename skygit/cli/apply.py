"""`skygit apply`: a model's reply on a folder, through the full scope check, all of it or nothing."""

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from skygit.domain.draft import Refusal
from skygit.domain.scope import Scope
from skygit.errors import UserError

GUARDED: Final = (
    ".skydiscover.yaml",
    ".gitattributes",
    ".gitmodules",
    ".gitignore",
    ".github/",
    ".gitlab-ci.yml",
    "evaluate.py",
    "evaluator.py",
)
"""What no reply may change unless a scope file says otherwise."""


def apply(
    reply: Annotated[Path, typer.Argument(help="The file with the model's reply; - for standard input.")],
    *,
    directory: Annotated[Path, typer.Option(help="The folder to change.")] = Path(),
    scope: Annotated[
        Path | None, typer.Option(help="JSON or YAML: evolvable, protected, new_files, allow_delete, ...")
    ] = None,
) -> int:
    """Apply a model's reply to a folder, through the full scope check.

    All or nothing. When the reply is refused, the sentence that says why and, as the last
    line, the machine word of the reason are printed, and the exit status is 1.
    """
    from skygit.edits.reply import apply_reply
    from skygit.git.folder import FolderTree, write
    from skygit.languages.syntax import TreeSitterSyntax

    if not directory.is_dir():
        raise UserError(f"{directory} is not a folder")
    draft = apply_reply(_read(reply), FolderTree(directory), _scope(scope), TreeSitterSyntax())
    if isinstance(draft, Refusal):
        return _refused(draft)
    try:
        write(directory, draft)
    except OSError as error:
        raise UserError(f"nothing was written: {error}") from error
    for path in draft.paths:
        print(_shown(path))
    return 0


def _read(reply: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(reply) == "-" else reply.read_bytes()
    except OSError as error:
        raise UserError(f"the reply cannot be read: {error}") from error


def _scope(path: Path | None) -> Scope:
    if path is None:
        return Scope(evolvable=("**",), protected=GUARDED, new_files=("**",))
    from skygit.config.scope_file import read_scope

    return read_scope(path)


def _refused(refusal: Refusal) -> int:
    print(_shown(refusal.message))
    if refusal.help:
        print(_shown(refusal.help))
    print(refusal.word)
    return 1


def _shown(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
