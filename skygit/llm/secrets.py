"""Keys live in the environment and nowhere else: finding them, and taking them out of text."""

import os
import re
from collections.abc import Iterable, Sequence

from skygit.domain.secrecy import tells_of_a_key
from skygit.llm.settings import ModelSettings

_SHORTEST_GUESS = 12
"""Characters below which a value under a telling name is not taken for a key."""
_SHORTEST = 4
_WORDLESS = re.compile(r"(?:sk|pk|gsk|xai|ghp|hf|AIza)[-_]?[A-Za-z0-9*_-]{8,}|(?<=Bearer )\S+")
MASK = "[secret]"


def key_of(settings: ModelSettings) -> str | None:
    """The key to send, None to let LiteLLM find the provider's own variable.

    An address of the user's own that speaks OpenAI's protocol gets a key only when one is
    named for it: the key of the real OpenAI must not travel to another host.
    """
    if settings.api_key_env:
        return os.environ.get(settings.api_key_env, "")
    if settings.api_base and settings.provider == "openai":
        return "unneeded"
    return None


def secret_values(models: Sequence[ModelSettings]) -> tuple[str, ...]:
    """Every value of the environment that is a key by the settings or by its name, longest first."""
    named = {settings.api_key_env for settings in models}
    found = {value for name, value in os.environ.items() if _is_secret(name, value, named)}
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def scrub(text: str, secrets: Iterable[str]) -> str:
    """The text without the secrets and without what looks like a key."""
    for secret in secrets:
        text = text.replace(secret, MASK)
    return _WORDLESS.sub(MASK, text)


def _is_secret(name: str, value: str, named: set[str]) -> bool:
    if name in named:
        return len(value) >= _SHORTEST
    return len(value) >= _SHORTEST_GUESS and tells_of_a_key(name)
