"""The commands a project is tested and measured with, by the files it has."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

Read = Callable[[str], bytes]

_BENCH: Final = re.compile(r"^(bench|perf)", re.IGNORECASE)
_PYTEST: Final = re.compile(rb"^\s*(import pytest|from pytest)|\[tool\.pytest|\[pytest\]|[\"']pytest\b", re.MULTILINE)
_RUNNERS: Final = {
    ".py": "python",
    ".js": "node",
    ".mjs": "node",
    ".rb": "ruby",
    ".lua": "lua",
    ".jl": "julia",
    ".sh": "sh",
}


def ways_to_test(paths: Sequence[str], read: Read) -> Iterator[str]:
    """Shell lines that run the tests, most likely first."""
    yield from _python_tests(paths, read)
    if "package.json" in paths:
        script = _scripts(read).get("test", "")
        if script and "no test specified" not in script:
            yield "npm test"
    if "Cargo.toml" in paths:
        yield "cargo test"
    if "go.mod" in paths:
        yield "go test ./..."
    yield from (f"make {target}" for target in _make_targets(paths, read) if target in {"test", "tests", "check"})


def ways_to_measure(paths: Sequence[str], read: Read) -> Iterator[str]:
    """Shell lines that may measure the project, most likely first."""
    yield from (f"make {target}" for target in _make_targets(paths, read) if _BENCH.match(target))
    if "package.json" in paths:
        yield from (f"npm run {name}" for name in _scripts(read) if _BENCH.match(name))
    for path in paths:
        runner = _RUNNERS.get(PurePosixPath(path).suffix)
        if runner and _is_benchmark(path) and re.fullmatch(r"[\w./-]+", path):
            yield f"{runner} {path}"
    if "Cargo.toml" in paths and any(path.startswith("benches/") for path in paths):
        yield "cargo bench"
    if any(path.endswith("_test.go") and b"func Benchmark" in read(path) for path in paths):
        yield "go test -run '^$' -bench . ./..."


def _is_benchmark(path: str) -> bool:
    file = PurePosixPath(path)
    if file.name in {"__init__.py", "conftest.py"} or file.name.startswith("test_"):
        return False
    return bool(_BENCH.match(file.name) or (file.parent.parts and _BENCH.match(file.parent.parts[0])))


def _python_tests(paths: Sequence[str], read: Read) -> Iterator[str]:
    names = [path for path in paths if re.fullmatch(r"(test_.*|.*_test)\.py", PurePosixPath(path).name)]
    if not names:
        return
    hints = [path for path in ("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini") if path in paths]
    conftest = any(PurePosixPath(path).name == "conftest.py" for path in paths)
    texts = {path: read(path) for path in (*hints, *names)}
    if conftest or "pytest.ini" in hints or any(_PYTEST.search(text) for text in texts.values()):
        yield "python -m pytest -q"
    elif any(b"unittest" in text for text in texts.values()):
        yield _unittest(names)
    else:
        yield "python -m pytest -q"


def _unittest(names: Sequence[str]) -> str:
    folder = PurePosixPath(names[0]).parts[0] if "/" in names[0] else "."
    pattern = "" if any(PurePosixPath(name).name.startswith("test_") for name in names) else " -p '*_test.py'"
    return (
        f"python -m unittest discover -s {folder} -t .{pattern}"
        if folder != "."
        else f"python -m unittest discover{pattern}"
    )


def _scripts(read: Read) -> dict[str, str]:
    try:
        package: Any = json.loads(read("package.json"))
        return {str(name): str(line) for name, line in package["scripts"].items()}
    except (ValueError, LookupError, TypeError, AttributeError):
        return {}


def _make_targets(paths: Sequence[str], read: Read) -> list[str]:
    found = [name for name in ("GNUmakefile", "makefile", "Makefile") if name in paths]
    text = read(found[0]).decode("utf-8", "replace") if found else ""
    return list(dict.fromkeys(re.findall(r"^([A-Za-z][\w-]*)\s*:(?!=)", text, re.MULTILINE)))
