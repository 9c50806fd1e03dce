"""YAML text as plain data that remembers its lines. The only door to yaml.

Stricter than YAML where a set-up file has nothing to gain: keys are words and occur once,
values are text, numbers, true, false and null, in lists and mappings; NaN and infinities,
dates and base-60 numbers do not exist; `1e-3` is a number.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from skygit.errors import ConfigError

Path = tuple[str | int, ...]
"""Keys and list positions from the root of a document to a value."""

MOST_NODES: Final = 20_000
"""More values than that come from aliases that multiply, not from a person."""

_COMMAND_LINE: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Plain data, the name of its file and the line of each value (from 1)."""

    where: str
    data: Any
    lines: Mapping[Path, int] = field(default_factory=dict)

    def at(self, path: Path) -> str:
        """'file:line' of a value, or of the nearest one around it that has a line."""
        while path and path not in self.lines:
            path = path[:-1]
        line = self.lines.get(path, 0)
        if line == _COMMAND_LINE:
            return "command line"
        return f"{self.where}:{line}" if line else self.where

    def error(self, path: Path, message: str) -> ConfigError:
        """A ConfigError that names file, line and value."""
        name = spelled(path)
        return ConfigError(f"{self.at(path)}: {name}: {message}" if name else f"{self.at(path)}: {message}")

    def with_overrides(self, overrides: Mapping[str, Any]) -> "Document":
        """The document with some values replaced; keys are dotted ("search.algorithm")."""
        data, lines = self.data, dict(self.lines)
        for dotted, value in overrides.items():
            path = tuple(dotted.split("."))
            data = _replaced(data, path, value)
            lines = {known: line for known, line in lines.items() if known[: len(path)] != path}
            lines[path] = _COMMAND_LINE
        return Document(where=self.where, data=data, lines=lines)


def read(text: str, where: str) -> Document:
    """The one document of a text. Raises ConfigError with file and line."""
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise ConfigError(_unreadable(error, where)) from error
    reader = _Reader(where)
    data = reader.value(node, ()) if node is not None else None
    return Document(where=where, data=data, lines=reader.lines)


def spelled(path: Path) -> str:
    """A path as people write it: llm.models[0].weight."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


class _Loader(yaml.SafeLoader):
    """SafeLoader without dates and base-60 numbers, and with the floats of YAML 1.2."""


_TAG: Final = "tag:yaml.org,2002:"
_DROPPED: Final = {_TAG + kind for kind in ("timestamp", "int", "float")}
_INT: Final = re.compile(r"^[-+]?(?:0|[1-9][0-9]*(?:_[0-9]+)*)$")
_FLOAT: Final = re.compile(
    r"^(?:[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?[0-9]+[eE][-+]?[0-9]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
)
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in pairs if tag not in _DROPPED]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_TAG + "int", _INT, list("-+0123456789"))
_Loader.add_implicit_resolver(_TAG + "float", _FLOAT, list("-+.0123456789"))


class _Reader:
    """Turns nodes into values and notes the lines."""

    def __init__(self, where: str) -> None:
        self.lines: dict[Path, int] = {}
        self._where = where
        self._open: set[int] = set()

    def value(self, node: Node, path: Path) -> Any:
        line = node.start_mark.line + 1
        self.lines.setdefault(path, line)
        if len(self.lines) > MOST_NODES:
            raise self._wrong(path, "too many values")
        if id(node) in self._open:
            raise self._wrong(path, "this alias contains itself")
        self._open.add(id(node))
        value = self._built(node, path)
        self._open.discard(id(node))
        return value

    def _built(self, node: Node, path: Path) -> Any:
        if isinstance(node, MappingNode):
            return self._mapping(node, path)
        if isinstance(node, SequenceNode):
            return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: MappingNode, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if isinstance(key_node, ScalarNode) else ""
            here = (*path, key)
            if not key or not _is_text(key) or key_node.tag == _TAG + "merge":
                self.lines[here] = key_node.start_mark.line + 1
                raise self._wrong(here, "keys are plain words")
            if key in found:
                raise ConfigError(
                    f"{self._where}:{key_node.start_mark.line + 1}: {spelled(here)}: "
                    f"this key is already on line {self.lines[here]}"
                )
            self.lines[here] = key_node.start_mark.line + 1
            found[key] = self.value(value_node, here)
        return found

    def _scalar(self, node: Node, path: Path) -> Any:
        loader = _Loader("")
        try:
            value = loader.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            raise self._wrong(path, "this value cannot be read") from error
        finally:
            loader.dispose()
        if isinstance(value, float) and not math.isfinite(value):
            raise self._wrong(path, "NaN and infinity are no values")
        if isinstance(value, str) and not _is_text(value):
            raise self._wrong(path, "this text holds half a character")
        if value is not None and not isinstance(value, (str, int, float)):
            raise self._wrong(path, "only text, numbers, true, false and null are values")
        return value

    def _wrong(self, path: Path, message: str) -> ConfigError:
        return Document(where=self._where, data=None, lines=self.lines).error(path, message)


def _unreadable(error: yaml.YAMLError, where: str) -> str:
    """Without the lines around it: they may hold what nobody should see."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return f"{where}: this is no YAML text"
    line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
    return f"{where}{line}: this is no YAML: {error.problem or error.context}"


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _replaced(data: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    inner = data if isinstance(data, dict) else {}
    return {**inner, path[0]: _replaced(inner.get(path[0]), path[1:], value)}
