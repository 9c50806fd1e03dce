"""Removes what skygit made for a run, and only that."""

import shutil
from pathlib import Path

from skygit.errors import UserError
from skygit.git.bases import Bases
from skygit.git.lock import run_folder, writing
from skygit.git.naming import checked, run_of
from skygit.git.packing import packs
from skygit.git.repository import GitRepository
from skygit.git.session import cache_folder, shelf, sweep
from skygit.git.worktrees import checked_out


def clean(repository: GitRepository, run: str, *, cache: Path | None = None) -> list[str]:
    """Remove refs, branches, the lock and left slots of a run; returns lines that say what was done.

    The kept exports go with the last run of the repository.

    Objects stay: a branch of the user's may need them by now. Packs lose their `.keep`, so
    git's own gc drops what nobody reaches. Raises UserError while the run is being written,
    and when there is nothing of that name.
    """
    refs = [*repository.refs.read(f"refs/skygit/{checked(run)}"), *repository.refs.read(f"refs/heads/skygit/{run}")]
    kept = packs(repository.place.objects, run)
    if not refs and not kept and not run_folder(repository, run).exists():
        raise UserError(f"there is no run {run} in {repository.root}")
    with writing(repository, run):
        lines = _without_refs(repository, refs)
        for keep, _ in kept:
            keep.unlink(missing_ok=True)
        _forget(repository.common, run)
        slots = _without_slots(repository, shelf(cache or cache_folder(), repository.common))
    shutil.rmtree(run_folder(repository, run), ignore_errors=True)
    _prune(repository.common / "skygit")
    return [*lines, *slots, "objects that nobody reaches now go with git's next gc"]


def _without_refs(repository: GitRepository, refs: list[str]) -> list[str]:
    taken = checked_out(repository.common)
    free = [ref for ref in refs if ref not in taken]
    if free:
        repository.refs.delete(*free)
    stay = [f"{ref.removeprefix('refs/heads/')} is checked out, so it stays" for ref in refs if ref in taken]
    return [f"removed {len(free)} refs", *stay]


def _without_slots(repository: GitRepository, place: Path) -> list[str]:
    swept = sweep(place)
    bases = 0 if any(map(run_of, repository.refs.read("refs/skygit"))) else Bases(place).remove()
    _prune(place)
    left = [f"removed {swept} left slot folders"] if swept else []
    return [*left, f"removed {bases} kept exports"] if bases else left


def _forget(common: Path, run: str) -> None:
    """Folders that git leaves empty, of refs and of their logs."""
    for part in ("refs/skygit", "refs/heads/skygit", "logs/refs/skygit", "logs/refs/heads/skygit"):
        _prune(common / part / run)
        _prune(common / part)


def _prune(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        pass
