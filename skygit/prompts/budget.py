"""Tokens, estimated cheaply and alike on every machine, and text cut to fit."""

from collections.abc import Iterable, Sequence

from skygit.domain.brief import Message

_BYTES_PER_TOKEN = 3.5
"""Below what tokenizers do with code (3.6 to 4.2), so that the estimate errs on the safe side."""
_PER_MESSAGE = 4
CUT = "\n[... cut ...]\n"


def tokens(text: str) -> int:
    """The estimate for a text. Counts bytes, because letters beyond ASCII cost more."""
    return -int(-len(text.encode("utf-8", "surrogatepass")) / _BYTES_PER_TOKEN // 1)


def total(messages: Iterable[Message]) -> int:
    """The estimate for messages, the wrapping of each included."""
    return sum(tokens(message.text) + _PER_MESSAGE for message in messages)


def clip(text: str, limit: int) -> str:
    """The text within `limit` tokens: its head and its tail, whole lines where possible."""
    if tokens(text) <= limit:
        return text
    room = int(limit * _BYTES_PER_TOKEN) - len(CUT)
    if room <= 0:
        return ""
    data = text.encode("utf-8", "surrogatepass")
    head, tail = _lines(data[: room * 2 // 3], -1), _lines(data[-(room // 3) :] if room >= 3 else b"", 0)
    return f"{head}{CUT}{tail}"


def head(text: str, limit: int) -> str:
    """The first whole lines of the text within `limit` tokens."""
    if tokens(text) <= limit:
        return text
    data = text.encode("utf-8", "surrogatepass")[: max(int(limit * _BYTES_PER_TOKEN), 0)]
    return data.decode("utf-8", "ignore").rpartition("\n")[0]


def fill(parts: Sequence[str], limit: int) -> str:
    """As many of the parts as fit, first ones first, one under the other."""
    kept: list[str] = []
    left = limit
    for part in parts:
        left -= tokens(part) + 1
        if left < 0:
            break
        kept.append(part)
    return "\n".join(kept)


def _lines(data: bytes, side: int) -> str:
    """Decoded, without the line that was cut through at the end (-1) or the start (0)."""
    text = data.decode("utf-8", "ignore")
    before, newline, after = text.rpartition("\n") if side else text.partition("\n")
    if not newline:
        return text
    return before if side else after
