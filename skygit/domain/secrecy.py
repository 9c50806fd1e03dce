"""Names of environment variables that tell of a key."""

from typing import Final

_TELLING: Final = frozenset(
    {"KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "CREDENTIALS", "PAT"}
)


def tells_of_a_key(name: str) -> bool:
    """Whether a variable of this name is likely to hold a key: OPENAI_API_KEY, HF_TOKEN."""
    return not _TELLING.isdisjoint(name.upper().split("_"))
