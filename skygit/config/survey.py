"""What a repository says of itself: languages, tests, benchmarks, evaluators, marked files.

Everything is read from a list of paths and a way to read them, so the same repository gives
the same survey. What is found is a guess to be confirmed by a person, never a decision.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from skygit.config.commands import ways_to_measure, ways_to_test
from skygit.config.globs import literal
from skygit.domain.value import Value

LANGUAGES: Final = {
    ".py": "Python",
    ".js": "JavaScript",
    ".mjs": "JavaScript",
    ".jsx": "JavaScript",
    ".ts": "TypeScript",
    ".tsx": "TypeScript",
    ".c": "C",
    ".h": "C",
    ".cc": "C++",
    ".cpp": "C++",
    ".hpp": "C++",
    ".rs": "Rust",
    ".go": "Go",
    ".java": "Java",
    ".lua": "Lua",
    ".rb": "Ruby",
    ".jl": "Julia",
    ".sql": "SQL",
}
"""Suffix to language: the files that may hold what is to be evolved."""

MOST_BYTES: Final = 1_000_000
"""Larger files are not looked into."""

_ASIDE: Final = re.compile(r"^(tests?|spec|__tests__|bench.*|perf|docs?|examples?|scripts|tools|vendor|third_party)$")
_TEST_FILE: Final = re.compile(r"^(test_.*|.*_test|.*\.(test|spec)|conftest)\.\w+$")
_SET_UP: Final = re.compile(
    r"^(setup|conftest|noxfile|tasks|fabfile|evaluat(e|or)|skygit_evaluator|bench.*|.*\.config)\.\w+$"
)
_MARKER: Final = re.compile(rb"^[ \t]*(?:#|//|--|;|%|/\*|<!--)?[ \t]*EVOLVE-BLOCK-START\b[^\n'\"]*$", re.MULTILINE)
_EVALUATE: Final = re.compile(rb"^(?:async )?def evaluate\(", re.MULTILINE)


class Survey(Value, frozen=True, kw_only=True):
    """What was found in `package` ("" is the whole repository). Most likely first, everywhere.

    `tests` and `benchmarks` are shell lines run at the repository root, `evaluators` files
    with an `evaluate()` function, `evolvable` and `protected` globs for the scope.
    """

    package: str = ""
    languages: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    benchmarks: tuple[str, ...] = ()
    evaluators: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    evolvable: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()


def survey(paths: Sequence[str], read: Callable[[str], bytes], package: str = "") -> Survey:
    """Look at a package of a repository. `paths` are all its files, relative to the root."""
    inside = sorted(path for path in paths if not package or path.startswith(package + "/"))
    sources = [path for path in inside if PurePosixPath(path).suffix in LANGUAGES]
    texts = {path: data for path in sources if len(data := read(path)) <= MOST_BYTES}
    marked = tuple(path for path, data in texts.items() if _MARKER.search(data) and not _beside(path, package))
    local = [path[len(package) + 1 :] if package else path for path in inside]
    prefix = f"cd {_quoted(package)} && " if package else ""
    reader = _inside(read, package)
    return Survey(
        package=package,
        languages=_languages(sources),
        tests=tuple(prefix + line for line in ways_to_test(local, reader)),
        benchmarks=tuple(prefix + line for line in ways_to_measure(local, reader)),
        evaluators=tuple(path for path, data in texts.items() if path.endswith(".py") and _EVALUATE.search(data)),
        marked=marked,
        evolvable=tuple(map(literal, marked)) or _source_globs(sources, package),
        protected=_protected(inside),
    )


def _inside(read: Callable[[str], bytes], package: str) -> Callable[[str], bytes]:
    return (lambda path: read(f"{package}/{path}")) if package else read


def _languages(sources: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(LANGUAGES[PurePosixPath(path).suffix] for path in sources)
    return tuple(name for name, _ in counts.most_common())


def _beside(path: str, package: str) -> bool:
    """Whether a file is a test, a benchmark, a document: beside the code, not the code."""
    parts = PurePosixPath(path[len(package) + 1 :] if package else path).parts
    return bool(
        any(_ASIDE.match(part) for part in parts[:-1]) or _TEST_FILE.match(parts[-1]) or _SET_UP.match(parts[-1])
    )


def _source_globs(sources: Iterable[str], package: str) -> tuple[str, ...]:
    """Folders and loose files of the main language."""
    code = [path for path in sources if not _beside(path, package)]
    main = _languages(code)[:1]
    suffixes = sorted({PurePosixPath(path).suffix for path in code if LANGUAGES[PurePosixPath(path).suffix] in main})
    globs: dict[str, None] = {}
    for path in code:
        if PurePosixPath(path).suffix in suffixes:
            globs[_source_glob(path, package)] = None
    return tuple(globs)


def _source_glob(path: str, package: str) -> str:
    local = PurePosixPath(path[len(package) + 1 :] if package else path)
    if len(local.parts) == 1:
        return literal(path)
    top = literal(f"{package}/{local.parts[0]}/" if package else f"{local.parts[0]}/")
    return f"{top}**/*{local.suffix}"


def _protected(paths: Iterable[str]) -> tuple[str, ...]:
    """Folders of tests and benchmarks, and such files elsewhere."""
    globs: dict[str, None] = {}
    for path in paths:
        parts = PurePosixPath(path).parts
        aside = next(
            (index for index, part in enumerate(parts[:-1]) if re.match(r"tests?$|spec$|__tests__$|bench", part)), None
        )
        if aside is not None:
            globs[literal("/".join(parts[: aside + 1]) + "/") + "**"] = None
        elif _TEST_FILE.match(parts[-1]) or re.match(r"bench|evaluat(e|or)\.", parts[-1]):
            globs[literal(path)] = None
    return tuple(globs)


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[\w./-]+", text) else "'" + text.replace("'", "'\\''") + "'"
