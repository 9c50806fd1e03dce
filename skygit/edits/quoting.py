"""Paths in git's C style quotes."""

from skygit.edits.refusals import refuse

_SINGLE = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
_ESCAPED = {ord(plain): "\\" + letter for letter, plain in _SINGLE.items()}


def unquoted(text: str) -> tuple[str, str]:
    """The path a quoted text begins with, and what stands behind it."""
    data = bytearray()
    at = 1
    while at < len(text) and text[at] != '"':
        at = _step(text, at, data)
    if at >= len(text):
        refuse("malformed", f"a quoted path is not closed: {text[:80]}")
    return data.decode("utf-8", "surrogateescape"), text[at + 1 :]


def quoted(path: str) -> str:
    """The path as git writes it in a header: quoted only when it has to be."""
    plain = path.encode("utf-8", "surrogateescape")
    if all(byte >= 32 and byte < 127 and byte not in b'"\\' for byte in plain):
        return path
    return '"' + "".join(_ESCAPED.get(byte) or _octal(byte) for byte in plain) + '"'


def _step(text: str, at: int, data: bytearray) -> int:
    letter = text[at]
    if letter != "\\":
        data += letter.encode("utf-8", "surrogateescape")
        return at + 1
    following = text[at + 1 : at + 2]
    if following in _SINGLE:
        data += _SINGLE[following].encode()
        return at + 2
    digits = text[at + 1 : at + 4]
    if len(digits) == 3 and all(digit in "01234567" for digit in digits) and int(digits, 8) < 256:
        data.append(int(digits, 8))
        return at + 4
    refuse("malformed", f"a quoted path has an unknown escape: {text[:80]}")


def _octal(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
