"""What an evaluator's program imports to report its result. Standard library only; stands alone.

    from skygit.harness import report

    report({"combined_score": 2.61, "circles": 26, "artifacts": {"worst": "circle 3 overlaps 7"}})

Under skygit the result goes over the result channel, where the candidate's prints cannot
reach it; started by hand it is printed. Report once. A number, a mapping or an object with
`combined_score` (or `metrics`) and `artifacts` will do; `error` (a text) says that the
candidate failed.

The channel's secret is taken out of the environment at the first `report` or `take`. A
candidate imported into the reporting process can still find it in memory when it really
looks: such a score is contained, not split from the candidate.
"""

# ruff: noqa: PTH123 - imported by every evaluator: it stays small

import json
import numbers
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

_VARIABLE = "SKYGIT_RESULT"
_DEEPEST = 6
_LONGEST = 65536


def report(result: Any) -> None:
    """Report the result of this evaluation. Outside skygit it is printed as one line of JSON."""
    take()(result)


def take() -> Callable[[Any], None]:
    """Take the result channel out of the environment; what is returned reports on it, once."""
    spelled = os.environ.pop(_VARIABLE, "")
    if not spelled:
        return _show
    number, _, nonce = spelled.partition(":")
    _wipe(nonce.encode())
    return _channel(int(number), nonce)


def plain(value: Any, depth: int = 0) -> Any:
    """The value as JSON data: numbers of any library become plain ones, what is unknown its text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (str, bytes)):
        return _text(value)
    if isinstance(value, numbers.Number) or _is_single(value):
        return _number(value)
    if depth >= _DEEPEST:
        return _text(str(value))
    return _structure(value, depth + 1)


def _channel(fd: int, nonce: str) -> Callable[[Any], None]:
    os.set_inheritable(fd, False)
    write, dumps, close = os.write, json.dumps, os.close

    def send(result: Any) -> None:
        data = f"{nonce} {dumps(plain(result))}\n".encode()
        while data:
            data = data[write(fd, data) :]
        close(fd)

    return send


def _show(result: Any) -> None:
    sys.stdout.write(json.dumps(plain(result)) + "\n")
    sys.stdout.flush()


def _structure(value: Any, depth: int) -> Any:
    if isinstance(value, Mapping):
        return {str(key): plain(one, depth) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)) and not hasattr(value, "_fields"):
        return [plain(one, depth) for one in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist(), depth)
    fields = _fields(value)
    return {name: plain(one, depth) for name, one in fields.items()} if fields else _text(str(value))


def _fields(value: Any) -> dict[str, Any]:
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    names = [*(vars(value) if hasattr(value, "__dict__") else ()), *_slots(value)]
    if hasattr(type(value), "combined_score"):
        names.append("combined_score")
    return {name: getattr(value, name) for name in names if not name.startswith("_") and hasattr(value, name)}


def _slots(value: Any) -> list[str]:
    spelled = [vars(kind)["__slots__"] for kind in type(value).__mro__ if "__slots__" in vars(kind)]
    return [name for names in spelled for name in ((names,) if isinstance(names, str) else names)]


def _is_single(value: Any) -> bool:
    """Whether it is another library's scalar: a zero-dimensional array or tensor."""
    return hasattr(value, "item") and hasattr(value, "shape") and len(value.shape) == 0


def _number(value: Any) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) or hasattr(value, "__float__") else _text(str(value))


def _text(value: "str | bytes") -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    return text if len(text) <= _LONGEST else text[: _LONGEST // 2] + "\n[...]\n" + text[-_LONGEST // 2 :]


def _wipe(secret: bytes) -> None:
    """Overwrite the secret where the kernel put the environment, so that /proc does not show it.

    Where the system does not allow it, it stays: then it is as hidden as the sandbox makes it.
    """
    try:
        with open("/proc/self/stat", "rb") as file:
            start, end = (int(word) for word in file.read().rpartition(b")")[2].split()[47:49])
        with open("/proc/self/mem", "r+b", buffering=0) as memory:
            memory.seek(start)
            at = memory.read(end - start).find(secret)
            if at >= 0:
                memory.seek(start + at)
                memory.write(b"0" * len(secret))
    except (OSError, ValueError, IndexError):
        return
