"""Tactics out of a model's advice: `TACTIC: name — text` lines, or JSON."""

import json
import re
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import Any, Final

from skygit.domain.request import Tactic

MOST: Final = 5
"""Tactics taken from one answer; what comes after them is left."""

NAME_LENGTH: Final = 80
TEXT_LENGTH: Final = 1500

TRIED: Final = 200
"""Brackets of an answer that are tried as the start of JSON."""

_HEAD = re.compile(r"^[\s>#*_`\-\d.)]*TACTIC(?:\s+\d+)?\s*[*_`]*\s*:\s*", re.IGNORECASE | re.MULTILINE)
_SPLIT = re.compile(r"\s+[—–-]{1,2}\s+|\s*—\s*|:\s+|\n")
_OPENING = re.compile(r"[\[{]")
_NAMES = ("name", "title", "tactic")
_TEXTS = ("text", "description", "details", "idea")


def parse_tactics(answer: str) -> tuple[Tactic, ...]:
    """The tactics in an answer, in order, no two of one name; empty when it has none.

    A tactic runs to the next `TACTIC:` line or a blank line. JSON may stand anywhere in the
    answer: objects with a name and a text, alone, in a list, or under one key.
    """
    found: dict[str, Tactic] = {}
    for tactic in (*_from_lines(answer), *_from_json(answer)):
        if tactic.name and tactic.text:
            found.setdefault(tactic.name, tactic)
    return tuple(found.values())[:MOST]


def _from_lines(answer: str) -> Iterator[Tactic]:
    heads = list(_HEAD.finditer(answer))
    for head, after in zip_longest(heads, heads[1:]):
        body = answer[head.end() : after.start() if after else None].strip().split("\n\n")[0]
        parts = _SPLIT.split(body, maxsplit=1)
        yield _tactic(parts[0], parts[-1])


def _from_json(answer: str) -> Iterator[Tactic]:
    decoder = json.JSONDecoder()
    end = 0
    for opening in islice(_OPENING.finditer(answer), TRIED):
        if opening.start() < end:
            continue
        try:
            value, end = decoder.raw_decode(answer, opening.start())
        except (ValueError, RecursionError):
            continue
        yield from _from_value(value)


def _from_value(value: Any) -> Iterator[Tactic]:
    if isinstance(value, list):
        for item in value:
            yield from _from_value(item)
    elif isinstance(value, dict):
        name = _first(value, _NAMES)
        text = _first(value, _TEXTS)
        if name and text:
            yield _tactic(name, text)
        else:
            yield from _from_value([item for item in value.values() if isinstance(item, list | dict)])


def _first(value: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((value[key] for key in keys if isinstance(value.get(key), str)), "")


def _tactic(name: str, text: str) -> Tactic:
    bare = " ".join(name.split()).strip(" *_`[]\"'")
    return Tactic(name=bare[:NAME_LENGTH], text=" ".join(text.split()).strip(" *_`")[:TEXT_LENGTH])
