"""What is looked at before a run starts, so that nothing is spent on a set-up that cannot work."""

from collections.abc import Collection, Iterator

from skygit.config.settings import Settings
from skygit.domain.draft import FILES
from skygit.domain.scope import Scope
from skygit.edits.permits import editable
from skygit.errors import UserError
from skygit.wire.site import Site, bundle, scope_of


def open_files(site: Site, scope: Scope, commit: str) -> list[str]:
    """The files of a commit that may change, sorted."""
    tree = site.repository.tree(commit)
    return [path for path in sorted(tree.paths()) if editable(scope, path) and tree.mode(path) in FILES]


def require_scope(site: Site, settings: Settings, base: str) -> None:
    """Raises UserError when a run could change nothing."""
    if open_files(site, scope_of(settings, bundle(site, settings)), base) or settings.scope.new_files:
        return
    globs = ", ".join(settings.scope.evolvable) or "nothing"
    raise UserError(
        f"{site.config.name}: scope.evolvable ({globs}) names no committed file that may change: "
        "commit the files it means, or mend the globs"
    )


def noise(settings: Settings) -> Iterator[str]:
    """A warning when time is measured, and once only."""
    told = settings.evaluation
    if told.source in ("wall", "cpu") and told.repeats == 1:
        yield (
            f"the score is {told.source} time, measured once: gains within its noise mean nothing "
            "(`skygit check` shows the noise, evaluation.repeats lowers it)"
        )


def uncommitted(paths: Collection[str], sealed: Collection[str], base: str) -> Iterator[str]:
    """What to say of files that differ from HEAD: the measure's own are used as they lie there, others are not."""
    mine = sorted(set(paths) & set(sealed))
    if len(mine) > 1 or (mine and not mine[0].startswith(".")):
        named = ", ".join(path for path in mine if not path.startswith("."))
        yield f"{named}: used as it lies in the checkout, sealed with the run"
    count = len(set(paths) - set(sealed))
    if count:
        plural = "change is" if count == 1 else "changes are"
        yield f"{count} uncommitted {plural} not in the base ({base[:12]}); --include-dirty adds them"
