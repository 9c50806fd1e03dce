"""`skygit runs`: the runs of this repository."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from skygit.cli.figures import as_json, short, table
from skygit.git import journal
from skygit.wire.site import open_site


def runs(*, json: Annotated[bool, typer.Option("--json", help="For a script.")] = False) -> None:
    """List the runs of this repository, the one written last first."""
    found = journal.runs(open_site(Path.cwd()).repository)
    if json:
        print(as_json([{"run": run.name, "base": run.base, "started": run.started, "last": run.last} for run in found]))
        return
    if not found:
        print("no run yet: `skygit evolve` starts one")
        return
    rows = [(run.name, short(run.base), _date(run.started), _date(run.last)) for run in found]
    print(table(("run", "base", "started", "last event"), rows))


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
