"""The names of a run's refs."""

import re
from typing import Final

from skygit.errors import UserError

_RUN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}")
_SHORT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")


def journal_ref(run: str) -> str:
    """The ref of a run's journal. Raises UserError when the name cannot be part of a ref."""
    return f"refs/skygit/{checked(run)}/journal"


def branch_ref(run: str, short: str) -> str:
    """The branch behind a short name ("island-0", "best"). Raises ValueError for another shape."""
    if not _SHORT.fullmatch(short):
        raise ValueError(f"no short name of a branch: {short!r}")
    return f"refs/heads/skygit/{checked(run)}/{short}"


def run_of(ref: str) -> str:
    """The run whose journal a ref is, "" when it is none."""
    parts = ref.split("/")
    return parts[2] if len(parts) == 4 and parts[:2] == ["refs", "skygit"] and parts[3] == "journal" else ""


def checked(run: str) -> str:
    """The name of a run, when it can be one."""
    if not _RUN.fullmatch(run) or ".." in run or run.endswith((".", ".lock")):
        raise UserError(f"{run!r} cannot name a run: use letters, digits, '-', '_' and '.'")
    return run
