"""Where the number comes from."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skygit.evaluators.numbers import last_object
from skygit.evaluators.score import Reading, ScoreRule
from skygit.ports import Finished


def read(rule: ScoreRule, stdout: str = "", **more) -> Reading:
    return rule.read(Finished(status=0, stdout=stdout.encode(), **more))


def test_json_is_the_last_object_on_stdout() -> None:
    printed = (
        'log {not json}\n{"combined_score": 1}\n{\n "combined_score": 2, "parts": [\n  {"combined_score": 9}\n]}\ndone'
    )
    found = read(ScoreRule(), printed)
    assert (found.score, found.metrics) == (2.0, {"combined_score": 2.0})


def test_another_key_and_less_is_better() -> None:
    found = read(ScoreRule(key="seconds", direction="min"), '{"seconds": 1.5, "n": 3, "ok": true, "who": "me"}')
    assert (found.score, found.metrics) == (-1.5, {"seconds": 1.5, "n": 3.0})


def test_nothing_is_negative_zero() -> None:
    for direction in ("min", "max"):
        for text in ("0", "-0.0"):
            score = read(ScoreRule(direction=direction), f'{{"combined_score": {text}}}').score
            assert score == 0 and math.copysign(1, score) == 1


def test_a_single_number_needs_no_name_but_two_do() -> None:
    assert read(ScoreRule(), '{"anything": 4}').score == 4.0
    ambiguous = read(ScoreRule(), '{"a": 4, "b": 5}')
    assert ambiguous.score is None
    assert "a, b" in ambiguous.fault
    assert read(ScoreRule(key="named"), '{"anything": 4}').score is None


def test_metrics_may_be_nested_and_artifacts_are_kept() -> None:
    result = {"metrics": {"combined_score": 0.5, "speed": 2}, "artifacts": {"log": "text"}}
    found = ScoreRule(source="result").read(Finished(status=0, result=json.dumps(result)))
    assert (found.score, found.metrics, found.artifacts) == (
        0.5,
        {"combined_score": 0.5, "speed": 2.0},
        {"log": "text"},
    )


def test_an_evaluator_that_says_error_gives_no_score() -> None:
    found = read(ScoreRule(), '{"combined_score": 0.0, "error": "program raised ValueError"}')
    assert found.score is None
    assert "program raised ValueError" in found.fault
    assert read(ScoreRule(), '{"combined_score": 1.0, "error": 0.25}').metrics["error"] == 0.25
    assert read(ScoreRule(), '{"combined_score": 1.0, "error": ""}').score == 1.0


def test_metric_lines() -> None:
    found = read(
        ScoreRule(source="metric", key="time", direction="min"), "METRIC time=3\nMETRIC time=2.5\nMETRIC mem=7\n"
    )
    assert (found.score, found.metrics) == (-2.5, {"time": 2.5, "mem": 7.0})
    assert "METRIC" in read(ScoreRule(source="metric"), "time=3").fault


def test_regex_takes_the_last_match_also_on_stderr() -> None:
    rule = ScoreRule(source="regex", pattern=r"time: ([0-9.]+)", direction="min")
    assert read(rule, "time: 1\ntime: 2.5\n").score == -2.5
    assert read(rule, "", stderr=b"time: 4").score == -4.0
    assert "matches" in read(rule, "no").fault
    assert read(ScoreRule(source="regex", pattern=r"(\w+) ms"), "many ms").score is None


def test_measured_time_is_less_is_better() -> None:
    assert read(ScoreRule(source="wall"), wall=2.0).score == -2.0
    assert read(ScoreRule(source="cpu", direction="max"), cpu=3.0).score == 3.0


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "true", "null", '"3"', "[3]", "{}"])
def test_what_is_no_finite_number_is_no_score(value: str) -> None:
    found = read(ScoreRule(), f'{{"combined_score": {value}, "other": 1}}')
    assert found.score is None
    assert "combined_score" in found.fault


def test_a_number_too_large_is_no_score() -> None:
    assert read(ScoreRule(), '{"combined_score": 1' + "0" * 400 + "}").score is None


@given(st.text(max_size=300), st.dictionaries(st.text(max_size=5), st.floats(allow_nan=False), min_size=1, max_size=4))
def test_an_object_after_any_text_is_found(before: str, value: dict[str, float]) -> None:
    text = json.dumps(value)
    found = last_object(before.replace("{", "(").replace("}", ")") + "\n" + text + "\n")
    assert found == text


@given(st.text(alphabet='{}[]":,1a\\ \n', max_size=400))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for source in ("json", "metric", "result"):
        reading = ScoreRule(source=source).read(Finished(status=0, stdout=text.encode(), result=text))
        assert (reading.score is None) == bool(reading.fault)


def test_deep_nesting_is_no_error() -> None:
    deep = '{"a":' * 20_000
    assert read(ScoreRule(), deep).score is None
    assert read(ScoreRule(), deep + '\n{"combined_score": 2}').score == 2.0
