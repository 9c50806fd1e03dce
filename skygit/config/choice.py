"""Sections that choose a plugin: its options stand among the section's own keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as File
from typing import Any

import msgspec

from skygit import plugins
from skygit.config.document import Document
from skygit.errors import ConfigError


def split(data: Any, kind: type[msgspec.Struct]) -> Any:
    """A section with every key that is not its own moved under `options`. What is no mapping stays."""
    if not isinstance(data, dict):
        return data
    own = set(kind.__struct_fields__) - {"options"}
    options = {key: value for key, value in data.items() if key not in own}
    return {**{key: value for key, value in data.items() if key in own}, "options": options}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A section's choice: the key that names the plugin, the family, the name, the options as written."""

    section: str
    key: str
    family: str
    name: str
    given: Mapping[str, Any] = field(default_factory=dict)


def sift(document: Document, choice: Choice, root: File) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The options that are the plugin's own, and notes on those that belong to another of the family.

    Raises ConfigError for an option nobody knows and for a value the plugin refuses.
    """
    section = choice.section
    plugin = found(document, choice, root)
    known = plugins.options(plugin)
    mine = {key: value for key, value in choice.given.items() if key in known}
    foreign = {key: _owners(choice.family, key) for key in choice.given if key not in known}
    strange = {key: choice.given[key] for key, owners in foreign.items() if not owners}
    wrong = plugins.fault(plugin, {**mine, **strange})
    if wrong is not None:
        raise document.error((section, wrong.key) if wrong.key else (section,), wrong.message)
    notes = (
        f"{document.at((section, key))}: {section}.{key} is an option of {', '.join(owners)}; "
        f"{choice.name} does not use it"
        for key, owners in foreign.items()
        if owners
    )
    return mine, tuple(notes)


def found(document: Document, choice: Choice, root: File) -> type[Any]:
    """The plugin chosen. Raises ConfigError with file, line and a suggestion."""
    try:
        return plugins.find(choice.family, choice.name, root)
    except ConfigError as error:
        raise document.error((choice.section, choice.key), str(error)) from error


def _owners(family: str, key: str) -> list[str]:
    return [name for name in plugins.names(family) if key in plugins.options(plugins.find(family, name))]
