"""`skygit review`: a winner, measured again, on a clean branch from the base."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from skygit.cli.figures import as_json, natural, settings_of, short
from skygit.cli.naming import judged_of
from skygit.cli.selection import Told, tell
from skygit.domain.candidate import Candidate, Judged
from skygit.errors import UserError
from skygit.git.command import GitFailed
from skygit.git.refs import Move
from skygit.ports import Executor
from skygit.review.describe import Evidence, describe
from skygit.review.minimise import minimise
from skygit.review.revalidate import Revalidation, revalidate
from skygit.wire.runs import open_run
from skygit.wire.site import Site, open_site
from skygit.wire.world import build_executor


def review(
    candidate: Annotated[str, typer.Argument(help="#TICKET, best, or the beginning of a commit.")] = "best",
    *,
    run: Annotated[str, typer.Option(help="The run; the newest when left out.")] = "",
    branch: Annotated[str, typer.Option(help="The branch to make; default skygit-review/<run>.")] = "",
    whole: Annotated[bool, typer.Option("--whole", help="Keep every piece of the change, needed or not.")] = False,
    times: Annotated[int, typer.Option(help="How often base and winner are measured again.", min=1)] = 3,
    json: Annotated[bool, typer.Option("--json", help="For a script.")] = False,
) -> int:
    """Put a winner on a clean branch from the base, measured again, with the evidence in its message."""
    site = open_site(Path.cwd())
    told = tell(site, run)
    winner = judged_of(told, candidate)
    if winner.ticket == 0:
        raise UserError(f"the best of {told.name} is the base itself: there is nothing to review")
    if not winner.evaluation.passed:
        raise UserError(f"#{winner.ticket} did not pass ({winner.evaluation.verdict}): name one of `skygit top`")
    name = branch or f"skygit-review/{told.name}"
    _free(site, name)
    slim, checked = _measured(site, told, winner, times, whole=whole)
    evidence = Evidence(run=told.name, winner=winner, checked=checked, smaller=slim != winner.candidate)
    message = describe(told.history, evidence, natural(settings_of(told.started)))
    commit = _branch(site, told, slim, message, name)
    if json:
        facts = {"branch": name, "commit": commit, "base": checked.base, "winner": checked.winner}
        print(as_json({**facts, "holds": checked.holds, "clear": checked.clear}))
    else:
        _tell(site, told, name, message, checked)
    return 0 if checked.holds else 1


def _measured(site: Site, told: Told, winner: Judged, times: int, *, whole: bool) -> tuple[Candidate, Revalidation]:
    """What is left of the winner when all it does not need is put back, measured beside the base."""
    settings = settings_of(told.started)
    opened = open_run(site, settings, told.name)
    executor = build_executor(site, settings, opened.started, opened.sealed).executor
    try:
        slim = winner.candidate if whole else _minimised(site, executor, told.started.base, winner.candidate)
        return slim, revalidate(executor, told.history.base.candidate, slim, times=times)
    finally:
        executor.close()


def _minimised(site: Site, executor: Executor, base: str, winner: Candidate) -> Candidate:
    found = minimise(site.repository, executor, base, winner)
    if found is None:
        print(
            "note: the change is left whole: it is too large, or its measure too noisy, to try its pieces",
            file=sys.stderr,
        )
        return winner
    if found.dropped:
        print(f"{found.dropped} of {found.pieces} pieces of the change earn nothing and are put back", file=sys.stderr)
    return found.candidate


def _free(site: Site, name: str) -> None:
    refs = site.repository.refs
    if refs.read(f"refs/heads/{name}"):
        raise UserError(f"there is a branch {name} already: name another one by --branch")
    try:
        site.repository.git.run("check-ref-format", "--branch", name)
    except GitFailed as error:
        raise UserError(f"{name} is no name for a branch") from error


def _branch(site: Site, told: Told, winner: Candidate, message: str, name: str) -> str:
    """One commit on the base with the winner's files. HEAD, index and checkout are not touched."""
    repository, base = site.repository, told.started.base
    commit = repository.commit(winner.tree, [base], message, clock=winner.generation)
    repository.refs.move(Move(ref=f"refs/heads/{name}", new=commit, old=""))
    return commit


def _tell(site: Site, told: Told, name: str, message: str, checked: Revalidation) -> None:
    print(message)
    stat = ("-c", "core.quotePath=false", "diff", "--stat", told.started.base, f"refs/heads/{name}")
    print(site.repository.git.run(*stat).decode("utf-8", "replace"))
    if checked.failure is not None:
        print(f"warning: measured again, the {checked.failed} did not pass: do not merge this")
    elif not checked.holds:
        print("warning: measured again, it is not better than the base: the gain was noise")
    elif not checked.clear:
        print("note: measured again, its scores overlap with the base's: the gain is within the noise")
    print(f"branch {name}; look at it with: git diff {short(told.started.base)} {name}")
