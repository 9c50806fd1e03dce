"""How a project's own benchmark becomes a measure: by reading what its script prints."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

from skygit.config.sections import Direction, Source
from skygit.domain.value import Value

_METRIC: Final = re.compile(rb"METRIC\s+(\w+)=")
_JSON: Final = re.compile(rb"json\.dumps?\(|JSON\.stringify\(|[\"']combined_score[\"']")
_KEYS: Final = (b"combined_score", b"score", b"seconds", b"time", b"loss", b"error")
_LESS: Final = re.compile(r"time|second|_ms$|_us$|_ns$|^ms$|latency|ops|cost|loss|error|bytes|memory", re.IGNORECASE)


class Measure(Value, frozen=True, kw_only=True):
    """What `evaluation` says of the score. Exactly one of `command` and `python` is set."""

    command: str = ""
    python: str = ""
    source: Source | None = None
    key: str = ""
    direction: Direction | None = None


def measure(words: str, read: Callable[[str], bytes | None]) -> Measure:
    """The measure a person or a survey names: a shell line, or a Python file with `evaluate()`.

    `read` gives the bytes of a file of the repository, None when there is none.
    """
    data = read(words) if words.endswith(".py") else None
    if data is not None and re.search(rb"^def evaluate\(", data, re.MULTILINE):
        return Measure(python=words)
    command = f"python {words}" if data is not None else words
    return _printed(command, _script(command, read))


def _printed(command: str, script: bytes) -> Measure:
    """Where the number comes from: METRIC lines, JSON, else the time the command takes."""
    metric = _METRIC.search(script)
    if metric:
        key = metric[1].decode()
        return Measure(command=command, source="metric", key=key, direction=_direction(key))
    if not _JSON.search(script):
        return Measure(command=command, source="wall", direction="min")
    known = [key.decode() for key in _KEYS if re.search(rb"[\"']%s[\"']|\b%s:" % (key, key), script)]
    key = (known or ["combined_score"])[0]
    return Measure(command=command, source="json", key=key, direction=_direction(key))


def _script(command: str, read: Callable[[str], bytes | None]) -> bytes:
    """The first file of the repository that the line names, after the folder it enters."""
    entered = re.match(r"cd ([\w./-]+) && ", command)
    for word in re.findall(r"[\w./-]+\.\w+", command):
        data = read(str(PurePosixPath(entered[1]) / word)) if entered else read(word)
        if data is not None:
            return data
    return b""


def _direction(key: str) -> Direction:
    return "min" if _LESS.search(key) else "max"
