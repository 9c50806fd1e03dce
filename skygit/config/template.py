"""The text of a new set-up: a template filled with what was found and answered."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from skygit.config.measure import Measure
from skygit.domain.value import Value

_HERE: Final = Path(__file__).parent.parent
_FOLDERS: Final = (_HERE / "_templates" / "init", _HERE.parent / "templates" / "init")
_MODEL_EXAMPLE: Final = """\
  # models:
  #   - model: openai/gpt-5          # the key is read from OPENAI_API_KEY
  #     weight: 0.6
  #   - model: ollama/qwen2.5-coder:32b
  #     weight: 0.4
  #     api_base: http://localhost:11434"""


class Plan(Value, frozen=True, kw_only=True):
    """What the new set-up shall say. `program` is the path given to `evaluate()`; `gates` are shell lines."""

    measure: Measure
    evolvable: tuple[str, ...]
    protected: tuple[str, ...] = ()
    gates: tuple[str, ...] = ()
    program: str = "."
    problem: str = ""
    models: tuple[str, ...] = ()


def set_up(plan: Plan) -> str:
    """The text of `.skydiscover.yaml`."""
    return _filled(
        "skydiscover.yaml",
        {
            "problem": _indented(plan.problem or "Make this code better, by the measure below.", 2),
            "models": _models(plan.models),
            "evolvable": _listed(plan.evolvable),
            "protected": _listed(plan.protected),
            "measure": _measure(plan),
            "stages": _stages(plan.gates),
        },
    )


def evaluator(workload: str) -> str:
    """The text of an evaluator that times a shell line, for want of a better measure."""
    return _filled("evaluator.py.template", {"workload": json.dumps(workload, ensure_ascii=False)})


def _filled(name: str, words: Mapping[str, str]) -> str:
    folder = next(folder for folder in _FOLDERS if (folder / name).exists())
    text = (folder / name).read_text(encoding="utf-8")
    for key, value in words.items():
        text = text.replace("{{" + key + "}}", value)
    return text


def _listed(globs: Sequence[str]) -> str:
    return "\n".join(f"    - {_quoted(glob)}" for glob in globs) or "    []"


def _models(names: Sequence[str]) -> str:
    if not names:
        return _MODEL_EXAMPLE
    return "\n".join(("  models:", *(f"    - model: {_quoted(name)}" for name in names)))


def _measure(plan: Plan) -> str:
    found = plan.measure
    if found.python:
        return (
            f"  python: {_quoted(found.python)}\n  program: {_quoted(plan.program)}      # the path given to evaluate()"
        )
    lines = [f"  command: {_quoted(found.command)}", "  score:", f"    source: {found.source or 'json'}{_hint(found)}"]
    if found.key:
        lines.append(f"    key: {_quoted(found.key)}")
    if found.direction:
        lines.append(f"    direction: {found.direction}")
    return "\n".join(lines)


def _hint(found: Measure) -> str:
    """What the guess rests on, so that a wrong one is seen."""
    match found.source:
        case "metric":
            return "         # METRIC name=value lines on stdout"
        case "wall":
            return "           # the time it takes; json: the last JSON object on stdout; metric; regex"
        case _:
            return "           # the last JSON object on stdout"


def _stages(gates: Sequence[str]) -> str:
    if not gates:
        return "  # stages:\n  #   - {name: tests, command: python -m pytest -q, timeout: 120}"
    names = [f"gate-{number}" if number else "tests" for number in range(len(gates))]
    entries = (
        f"    - name: {name}\n      command: {_quoted(gate)}\n      timeout: 120"
        for name, gate in zip(names, gates, strict=True)
    )
    return "\n".join(("  stages:", *entries))


def _indented(text: str, spaces: int) -> str:
    return "\n".join(" " * spaces + line for line in text.strip().splitlines())


def _quoted(text: str) -> str:
    """A double-quoted scalar: what JSON escapes, YAML reads alike."""
    return json.dumps(text, ensure_ascii=False)
