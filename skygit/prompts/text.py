"""Bytes of a repository as text in a prompt: decoding, fences, and what must not be shown."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

_SECRET_NAMES = (
    ".env", ".env.*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "id_rsa*",
    "id_dsa*", "id_ecdsa*", "id_ed25519*",
    ".netrc", ".npmrc", ".pypirc", ".htpasswd", "credentials", "credentials.*", "secrets.*",
    ".git-credentials", "*.tfstate", "*.ovpn",
)  # fmt: skip
_HARMLESS = (".env.example", ".env.sample", ".env.template")
_SECRET_TEXT = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:AKIA[0-9A-Z]{16}|ghp_[A-Za-z0-9]{36})\b")
_BACKTICKS = re.compile(r"`{3,}")
_LONGEST_LINE = 4000
_INFO = re.compile(r"[^\w.+#-]")


def is_secret(path: str, data: bytes, secrets: Sequence[str]) -> bool:
    """Whether a file must stay away from models: by its name, a key in it, or a key of the environment."""
    name = path.rpartition("/")[2].casefold()
    if name not in _HARMLESS and any(fnmatchcase(name, pattern) for pattern in _SECRET_NAMES):
        return True
    return bool(_SECRET_TEXT.search(data)) or any(secret.encode() in data for secret in secrets)


def decoded(data: bytes) -> str | None:
    """The text of a file with plain line ends; None for what cannot be shown and edited as text."""
    if b"\0" in data[:8192]:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    text = text.replace("\r\n", "\n")
    return None if any(len(line) > _LONGEST_LINE for line in text.split("\n")) else text


def fenced(text: str, info: str = "") -> str:
    """The text in a fence longer than any inside."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    body = text if text.endswith("\n") or not text else f"{text}\n"
    return f"{fence}{_INFO.sub('', info)}\n{body}{fence}"


def quoted(path: str) -> str:
    """A path as a diff header writes it: C-quoted when it holds what a plain line cannot carry."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return _c_quoted(path)
    return path if path.isprintable() and not set('"\\') & set(path) else _c_quoted(path)


def _c_quoted(path: str) -> str:
    letters = []
    for byte in path.encode("utf-8", "surrogateescape"):
        plain = 32 <= byte < 127 and byte not in (34, 92)
        letters.append(chr(byte) if plain else f"\\{byte:03o}")
    return f'"{"".join(letters)}"'


def speakable(text: str) -> str:
    """The text without lone surrogates: what JSON and a journal can carry."""
    return text.encode("utf-8", "replace").decode()
