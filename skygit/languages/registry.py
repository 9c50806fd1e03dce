"""Every language of this package, by suffix. A language is one file here that says `LANGUAGES`."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from skygit.languages.language import Language

_MACHINERY = frozenset({"language", "registry", "grammar", "comments", "outline", "faults", "syntax"})


@cache
def by_suffix() -> Mapping[str, Language]:
    """Suffix, dot and lower case included, to language."""
    package = import_module(__package__)
    names = (found.name for found in pkgutil.iter_modules(package.__path__))
    return MappingProxyType(
        {
            suffix: language
            for name in sorted(set(names) - _MACHINERY)
            for language in _languages(name)
            for suffix in language.suffixes
        }
    )


def language_of(path: str) -> Language | None:
    """The language a path's suffix names; None when no file here knows it."""
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    return by_suffix().get(name[dot:].lower()) if dot > 0 else None


def _languages(name: str) -> tuple[Language, ...]:
    found: tuple[Language, ...] = import_module(f"{__package__}.{name}").LANGUAGES
    return found
