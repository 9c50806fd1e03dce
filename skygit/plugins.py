"""Find and build a plugin by name, by path or by entry point.

A plugin of the box is one file, `skygit/<family>/<name>.py`, with the line `PLUGIN = ClassName`
at its top level. Files without that line are machinery and no plugin; nothing is imported to
list names. Beside the user's set-up a plugin is named `path/to/file.py:ClassName` (or without
the class, when the file has its own `PLUGIN` line), in an installed package it is an entry
point of the group `skygit.<family>`.

Languages are found by suffix, not by name: their files say `LANGUAGES = ...` instead.

A plugin's options are the fields of its dataclass. Fields that the composition root fills
(`supplies`) are no options.
"""

import dataclasses
import difflib
import re
import sys
import typing
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import getdoc
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec
from msgspec import inspect

from skygit.errors import ConfigError

FAMILIES: Final = ("algorithms", "proposers", "evaluators", "sandboxes", "executors", "languages", "observers")
"""The families of plugins: folders of the package and groups of entry points."""

_DECLARED: Final = re.compile(r"^(?:PLUGIN|LANGUAGES)(?:\s*:[^=\n]+)?\s*=", re.MULTILINE)
_WORDS: Final = {
    "`str`": "text",
    "`int`": "a whole number",
    "`float`": "a number",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a mapping",
    "`null`": "nothing",
}
_BOX: Final = Path(__file__).parent


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with a plugin's options: the option ("" when it is several together) and a sentence."""

    key: str
    message: str


def names(family: str) -> tuple[str, ...]:
    """The plugins of a family that can be named: those of the box, then entry points; sorted each."""
    box = _boxed(family)
    return (*box, *sorted(set(_entries(family)) - set(box)))


def find(family: str, name: str, root: Path = Path()) -> type[Any]:
    """The class of a plugin. Paths are relative to `root`. Raises ConfigError with a suggestion."""
    if ".py" in name:
        return _from_path(name, root)
    if name in _boxed(family):
        return _declared(import_module(f"skygit.{family}.{name}"), name)
    entry = _entries(family).get(name)
    if entry is None:
        known = names(family)
        raise ConfigError(
            f"no plugin `{name}` in {family}{suggestion(name, known)}; there are: {', '.join(known) or 'none'}"
        )
    return _loaded(entry)


def about(family: str, name: str) -> str:
    """One line on a plugin: how its documentation begins."""
    told = import_module(f"skygit.{family}.{name}") if family == "languages" else find(family, name)
    return (getdoc(told) or "").partition("\n")[0]


def options(plugin: type[Any]) -> dict[str, Any]:
    """The options of a plugin: the names and types of the fields its constructor takes."""
    if not dataclasses.is_dataclass(plugin):
        return {}
    hints = typing.get_type_hints(plugin, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(plugin) if field.init}


def fault(plugin: type[Any], given: Mapping[str, object], supplies: Iterable[str] = ()) -> Fault | None:
    """The first thing wrong with the options given to a plugin, or None."""
    known = {key: hint for key, hint in options(plugin).items() if key not in set(supplies)}
    for key, value in given.items():
        if key not in known:
            return Fault(key=key, message=f"unknown option `{key}` of {plugin.__name__}{suggestion(key, known)}")
        wrong = _mismatch(value, known[key])
        if wrong:
            return Fault(key=key, message=wrong)
    if set(_required(plugin)) - set(given):
        return None
    return _refused(plugin, given)


def build(
    family: str,
    name: str,
    given: Mapping[str, object],
    where: str = "",
    *,
    supplies: Mapping[str, object] | None = None,
    root: Path = Path(),
) -> Any:
    """A plugin made from its options. `supplies` fills the fields of those names, where it has them.

    `where` names the file in errors. Raises ConfigError for an unknown name or option, a wrong
    type, and for what the plugin's own `__post_init__` refuses with ValueError.
    """
    plugin = find(family, name, root)
    ready = {key: value for key, value in (supplies or {}).items() if key in options(plugin)}
    wrong = fault(plugin, given, ready)
    if wrong is not None:
        raise ConfigError(_placed(where, wrong))
    try:
        return plugin(**_converted(plugin, given), **ready)
    except ValueError as error:
        raise ConfigError(_placed(where, Fault(key="", message=f"{name}: {error}"))) from error


def suggestion(word: str, known: Iterable[str]) -> str:
    """'; did you mean `x`?' for the nearest known word, or ''."""
    by_fold = {_folded(entry): entry for entry in known}
    begun = [entry for entry in by_fold if len(word) > 2 and entry.startswith(_folded(word))]
    near = begun[:1] or difflib.get_close_matches(_folded(word), list(by_fold), n=1, cutoff=0.6)
    return f"; did you mean `{by_fold[near[0]]}`?" if near else ""


def worded(complaint: str, plan: inspect.Type | None) -> str:
    """What msgspec says of a value, in the words of people. `plan` is the type that was wanted."""
    if isinstance(plan, inspect.LiteralType):
        given = re.search(r"'(.*)'", complaint)
        near = suggestion(given[1], map(str, plan.values)) if given else ""
        return f"expected one of {', '.join(map(str, plan.values))}{near}"
    complaint = complaint.replace(" | null", "")
    for name, word in _WORDS.items():
        complaint = complaint.replace(name, word)
    return complaint[:1].lower() + complaint[1:].replace("`", "")


def _folded(word: str) -> str:
    return word.casefold().replace("-", "_")


def _placed(where: str, wrong: Fault) -> str:
    parts = (where, wrong.key if wrong.key and f"`{wrong.key}`" not in wrong.message else "", wrong.message)
    return ": ".join(part for part in parts if part)


@cache
def _boxed(family: str) -> tuple[str, ...]:
    if family not in FAMILIES:
        raise ConfigError(f"no family of plugins `{family}`{suggestion(family, FAMILIES)}")
    files = sorted((_BOX / family).glob("*.py"))
    return tuple(file.stem for file in files if _DECLARED.search(file.read_text(encoding="utf-8")))


@cache
def _entries(family: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=f"skygit.{family}")}


def _loaded(entry: EntryPoint) -> type[Any]:
    try:
        found = entry.load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"the entry point `{entry.name}` ({entry.value}) cannot be loaded: {error}") from error
    return _class(found, entry.name)


def _from_path(name: str, root: Path) -> type[Any]:
    file, _, attribute = name.partition(":")
    module = _module(root / file, name)
    if not attribute:
        return _declared(module, name)
    if attribute not in vars(module):
        known = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise ConfigError(f"{file} has no class `{attribute}`{suggestion(attribute, known)}")
    return _class(vars(module)[attribute], name)


def _module(path: Path, name: str) -> ModuleType:
    """The file as a module, compiled in memory: no `__pycache__` may appear in the user's checkout."""
    module = ModuleType(f"skygit_plugin_{abs(hash(path.absolute())):x}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), vars(module))
    except OSError as error:
        raise ConfigError(f"the plugin `{name}` cannot be read: {error.strerror}") from error
    except (SyntaxError, ImportError) as error:
        raise ConfigError(f"the plugin `{name}` cannot be loaded: {error}") from error
    return module


def _declared(module: ModuleType, name: str) -> type[Any]:
    if "PLUGIN" not in vars(module):
        raise ConfigError(f"the plugin `{name}` names no class: write `{name}:ClassName`")
    return _class(vars(module)["PLUGIN"], name)


def _class(found: object, name: str) -> type[Any]:
    if not isinstance(found, type):
        raise ConfigError(f"the plugin `{name}` is no class")
    return found


def _mismatch(value: object, hint: Any) -> str:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        return worded(str(error).partition(" - at ")[0], inspect.type_info(hint))
    except TypeError:  # no type of plain data: only the composition root can fill such a field
        return "this is no option: it cannot be set from a file"
    return ""


def _converted(plugin: type[Any], given: Mapping[str, object]) -> dict[str, Any]:
    hints = options(plugin)
    return {key: msgspec.convert(value, hints[key]) for key, value in given.items()}


def _required(plugin: type[Any]) -> Sequence[str]:
    if not dataclasses.is_dataclass(plugin):
        return ()
    missing = dataclasses.MISSING
    fields = [field for field in dataclasses.fields(plugin) if field.init]
    return [field.name for field in fields if field.default is missing and field.default_factory is missing]


def _refused(plugin: type[Any], given: Mapping[str, object]) -> Fault | None:
    try:
        plugin(**_converted(plugin, given))
    except ValueError as error:
        named = [key for key in given if re.search(rf"\b{re.escape(key)}\b", str(error))]
        return Fault(key=named[0] if named else "", message=str(error))
    return None
