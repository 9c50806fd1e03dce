"""`skygit init`: look at the repository, ask what cannot be seen, write the set-up; commit nothing."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from skygit.config import FILE_NAME, parse
from skygit.config.globs import idle, literal
from skygit.config.measure import Measure, measure
from skygit.config.survey import Survey, survey
from skygit.config.template import Plan, evaluator, set_up
from skygit.errors import UserError
from skygit.git.command import Git, GitFailed

_EVALUATOR = "skygit_evaluator.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the command line said. Empty: not said."""

    measure: str
    evolve: tuple[str, ...]
    protect: tuple[str, ...]
    ask: bool


def init(
    *,
    measured_by: Annotated[
        str, typer.Option("--eval", help="The measure: a command, or a Python file with evaluate().")
    ] = "",
    evolve: Annotated[list[str] | None, typer.Option(help="What may change, as a glob; may be repeated.")] = None,
    protect: Annotated[list[str] | None, typer.Option(help="What must not, as a glob; may be repeated.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; take what was found.")] = False,
    force: Annotated[bool, typer.Option("--force", help=f"Overwrite an existing {FILE_NAME}.")] = False,
) -> None:
    """Set up this repository: finds languages, tests, benchmarks and markers, and writes .skydiscover.yaml."""
    root, package = _place(Path.cwd())
    target = root / FILE_NAME
    if target.exists() and not force:
        raise UserError(f"{target} is already there; `skygit init --force` overwrites it")
    files = _files(root)
    found = survey(files, _reader(root), package)
    ask = not yes and sys.stdin.isatty()
    wishes = Wishes(measure=measured_by, evolve=tuple(evolve or ()), protect=tuple(protect or ()), ask=ask)
    _tell(found)
    plan = _plan(root, found, wishes)
    text = set_up(plan)
    settings = parse(text, FILE_NAME, root=root)
    _write(root, plan, text, found)
    for note in (*settings.notes, *_warnings(root, files, plan)):
        print(f"note: {note}")
    print("next: skygit check")


def _place(folder: Path) -> tuple[Path, str]:
    """The repository root, and the folder we are in relative to it."""
    git = Git(folder)
    try:
        root = Path(_line(git.run("rev-parse", "--show-toplevel")))
    except GitFailed as error:
        raise UserError(f"{folder} is no checkout of a git repository: {error}") from error
    package = _line(git.run("rev-parse", "--show-prefix")).rstrip("/")
    return root, package


def _files(root: Path) -> list[str]:
    """Tracked files and new ones that are not ignored."""
    output = Git(root).run("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = {name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name}
    return sorted(name for name in names if name.isprintable() and (root / name).is_file())


def _reader(root: Path) -> Callable[[str], bytes]:
    return lambda path: (root / path).read_bytes()


def _line(output: bytes) -> str:
    return output.decode("utf-8", "surrogateescape").rstrip("\n")


def _warnings(root: Path, files: Sequence[str], plan: Plan) -> Iterator[str]:
    """What will go wrong later, seen from here."""
    for glob in idle((*plan.evolvable, *plan.protected), (*files, plan.measure.python)):
        yield f"`{glob}` matches no file"
    try:
        Git(root).run("rev-parse", "--verify", "--quiet", "HEAD")
    except GitFailed:
        yield "there is no commit yet; evolution starts from HEAD, so commit the code first"


def _tell(found: Survey) -> None:
    rows = {
        "package": (found.package,) if found.package else (),
        "languages": found.languages,
        "tests": found.tests,
        "benchmarks": found.benchmarks,
        "evaluators": found.evaluators,
        "marked files": found.marked,
    }
    for name, values in rows.items():
        if values:
            more = f" (and {len(values) - 5} more)" if len(values) > 5 else ""
            print(f"{name + ':':14}{', '.join(values[:5])}{more}")


def _plan(root: Path, found: Survey, wishes: Wishes) -> Plan:
    """What was said on the command line, else answered, else found."""
    chosen = wishes.measure or _answer(
        wishes, "How is it measured (a command, or a file with evaluate())?", _guess(found)
    )
    gates = found.tests[:1]
    if wishes.ask and gates:
        gates = tuple(filter(None, (_answer(wishes, "Which command must pass first (- for none)?", gates[0]),)))
    evolvable = wishes.evolve or _globs(wishes, "What may change (globs, spaces between)?", found.evolvable)
    if not evolvable:
        raise UserError("no source files were found here: say what may change with `--evolve GLOB`")
    how = measure(chosen, _lookup(root)) if chosen else Measure(python=_EVALUATOR)
    evaluators = (literal(how.python),) if how.python else ()
    protected = dict.fromkeys((*(wishes.protect or found.protected), *evaluators))
    return Plan(
        measure=how,
        evolvable=evolvable,
        protected=tuple(protected),
        gates=gates,
        program=_program(found, evolvable, how),
    )


def _guess(found: Survey) -> str:
    return next(iter((*found.evaluators, *found.benchmarks)), "")


def _program(found: Survey, evolvable: Sequence[str], how: Measure) -> str:
    """One evolvable file is the program itself; several are seen from their folder."""
    single = [path for path in found.marked if literal(path) in evolvable]
    if how.python and len(evolvable) == 1 and len(single) == 1:
        return single[0]
    return found.package or "."


def _answer(wishes: Wishes, question: str, default: str) -> str:
    if not wishes.ask:
        return default
    answer: str = typer.prompt(question, default=default, show_default=bool(default))
    return "" if answer.strip() == "-" else answer.strip()


def _globs(wishes: Wishes, question: str, default: Sequence[str]) -> tuple[str, ...]:
    if not wishes.ask or any(" " in glob for glob in default):
        return tuple(default)
    return tuple(_answer(wishes, question, " ".join(default)).split())


def _lookup(root: Path) -> Callable[[str], bytes | None]:
    return lambda path: (root / path).read_bytes() if (root / path).is_file() else None


def _write(root: Path, plan: Plan, text: str, found: Survey) -> None:
    if plan.measure.python and not (root / plan.measure.python).exists():
        (root / plan.measure.python).write_text(evaluator(next(iter(found.tests), "")), encoding="utf-8")
        print(f"wrote {plan.measure.python}: fill in what is to be measured")
    (root / FILE_NAME).write_text(text, encoding="utf-8")
    print(f"wrote {FILE_NAME}")
