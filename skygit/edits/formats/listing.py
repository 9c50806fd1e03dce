"""Whole files, or whole blocks, in fences."""

from collections.abc import Sequence

from skygit.edits.neutral import Section
from skygit.edits.refusals import refuse


def read(lines: Sequence[str], path: str | None) -> Section:
    """A listing. Blank lines at its end belong to the fence, not to the file."""
    kept = list(lines)
    while kept and not kept[-1].strip():
        del kept[-1]
    if not kept:
        refuse("empty-diff", f"the listing of {path or 'a file'} is empty", path or "")
    return Section(carrier="listing", old=path, new=path, listing=tuple(kept))
