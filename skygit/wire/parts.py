"""Settings -> the parts of a run: algorithm, models, limits, sandbox, evaluator, scribe."""

import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skygit import plugins
from skygit.config.settings import FILE_NAME, Settings
from skygit.domain.algorithm import Algorithm
from skygit.engine.limits import Limits
from skygit.ports import Evaluator, Sandbox

if TYPE_CHECKING:
    from skygit.llm.pool import ModelPool
    from skygit.prompts.scribe import TemplateScribe


def build_algorithm(settings: Settings, root: Path) -> Algorithm[Any]:
    """The search algorithm with its options."""
    search = settings.search
    algorithm: Algorithm[Any] = plugins.build("algorithms", search.algorithm, search.options, FILE_NAME, root=root)
    return algorithm


def build_models(settings: Settings, stop: threading.Event) -> "ModelPool":
    """The pool; empty when no model is configured."""
    from skygit.llm.pool import ModelPool

    return ModelPool(model_settings(settings), stop=stop)


def model_settings(settings: Settings) -> Sequence[Any]:
    """The models as the pool wants them."""
    from skygit.llm.settings import ModelSettings

    return [
        ModelSettings(
            model=model.model,
            weight=model.weight,
            api_base=model.api_base,
            api_key_env=model.api_key_env,
            temperature=model.temperature,
            max_tokens=model.max_tokens,
            timeout=float(model.timeout),
            context_tokens=model.context_tokens or 0,
            price_input=model.price.input if model.price else None,
            price_output=model.price.output if model.price else None,
            format=model.format,
            params=model.params,
        )
        for model in settings.llm.models
    ]


def secrets(settings: Settings) -> tuple[str, ...]:
    """Values that no paper may hold."""
    from skygit.llm.secrets import secret_values

    return tuple(secret_values(model_settings(settings)))


def build_limits(settings: Settings) -> Limits:
    """What a session may use."""
    limits, evaluation = settings.limits, settings.evaluation
    target = limits.target
    if target is not None and evaluation.direction == "min":
        target = -target
    return Limits(
        iterations=settings.llm.max_iterations,
        models=limits.parallel,
        evaluations=limits.evaluations_in_flight,
        budget_usd=limits.budget_usd,
        seconds=limits.max_time,
        model_calls=limits.max_model_calls,
        target=target,
        disk_reserve_mb=limits.disk_reserve_mb,
    )


def build_sandbox(settings: Settings) -> Sandbox:
    """The tier that holds candidates."""
    sandbox: Sandbox = plugins.build("sandboxes", settings.evaluation.sandbox, {}, FILE_NAME)
    return sandbox


def build_evaluator(settings: Settings) -> Evaluator:
    """The measure: gates first, then the number, as often as wanted."""
    from skygit.evaluators.cascade import CascadeEvaluator, Stage
    from skygit.evaluators.command import CommandEvaluator
    from skygit.evaluators.limits import Limits as Use
    from skygit.evaluators.python import PythonEvaluator
    from skygit.evaluators.repeats import RepeatEvaluator
    from skygit.evaluators.score import ScoreRule

    told = settings.evaluation
    use = partial(Use, memory_mb=told.memory_mb, output_kb=told.output_kb, env=_environment(settings))
    rule = ScoreRule(source=told.source, key=told.score.key, pattern=told.score.pattern, direction=told.direction)
    last: Evaluator
    if told.python:
        last = PythonEvaluator(python=told.python, program=told.program, score=rule, limits=use(timeout=told.timeout))
    else:
        last = CommandEvaluator(command=told.argv, score=rule, limits=use(timeout=told.timeout))
    if told.repeats > 1:
        last = RepeatEvaluator(inner=last, repeats=told.repeats)
    stages = tuple(
        Stage(name=stage.name, command=stage.argv, limits=use(timeout=stage.timeout)) for stage in told.stages
    )
    return CascadeEvaluator(stages=stages, last=last) if stages else last


def build_scribe(settings: Settings, root: Path, evaluator: str = "") -> "TemplateScribe":
    """What models read. `root` is where the set-up lies, `evaluator` the text of what measures."""
    from skygit.prompts.scribe import TemplateScribe

    proposals, models = settings.proposals, settings.llm.models
    return TemplateScribe(
        budget=min([proposals.context_tokens, *_rooms(settings)]),
        measure="\n\n".join(filter(None, (_measure(settings), evaluator))),
        system_prompt=settings.llm.system_prompt,
        templates=str(root / proposals.templates) if proposals.templates else "",
        format=models[0].format if models else "diff",
        formats={model.model: model.format for model in models},
        secrets=secrets(settings),
    )


def _environment(settings: Settings) -> dict[str, str]:
    import os

    told = settings.evaluation
    passed = {name: os.environ[name] for name in told.pass_env if name in os.environ}
    return {**passed, **told.environment}


def _rooms(settings: Settings) -> list[int]:
    """Tokens that a prompt may have in each model's window, where it is told, with the answer's room kept."""
    windows = [(model.context_tokens, model.max_tokens or 0) for model in settings.llm.models]
    return [max(window - answer, 1) for window, answer in windows if window is not None]


def _measure(settings: Settings) -> str:
    """One sentence on how the score comes about."""
    told = settings.evaluation
    way = "lower" if told.direction == "min" else "higher"
    gates = ", ".join(stage.name for stage in told.stages)
    first = f" Before it is measured, these must pass: {gates}." if gates else ""
    what = f"wall time of `{_words(told.command)}`" if told.source == "wall" else ""
    what = what or (f"CPU time of `{_words(told.command)}`" if told.source == "cpu" else f"`{told.score.key}`")
    by = f", reported by `{told.python or _words(told.command)}`" if told.source not in ("wall", "cpu") else ""
    return f"The measure is {what}{by}; {way} is better.{first}"


def _words(command: str | tuple[str, ...]) -> str:
    return command if isinstance(command, str) else " ".join(command)
