"""What came over the wire as lines: decoded, BOM and CR dropped, reasoning removed."""

from typing import Final

from skygit.edits.fences import closes, opening
from skygit.edits.refusals import refuse

LIMIT: Final = 1 << 20
"""Bytes of a reply beyond which it is not read."""
MOST_LINES: Final = 150_000
_THINK = (("<think>", "</think>"), ("<thinking>", "</thinking>"))


def lines(reply: bytes | str) -> list[str]:
    """The lines of a reply. The last is "" when the reply ends with a newline."""
    try:
        data = reply if isinstance(reply, bytes) else reply.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        refuse("malformed", "the reply is not valid Unicode")
    if len(data) > LIMIT:
        refuse("too-large", f"the reply has {len(data)} bytes, more than {LIMIT}")
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").replace("\r\n", "\n")
    rows = text.split("\n")
    if len(rows) > MOST_LINES:
        refuse("too-large", f"the reply has {len(rows)} lines, more than {MOST_LINES}")
    return _spoken(rows)


def _spoken(whole: list[str]) -> list[str]:
    """Without reasoning: what stands between think tags outside fences, or before a lone closing tag."""
    kept: list[str] = []
    until, fence = "", None
    for line in whole:
        if until:
            if until in line:
                kept.append(line.split(until, 1)[1])
                until = ""
            continue
        if fence is not None:
            fence = None if closes(line, fence) else fence
        else:
            fence = opening(line)
            until = _thinks(line)
            if line.strip() in ("</think>", "</thinking>"):
                kept.clear()
                continue
        if not until:
            kept.append(line)
    return kept


def _thinks(line: str) -> str:
    """The closing tag to wait for when reasoning starts on this line and does not end there."""
    for start, end in _THINK:
        if line.startswith(start) and end not in line:
            return end
    return ""
