"""Papers as they may lie in a journal: well named, not too long, without secrets."""

from collections.abc import Mapping, Sequence
from typing import Final

from skygit.errors import UserError
from skygit.ports import Entry

LIMIT: Final = 256 << 10
"""The most bytes kept of a paper."""

REPLY_LIMIT: Final = 1 << 20
"""The most bytes kept of a model's reply, which a resumed run reads again."""

BUNDLE: Final = "bundle/"
_SHORTEST_SECRET: Final = 12
_MASK: Final = "[secret]"


class Scrubber:
    """Replaces secrets. Short ones are left: they would be found in innocent text."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = [secret for secret in secrets if len(secret) >= _SHORTEST_SECRET]

    def clean(self, data: bytes) -> bytes:
        """The bytes without the secrets."""
        for secret in self._secrets:
            data = data.replace(secret.encode("utf-8", "surrogateescape"), _MASK.encode())
        return data

    def clean_text(self, text: str) -> str:
        """The text without the secrets."""
        for secret in self._secrets:
            text = text.replace(secret, _MASK)
        return text


def collected(entries: Sequence[Entry], scrubber: Scrubber) -> dict[str, bytes]:
    """The papers of one append. Raises ValueError for a bad or doubled name, UserError for a sealed secret."""
    papers: dict[str, bytes] = {}
    for entry in entries:
        for name, data in entry.papers.items():
            if name in papers:
                raise ValueError(f"two entries have a paper called {name}")
            _check(name)
            papers[name] = _kept(name, data, scrubber)
    return papers


def split(papers: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Plain papers, and those of the bundle without the word in front."""
    plain = {name: data for name, data in papers.items() if not name.startswith(BUNDLE)}
    return plain, {name[len(BUNDLE) :]: data for name, data in papers.items() if name.startswith(BUNDLE)}


def _check(name: str) -> None:
    below = name.removeprefix(BUNDLE)
    parts = below.split("/") if below != name else [name]
    if any(part in ("", ".", "..") or part.lower() == ".git" or "/" in part or "\0" in part for part in parts):
        raise ValueError(f"no name for a paper: {name!r}")


def _kept(name: str, data: bytes, scrubber: Scrubber) -> bytes:
    clean = scrubber.clean(data)
    if name.startswith(BUNDLE):
        if clean != data:
            raise UserError(f"{name.removeprefix(BUNDLE)} holds an API key: let it read the key from the environment")
        return data
    limit = REPLY_LIMIT if name.startswith("reply") else LIMIT
    if len(clean) <= limit:
        return clean
    note = f"\n[... cut: {len(clean)} bytes in all, the first and the last {limit // 2} are kept ...]\n"
    return clean[: limit // 2] + note.encode() + clean[-(limit // 2) :]
