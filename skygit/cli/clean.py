"""`skygit clean`: remove what skygit made, and only that."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from skygit.errors import UserError
from skygit.git import clean as cleaning
from skygit.git.journal import runs
from skygit.wire.site import open_site


def clean(
    run: Annotated[str, typer.Argument(help="The run; all runs when left out.")] = "",
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a run's refs, branches, packs and slots; your commits, files and other branches stay."""
    repository = open_site(Path.cwd()).repository
    known = [found.name for found in runs(repository)]
    if run and run not in known:
        raise UserError(f"there is no run {run}; runs here: {', '.join(known) or 'none'}")
    names = [run] if run else known
    if not names:
        print("no run to remove")
        return
    if not yes and not _agreed(names):
        raise UserError("nothing was removed: say --yes, or answer y on a terminal")
    for name in names:
        for line in cleaning.clean(repository, name):
            print(line)


def _agreed(names: list[str]) -> bool:
    if not sys.stdin.isatty():
        return False
    return input(f"remove {', '.join(names)} with all candidates? [y/N] ").strip().lower() in ("y", "yes")
