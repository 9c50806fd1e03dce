"""The laws of the house: each takes the files of a package and names what breaks it.

A law is a function from sources to findings, so it can be tried on planted faults as well
as on the package. Budgets may be tightened, never loosened.
"""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FILE_LINES = 300
FUNCTION_LINES = 40
CLASS_METHODS = 15

BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager", "core"}

CATCHES_ALL = {"engine/ledger.py", "evaluators/runner.py"}
"""Around observers, and the child process that runs evaluate(). The command line lets a bug show its traceback."""

DOORS = {
    "git": "git",
    "litellm": "llm",
    "tree_sitter": "languages",
    "unidiff": "edits",
    "yaml": "config",
    "typer": "cli",
}
"""Library to the one folder that may import it (grammar wheels go with tree_sitter)."""

PURE = ("domain", "numeric", "algorithms", "edits", "knowledge")
OUTSIDE = {"os", "subprocess", "socket", "time", "datetime", "logging", "threading", "shutil", "tempfile", "secrets"}
"""What a pure folder may not import: files, clocks, processes, network, logs."""

FAMILIES = ("algorithms", "proposers", "evaluators", "sandboxes", "executors", "languages", "observers")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One file: its path inside the package, its text, its syntax tree."""

    path: str
    text: str

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def folder(self) -> str:
        return self.path.split("/", 1)[0]


Law = Callable[[Source], Iterator[str]]


def sources(package: Path) -> list[Source]:
    """Every Python file of a package."""
    files = sorted(package.rglob("*.py"))
    return [Source(str(file.relative_to(package)), file.read_text(encoding="utf-8")) for file in files]


def findings(law: Law, files: Sequence[Source]) -> list[str]:
    """What breaks a law, as 'file: what'."""
    return [f"{source.path}: {finding}" for source in files for finding in law(source)]


def short_files(source: Source) -> Iterator[str]:
    if (lines := len(source.text.splitlines())) > FILE_LINES:
        yield f"{lines} lines"


def short_functions(source: Source) -> Iterator[str]:
    for node in _functions(source):
        if (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES:
            yield f"{node.name} has {lines} lines"


def small_classes(source: Source) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef):
            methods = [part for part in node.body if isinstance(part, Function)]
            if len(methods) > CLASS_METHODS:
                yield f"{node.name} has {len(methods)} methods"


def telling_names(source: Source) -> Iterator[str]:
    parts = {Path(part).stem for part in Path(source.path).parts}
    yield from (f"the name `{name}` says nothing" for name in sorted(parts & BANNED_NAMES))


def nothing_swallowed(source: Source) -> Iterator[str]:
    if source.path in CATCHES_ALL:
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ExceptHandler) and _catches_all(node.type) and not _raises_again(node):
            yield f"line {node.lineno} catches everything"


def one_door(source: Source) -> Iterator[str]:
    for name, line in _imported(source):
        library = "tree_sitter" if name.startswith("tree_sitter") else name
        if library in DOORS and source.folder != DOORS[library]:
            yield f"line {line} imports {name}: its door is {DOORS[library]}/"


def pure_inside(source: Source) -> Iterator[str]:
    if source.folder in PURE:
        yield from (f"line {line} imports {name}" for name, line in _imported(source) if name in OUTSIDE)
        yield from _reaches(source)


def quiet(source: Source) -> Iterator[str]:
    if source.folder != "cli":
        yield from (f"line {call.lineno} prints" for call in _calls(source, "print"))


def no_default_getattr(source: Source) -> Iterator[str]:
    for call in _calls(source, "getattr"):
        if len(call.args) > 2:
            yield f"line {call.lineno}: getattr with a default"


def nothing_left_open(source: Source) -> Iterator[str]:
    for number, line in enumerate(source.text.splitlines(), 1):
        if re.search(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError", line):
            yield f"line {number}: {line.strip()}"


def no_boolean_position(source: Source) -> Iterator[str]:
    """Typer passes every option by name, so commands are free."""
    if source.folder == "cli":
        return
    for node in _functions(source):
        positional = [*node.args.posonlyargs, *node.args.args]
        if not node.name.startswith("_"):
            yield from (f"{node.name}({one.arg}: bool)" for one in positional if _is_bool(one.annotation))


def documented(source: Source) -> Iterator[str]:
    """Modules, public classes and public functions; methods where the name alone cannot say it all."""
    if source.path.endswith("__init__.py") and not source.text.strip():
        return
    if not ast.get_docstring(source.tree):
        yield "the module has no docstring"
    for node in source.tree.body:
        public = isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_")
        if public and not ast.get_docstring(node):
            yield f"{node.name} has no docstring"


def strangers_in_the_family(source: Source) -> Iterator[str]:
    """No plugin imports another plugin of its family; machinery of the family it may."""
    if source.folder not in FAMILIES or not is_plugin(source):
        return
    for node in ast.walk(source.tree):
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        family, _, name = module.removeprefix("skygit.").partition(".")
        if family == source.folder and name in _plugins_of(family):
            yield f"{module} is imported"


def is_plugin(source: Source) -> bool:
    """Whether a file declares itself a plugin."""
    return bool(re.search(r"^PLUGIN\b.*=", source.text, re.MULTILINE))


LAWS: tuple[Law, ...] = (
    short_files,
    short_functions,
    small_classes,
    telling_names,
    nothing_swallowed,
    one_door,
    pure_inside,
    quiet,
    no_default_getattr,
    nothing_left_open,
    no_boolean_position,
    documented,
    strangers_in_the_family,
)


def _plugins_of(family: str) -> set[str]:
    import skygit

    folder = Path(skygit.__file__).parent / family
    return {file.stem for file in folder.glob("*.py") if is_plugin(Source(file.name, file.read_text(encoding="utf-8")))}


def _functions(source: Source) -> Iterator[Function]:
    return (node for node in ast.walk(source.tree) if isinstance(node, Function))


def _calls(source: Source, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def _imported(source: Source) -> Iterator[tuple[str, int]]:
    """The top names of everything imported, what is imported for type checkers only included."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], node.lineno) for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0], node.lineno


def _reaches(source: Source) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"open", "input"}:
            yield f"line {node.lineno} calls {node.func.id}()"
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "random" and node.attr != "Random":
            yield f"line {node.lineno} uses global chance: random.{node.attr}"


def _catches_all(kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(one, ast.Name) and one.id in {"Exception", "BaseException"} for one in kinds)


def _raises_again(handler: ast.ExceptHandler) -> bool:
    """Whether the last word of a handler is a bare `raise`: it tidies up and swallows nothing."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def _is_bool(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "bool"
