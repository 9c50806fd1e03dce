"""Plain data -> values, checked by type and range; what is wrong is said with file, line and a suggestion."""

import re
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from skygit.config.document import Document, Path
from skygit.config.duration import seconds
from skygit.plugins import suggestion, worded

Kind = TypeVar("Kind")

_AT: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`")
_MISSING: Final = re.compile(r"Object missing required field `(.*)`")


def convert(document: Document, path: Path, data: Any, kind: type[Kind]) -> Kind:
    """The data found at a path, as a value of the kind. Raises ConfigError."""
    plan = inspect.type_info(kind)
    try:
        return msgspec.convert(_without_nulls(data, plan), kind, dec_hook=_hook)
    except msgspec.ValidationError as error:
        raise _explained(document, path, str(error), plan) from error


def plain(value: Any) -> Any:
    """A value as JSON would give it back, what equals its default left out."""
    return _pruned(msgspec.json.decode(msgspec.json.encode(value, enc_hook=float)))


def _pruned(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    slim = {key: _pruned(value) for key, value in data.items()}
    return {key: value for key, value in slim.items() if value != {}}


def _hook(_: type, value: object) -> object:
    """Seconds are the only type that is not plain data."""
    return seconds(value)


def _without_nulls(data: Any, plan: inspect.Type) -> Any:
    """An empty `key:` means its default, so known keys without a value are dropped."""
    plan = _solid(plan)
    if isinstance(plan, inspect.StructType) and isinstance(data, dict):
        known = {field.encode_name: field.type for field in plan.fields}
        return {
            key: _without_nulls(value, known[key]) if key in known else value
            for key, value in data.items()
            if value is not None or key not in known
        }
    if isinstance(plan, inspect.VarTupleType) and isinstance(data, list):
        return [_without_nulls(item, plan.item_type) for item in data]
    return data


def _explained(document: Document, base: Path, text: str, plan: inspect.Type) -> Exception:
    match = _AT.match(text)
    what, tail = (match["what"], match["path"] or "") if match else (text, "")
    steps: Path = tuple(name or int(index) for name, index in _STEP.findall(tail))
    place = _at(plan, steps)
    unknown, missing = _UNKNOWN.fullmatch(what), _MISSING.fullmatch(what)
    if unknown:
        key = unknown[1]
        return document.error((*base, *steps, key), f"unknown key{suggestion(key, _fields(place))}")
    if missing:
        return document.error((*base, *steps), f"`{missing[1]}` is missing")
    return document.error((*base, *steps), worded(what, place))


def _at(plan: inspect.Type | None, steps: Path) -> inspect.Type | None:
    plan = _solid(plan) if plan is not None else None
    if not steps or plan is None:
        return plan
    return _at(_inner(plan, steps[0]), steps[1:])


def _inner(plan: inspect.Type, step: str | int) -> inspect.Type | None:
    if isinstance(plan, inspect.StructType):
        return next((field.type for field in plan.fields if field.encode_name == step), None)
    return plan.item_type if isinstance(plan, inspect.VarTupleType) else None


def _solid(plan: inspect.Type) -> inspect.Type:
    """`X | None` as X: what the key means when it has a value."""
    if isinstance(plan, inspect.UnionType):
        solid = [kind for kind in plan.types if not isinstance(kind, inspect.NoneType)]
        return solid[0] if len(solid) == 1 else plan
    return plan


def _fields(plan: inspect.Type | None) -> Iterable[str]:
    return [field.encode_name for field in plan.fields] if isinstance(plan, inspect.StructType) else []
