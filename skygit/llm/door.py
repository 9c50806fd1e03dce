"""The door to LiteLLM: one request, one answer or one fault. Imported when a model is first asked."""

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

from skygit.domain.brief import Message
from skygit.llm.answer import Answer
from skygit.llm.faults import Fault, Kind, fault_of, headers_of
from skygit.llm.secrets import key_of
from skygit.llm.settings import ModelSettings

_CHARACTERS_PER_TOKEN = 3.5


@cache
def library() -> ModuleType:
    """LiteLLM, silent and without reaching out: no price map from the network, no telemetry, no callbacks."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_LOG", "ERROR")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False
    for hooks in (litellm.callbacks, litellm.success_callback, litellm.failure_callback):
        hooks.clear()
    for name in ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router", "httpx"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def request(settings: ModelSettings, messages: Sequence[Message], optional: Mapping[str, Any]) -> Answer | Fault:
    """Send one request, never more. Faults come back as values."""
    litellm = library()
    from openai import OpenAIError

    if key_of(settings) == "":
        return Fault(kind=Kind.DENIED, message=f"the environment variable {settings.api_key_env} is not set")
    try:
        response = litellm.completion(**_arguments(settings, messages), **optional)
    except OpenAIError as error:
        return _fault(settings, error, optional)
    return _answer(settings, messages, response)


def window(settings: ModelSettings) -> int | None:
    """The most tokens a prompt may have: the settings' word, else LiteLLM's table; None: unknown."""
    if settings.context_tokens:
        return settings.context_tokens
    entry = library().model_cost.get(settings.model) or library().model_cost.get(settings.model.partition("/")[2])
    tokens = entry.get("max_input_tokens") if entry else None
    return tokens if isinstance(tokens, int) else None


def key_variables(settings: ModelSettings) -> str:
    """The environment variable that should hold the key."""
    if settings.api_key_env:
        return settings.api_key_env
    missing = library().validate_environment(settings.model).get("missing_keys", [])
    return " or ".join(missing) or f"{settings.provider.upper().replace('-', '_')}_API_KEY"


def _arguments(settings: ModelSettings, messages: Sequence[Message]) -> dict[str, Any]:
    given = {"api_base": settings.api_base or None, "api_key": key_of(settings)}
    return {
        "model": settings.model,
        "messages": [{"role": message.role, "content": message.text} for message in messages],
        "timeout": settings.timeout,
        "num_retries": 0,
        "max_retries": 0,
        **{name: value for name, value in given.items() if value is not None},
    }


def _fault(settings: ModelSettings, error: Any, optional: Mapping[str, Any]) -> Fault:
    known = vars(error)
    response, status = known.get("response"), known.get("status_code")
    headers = headers_of((known.get("litellm_response_headers"), response.headers if response is not None else None))
    fault = fault_of(error, status, headers, optional)
    return replace(fault, message=_denial(settings, status, fault)) if fault.kind is Kind.DENIED else fault


def _denial(settings: ModelSettings, status: int | None, fault: Fault) -> str:
    if fault.keyless:
        return f"{_key_advice(settings)} ({fault.message})"
    if status in {402, 429}:
        return f"the account has no money left ({fault.message})"
    return f"unknown model or address ({fault.message})"


def _key_advice(settings: ModelSettings) -> str:
    if not settings.api_key_env and key_of(settings) is not None:
        return "the server wants a key: name the variable that holds it in `api_key_env`"
    return f"the key in the environment variable {key_variables(settings)} is missing or refused"


def _answer(settings: ModelSettings, messages: Sequence[Message], response: Any) -> Answer:
    choice = response.choices[0] if response.choices else None
    text = (choice.message.content or "") if choice else ""
    prompt, completion = response.usage.prompt_tokens or 0, response.usage.completion_tokens or 0
    estimated = prompt == 0
    if estimated:
        prompt, completion = _estimate("".join(message.text for message in messages)), _estimate(text)
    return Answer(
        text=text,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=_cost(settings, prompt, completion, response),
        truncated=choice is not None and choice.finish_reason == "length",
        estimated=estimated,
    )


def _estimate(text: str) -> int:
    return int(len(text) / _CHARACTERS_PER_TOKEN)


def _cost(settings: ModelSettings, prompt: int, completion: int, response: Any) -> float | None:
    if settings.price_input is not None or settings.price_output is not None:
        return (prompt * (settings.price_input or 0.0) + completion * (settings.price_output or 0.0)) / 1e6
    cost = response._hidden_params.get("response_cost")
    return float(cost) if cost is not None else None
