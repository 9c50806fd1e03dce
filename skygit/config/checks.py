"""What types cannot say: values that exclude each other, globs, patterns, names, keys in the wrong place."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from skygit.config.document import Path
from skygit.config.globs import fault
from skygit.config.sections import Evaluation, Llm
from skygit.domain.scope import Scope
from skygit.plugins import suggestion

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SECRET: Final = {"api_key", "apikey", "x-api-key", "authorization", "password", "secret", "aws_secret_access_key"}
_CREDENTIALS: Final = re.compile(r"^\w+://[^/@]+@")
_FROM_ENVIRONMENT: Final = (
    "keys come from the environment: write `api_key_env: NAME_OF_THE_VARIABLE`, never the key itself"
)


@dataclass(frozen=True, slots=True)
class Complaint:
    """A value that cannot be obeyed: where it stands, and a sentence."""

    path: Path
    message: str


def secrets(data: Any, path: Path) -> Iterator[Complaint]:
    """Keys written out in the `llm` section. To be asked before anything else speaks of a value."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if str(key).casefold() in _SECRET:
                yield Complaint((*path, key), _FROM_ENVIRONMENT)
            yield from secrets(value, (*path, key))
    if isinstance(data, list):
        for index, value in enumerate(data):
            yield from secrets(value, (*path, index))


def llm(section: Llm) -> Iterator[Complaint]:
    """Names of variables that are none, credentials in addresses, a guide that is not in the pool."""
    for index, model in enumerate(section.models):
        here = ("llm", "models", index)
        if model.api_key_env and not _VARIABLE.fullmatch(model.api_key_env):
            yield Complaint((*here, "api_key_env"), "this is no name of an environment variable; " + _FROM_ENVIRONMENT)
        if _CREDENTIALS.match(model.api_base):
            yield Complaint((*here, "api_base"), "credentials do not belong in an address; " + _FROM_ENVIRONMENT)
    pool = [model.model for model in section.models]
    if section.guide_model and section.guide_model not in pool:
        near = suggestion(section.guide_model, pool)
        yield Complaint(("llm", "guide_model"), f"`{section.guide_model}` is not in llm.models{near}")


def scope(section: Scope) -> Iterator[Complaint]:
    """Globs that can match nothing, and limits that allow nothing."""
    for key in ("evolvable", "protected", "new_files"):
        globs: tuple[str, ...] = {
            "evolvable": section.evolvable,
            "protected": section.protected,
            "new_files": section.new_files,
        }[key]
        yield from _globs(globs, ("scope", key))
    for key, amount in (("max_files", section.max_files), ("max_change_bytes", section.max_change_bytes)):
        if amount < 1:
            yield Complaint(("scope", key), "expected a whole number >= 1")


def evaluation(section: Evaluation) -> Iterator[Complaint]:
    """One measure, a source that fits it, a pattern with a group, names of variables, globs."""
    here = ("evaluation",)
    if bool(section.argv) == bool(section.python):
        both = "both" if section.python else "neither"
        yield Complaint(here, f"say how to measure: either `command:` or `python:` ({both} given)")
    if section.python and section.source in {"json", "regex", "metric"}:
        message = (
            f"`{section.source}` reads a command's output; evaluate() returns its result: expected result, wall or cpu"
        )
        yield Complaint((*here, "score", "source"), message)
    yield from _pattern(section)
    yield from _stages(section)
    for name in (*section.env, *section.pass_env):
        if not _VARIABLE.fullmatch(name):
            yield Complaint((*here, "env" if name in section.env else "pass_env"), f"`{name}` is no name of a variable")
    yield from _globs(section.include, (*here, "include"))
    yield from _relative(section.python, (*here, "python"))
    yield from _relative(section.program, (*here, "program"))


def _pattern(section: Evaluation) -> Iterator[Complaint]:
    pattern = section.score.pattern
    here = ("evaluation", "score", "pattern" if pattern else "source")
    if (section.source == "regex") != bool(pattern):
        yield Complaint(here, "`pattern:` and `source: regex` go together")
    try:
        if pattern and re.compile(pattern).groups < 1:
            yield Complaint(here, "the pattern needs a group around the number, like `time: ([0-9.]+)`")
    except re.error as error:
        yield Complaint(here, f"this is no regular expression: {error}")


def _stages(section: Evaluation) -> Iterator[Complaint]:
    seen: set[str] = set()
    for index, stage in enumerate(section.stages):
        if not stage.argv:
            yield Complaint(("evaluation", "stages", index, "command"), "the command is empty")
        if stage.name in seen:
            yield Complaint(("evaluation", "stages", index, "name"), f"a stage before is already called `{stage.name}`")
        seen.add(stage.name)


def _globs(globs: tuple[str, ...], path: Path) -> Iterator[Complaint]:
    for index, glob in enumerate(globs):
        wrong = fault(glob)
        if wrong:
            yield Complaint((*path, index), f"`{glob}`: {wrong}")


def _relative(path: str, place: Path) -> Iterator[Complaint]:
    if path.startswith("/") or ".." in path.split("/"):
        yield Complaint(place, "expected a path inside the repository")
