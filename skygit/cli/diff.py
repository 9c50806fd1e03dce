"""`skygit diff A [B]`: the change between two candidates, or from the base to one."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from skygit.cli.naming import commit_of
from skygit.cli.selection import tell
from skygit.wire.site import open_site


def diff(
    first: Annotated[str, typer.Argument(help="#TICKET, best, base, or the beginning of a commit.")],
    second: Annotated[str, typer.Argument(help="The other; left out: from the base to the first.")] = "",
    *,
    run: Annotated[str, typer.Option(help="The run; the newest when left out.")] = "",
) -> None:
    """The change between two candidates, or from the base to one."""
    site = open_site(Path.cwd())
    told = tell(site, run)
    old, new = (first, second) if second else ("base", first)
    sys.stdout.write(site.repository.diff(commit_of(told, old), commit_of(told, new)))
