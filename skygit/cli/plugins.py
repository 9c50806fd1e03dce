"""`skygit plugins`: what can be named in the set-up, and the options of each."""

import dataclasses
import json
import typing
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from skygit import plugins as box


def plugins(
    family: Annotated[str, typer.Argument(help="Only this family, with the options of each plugin.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Names, lines and options as JSON.")] = False,
) -> None:
    """List the plugins of each family; with a family, their options too."""
    families = (family,) if family else box.FAMILIES
    if as_json:
        print(json.dumps({each: [_described(each, name) for name in box.names(each)] for each in families}, indent=2))
        return
    for each in families:
        print("\n".join(_detailed(each) if family else _listed(each)))


def _listed(family: str) -> Iterator[str]:
    yield f"{family}: {', '.join(box.names(family)) or 'none'}"


def _detailed(family: str) -> Iterator[str]:
    for entry in (_described(family, name) for name in box.names(family)):
        yield f"{entry['name']}: {entry['line']}"
        yield from (f"  {option}: {text}" for option, text in entry["options"].items())


def _described(family: str, name: str) -> dict[str, Any]:
    line = box.about(family, name)
    if family == "languages":
        return {"name": name, "line": line, "options": {}}
    plugin = box.find(family, name)
    defaults = _defaults(plugin)
    options = {key: _spelled(hint, defaults.get(key)) for key, hint in box.options(plugin).items()}
    return {"name": name, "line": line, "options": options}


def _defaults(plugin: type[Any]) -> dict[str, str]:
    if not dataclasses.is_dataclass(plugin):
        return {}
    fields = [field for field in dataclasses.fields(plugin) if field.default is not dataclasses.MISSING]
    return {field.name: repr(field.default) for field in fields}


def _spelled(hint: Any, default: str | None) -> str:
    plain = hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)
    return plain.replace("typing.", "") + (f" = {default}" if default is not None else "")
