"""Where the number comes from, and which way is better."""

import re
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from skygit.evaluators.numbers import as_number, json_of, last_object, numbers_of
from skygit.ports import Finished

Source = Literal["result", "json", "metric", "regex", "wall", "cpu"]
Direction = Literal["max", "min"]

_DEFAULT_KEY: Final = "combined_score"
_METRIC: Final = re.compile(r"^\s*METRIC\s+([^\s=]+)\s*=\s*(\S+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a rule found. `score` is maximised; `fault` says why there is none."""

    score: float | None = None
    metrics: dict[str, float] = field(default_factory=dict)
    artifacts: dict[str, Any] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRule:
    """`source` result: JSON on the result channel; json: the last JSON object on stdout; metric:
    `METRIC name=value` lines; regex: group 1 of the last match; wall, cpu: seconds.

    With `direction` min the number is negated into the score; metrics keep it as it is.
    None: less is better for wall and cpu, more for the rest.
    """

    source: Source = "json"
    key: str = _DEFAULT_KEY
    pattern: str = ""
    direction: Direction | None = None

    @property
    def channel(self) -> bool:
        """Whether the result channel is to be opened."""
        return self.source == "result"

    def read(self, finished: Finished) -> Reading:
        """The score of a command that ended well."""
        match self.source:
            case "result":
                return self._from_json(finished.result, "no result was reported")
            case "json":
                return self._from_json(last_object(_text(finished.stdout)), "no JSON object on stdout")
            case "metric":
                return self._from_metrics(_text(finished.stdout))
            case "regex":
                return self._from_match(finished)
            case "wall":
                return self._judged("wall", finished.wall, {}, {})
            case "cpu":
                return self._judged("cpu", finished.cpu, {}, {})

    def _from_json(self, text: str, missing: str) -> Reading:
        if not text:
            return Reading(fault=missing)
        found = json_of(text)
        if not isinstance(found, dict):
            return self._judged(self.key, found, {}, {})
        inner = found.get("metrics")
        flat = {**inner, **found} if isinstance(inner, dict) else found
        artifacts = found.get("artifacts")
        papers = artifacts if isinstance(artifacts, dict) else {}
        metrics = numbers_of(flat)
        error = flat.get("error")
        if isinstance(error, str) and error.strip():
            return Reading(metrics=metrics, artifacts=papers, fault=f"the evaluator says: {error.strip()}")
        return self._chosen(flat, metrics, papers)

    def _chosen(self, flat: dict[str, Any], metrics: dict[str, float], artifacts: dict[str, Any]) -> Reading:
        if self.key in flat:
            return self._judged(self.key, flat[self.key], metrics, artifacts)
        numeric = [name for name, value in flat.items() if as_number(value) is not None]
        if self.key == _DEFAULT_KEY and len(numeric) == 1:
            return self._judged(numeric[0], flat[numeric[0]], metrics, artifacts)
        seen = ", ".join(sorted(flat)[:8]) or "none"
        return Reading(metrics=metrics, artifacts=artifacts, fault=f"no `{self.key}` in the result; its keys: {seen}")

    def _from_metrics(self, text: str) -> Reading:
        found = dict(_METRIC.findall(text))
        if not found:
            return Reading(fault="no line `METRIC name=value` on stdout")
        values = {name: _parsed(value) for name, value in found.items()}
        return self._chosen(values, numbers_of(values), {})

    def _from_match(self, finished: Finished) -> Reading:
        for data in (finished.stdout, finished.stderr):
            matches = list(re.finditer(self.pattern, _text(data), re.MULTILINE))
            if matches:
                last = matches[-1]
                return self._judged("value", _parsed(last[1] if last.re.groups else last[0]), {}, {})
        return Reading(fault=f"nothing in the output matches {self.pattern!r}")

    def _judged(self, name: str, value: Any, metrics: dict[str, float], artifacts: dict[str, Any]) -> Reading:
        number = as_number(value)
        if number is None or number - number != 0:
            shown = f"`{name}` is {value!r:.80}, not a finite number"
            return Reading(metrics=metrics, artifacts=artifacts, fault=shown)
        lower_is_better = (self.direction or ("min" if self.source in {"wall", "cpu"} else "max")) == "min"
        score = 0.0 - number if lower_is_better else number + 0.0
        return Reading(score=score, metrics={**metrics, name: number}, artifacts=artifacts)


def _parsed(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
