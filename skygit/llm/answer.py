"""What one request brought."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one request brought. `cost` in US dollars, None: nobody knows the price."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    truncated: bool
    estimated: bool = False
