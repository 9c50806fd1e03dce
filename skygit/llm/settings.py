"""How one model of the pool is asked."""

from typing import Any, Literal

from skygit.domain.value import Value
from skygit.errors import ConfigError

ReplyFormat = Literal["diff", "search_replace", "block"]
"""How a model is told to write its edit. Every format is understood whatever was asked for."""

_OURS = frozenset({"model", "messages", "api_key", "api_base", "timeout", "stream", "num_retries", "max_retries", "n"})


class ModelSettings(Value, frozen=True, kw_only=True):
    """One entry of `llm.models`.

    `api_key_env` names the environment variable that holds the key, never the key; `timeout`
    is the whole call in seconds; `context_tokens` the window where LiteLLM does not know it (0:
    unknown); prices are US dollars per million tokens, None: LiteLLM's table; `params` are
    passed through as they are. `temperature` and `max_tokens` are sent only when given.
    """

    model: str
    weight: float = 1.0
    api_base: str = ""
    api_key_env: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    timeout: float = 600.0
    context_tokens: int = 0
    price_input: float | None = None
    price_output: float | None = None
    format: ReplyFormat = "diff"
    params: dict[str, Any] = {}

    @property
    def provider(self) -> str:
        """What stands before the first slash; a bare name is OpenAI's."""
        head, slash, _ = self.model.partition("/")
        return head if slash else "openai"

    @property
    def optional(self) -> dict[str, Any]:
        """The parameters a model may refuse, by name."""
        named = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        return {name: value for name, value in named.items() if value is not None} | self.params

    def check(self) -> None:
        """Raises ConfigError when the settings cannot be obeyed."""
        if not self.model.strip():
            raise ConfigError("llm.models: a model needs a name, e.g. `model: openai/gpt-5`")
        if not self.weight >= 0 or self.weight == float("inf"):
            raise ConfigError(f"llm.models: {self.model}: weight is {self.weight}; it must be zero or more")
        if not self.timeout > 0:
            raise ConfigError(f"llm.models: {self.model}: timeout is {self.timeout}; it must be above zero seconds")
        self._check_params()

    def _check_params(self) -> None:
        for name in sorted(_OURS & self.params.keys()):
            right = "name the variable in `api_key_env`" if name == "api_key" else "it is set elsewhere; leave it out"
            raise ConfigError(f"llm.models: {self.model}: params may not hold `{name}`: {right}")
