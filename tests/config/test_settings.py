"""`.skydiscover.yaml` -> Settings: every key of the layout, and every mistake named."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skygit.config import load, parse, restore
from skygit.config.duration import seconds
from skygit.domain.scope import Scope
from skygit.errors import ConfigError

LEAST = "evaluation: {command: python bench.py}\n"

SEED = """\
llm:
  models:
    - model: "openai/gpt-5"
      weight: 0.4
    - name: "gemini/gemini-3-pro"
      weight: 0.3
  system_prompt: "You are an expert algorithm designer..."
  max_iterations: 500
prompt:
  system_message: |
    Generate a function.
search:
  algorithm: "adaevolve"
  rho: 0.9
  I_min: 0.1
  I_max: 0.7
  C: 1.414
  meta_guidance_threshold: 0.12
  spawn_threshold: 0.02
  tactic_window: 20
  database:
    log_prompts: true
evaluation: {python: evaluator.py, program: initial_program.py}
"""

WHOLE = """\
problem: Make it faster.
llm:
  models:
    - model: openai/gpt-5
      weight: 1
      api_base: http://localhost:8000/v1
      api_key_env: MY_KEY
      temperature: 1
      max_tokens: 8192
      timeout: 10m
      context_tokens: 128000
      price: {input: 1.25, output: 10}
      format: search_replace
      params: {reasoning_effort: low}
  guide_model: openai/gpt-5
scope: {evolvable: ["src/**"], protected: [a], new_files: [b], allow_delete: true, allow_rename: true,
  allow_mode_change: true, max_files: 3, max_change_bytes: 100}
evaluation:
  command: [python, bench/eval.py]
  score: {source: regex, pattern: "time: ([0-9.]+)", direction: min}
  stages:
    - {name: gate, command: "python -m pytest -q", timeout: 120}
  timeout: 60
  repeats: 3
  memory_mb: 100
  output_kb: 10
  env: {OMP_NUM_THREADS: 1, MODE: fast}
  pass_env: [LD_LIBRARY_PATH]
  sandbox: bare
  include: ["data/*.csv"]
proposals: {repairs: 2, context_tokens: 9000, templates: mine/}
limits: {parallel: 4, evaluations: 2, budget_usd: 5, max_time: 2h, max_model_calls: 1000, target: -2.63,
  disk_reserve_mb: 1}
seed: 7
"""


def test_the_keys_of_the_seeds_are_read_as_they_stand() -> None:
    found = parse(SEED, "f")
    assert [model.model for model in found.llm.models] == ["openai/gpt-5", "gemini/gemini-3-pro"]
    assert found.search.options["I_max"] == 0.7
    assert len(found.search.options) == 7
    assert found.problem == "Generate a function."
    assert (found.proposer, found.evaluation.source, found.evaluation.direction) == ("llm", "result", "max")
    assert found.scope.evolvable == ("/initial_program.py",)
    assert found.notes == ()


def test_every_key_of_the_layout_arrives() -> None:
    found = parse(WHOLE, "f")
    model = found.llm.models[0]
    assert (model.timeout, model.price and model.price.output, model.format) == (600.0, 10.0, "search_replace")
    assert model.params == {"reasoning_effort": "low"}
    assert found.scope == Scope(
        evolvable=("src/**",),
        protected=("a",),
        new_files=("b",),
        allow_delete=True,
        allow_rename=True,
        allow_mode_change=True,
        max_files=3,
        max_change_bytes=100,
    )
    assert found.evaluation.argv == ("python", "bench/eval.py")
    assert found.evaluation.stages[0].argv == ("/bin/sh", "-c", "python -m pytest -q")
    assert found.evaluation.environment == {"OMP_NUM_THREADS": "1", "MODE": "fast"}
    assert found.evaluation.named_files == ("bench/eval.py",)
    assert (found.limits.max_time, found.limits.target, found.limits.evaluations_in_flight) == (7200.0, -2.63, 2)
    assert (found.proposals.repairs, found.proposals.context_tokens, found.seed) == (2, 9000, 7)


def test_only_a_measure_is_needed() -> None:
    found = parse(LEAST, "f")
    assert (found.proposer, found.search.algorithm, found.seed) == ("mutate", "adaevolve", 0)
    assert (found.evaluation.source, found.evaluation.direction) == ("json", "max")
    assert found.limits.evaluations_in_flight == 1
    assert "no file may change" in found.notes[0]


@pytest.mark.parametrize("source", ["wall", "cpu"])
def test_measured_time_is_better_when_less(source: str) -> None:
    found = parse(f"evaluation: {{command: x, score: {{source: {source}}}}}", "f")
    assert found.evaluation.direction == "min"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 0, "the set-up is empty"),
        ("- a", 1, "expected sections"),
        ("seed: 1", 1, "`evaluation:` is missing"),
        ("evaluation:\n", 1, "`evaluation:` is missing"),
        ("evaluation: {}", 1, "neither"),
        ("evaluation: {command: a, python: b.py}", 1, "both"),
        ("evaluation:\n  comand: x", 2, "evaluation.comand: unknown key; did you mean `command`?"),
        (LEAST + "limit: {}", 2, "did you mean `limits`?"),
        (LEAST + "limits:\n  parallel: 0", 3, "limits.parallel: expected a whole number >= 1"),
        (LEAST + "limits:\n  budget_usd: 0", 3, "expected a number > 0"),
        (LEAST + "limits:\n  max_time: 2 fortnights", 3, "a duration above zero"),
        (LEAST + "limits: {target: high}", 2, "limits.target: expected a number, got text"),
        (LEAST + "llm:\n  models:\n    - model: a\n      weight: 0", 5, "llm.models[0].weight"),
        (LEAST + "llm:\n  models:\n    - weight: 1", 4, "`model` is missing"),
        (LEAST + "llm:\n  models:\n    - {model: a, format: dif}", 4, "did you mean `diff`?"),
        (LEAST + "llm:\n  models: a", 3, "expected a list, got text"),
        (LEAST + "llm:\n  models: [{model: gpt-5}]\n  guide_model: gpt-6", 4, "did you mean `gpt-5`?"),
        (LEAST + "llm:\n  max_iterations: 1.5", 3, "expected a whole number"),
        (LEAST + "llm: {models: [{model: a, temperature: .nan}]}", 2, "NaN"),
        (LEAST + "scope:\n  evolvable:\n    - src/**\n    - ../x", 5, "stay inside"),
        (LEAST + "scope:\n  evolvable: ['!a']", 3, "`protected:`"),
        (LEAST + "scope: {evolvable: src}", 2, "expected a list"),
        (LEAST + "scope: {max_files: 0}", 2, ">= 1"),
        (LEAST + "scope: {allow_delete: maybe}", 2, "expected true or false, got text"),
        ("evaluation:\n  command: x\n  score:\n    source: regex", 4, "go together"),
        ("evaluation:\n  command: x\n  score: {source: regex, pattern: abc}", 3, "needs a group"),
        ("evaluation:\n  command: x\n  score: {source: regex, pattern: '('}", 3, "no regular expression"),
        ("evaluation:\n  python: e.py\n  score: {source: metric}", 3, "evaluate() returns"),
        ("evaluation:\n  python: /tmp/e.py", 2, "inside the repository"),
        ("evaluation: {command: x, stages: [{name: a, command: b}, {name: a, command: c}]}", 1, "already called"),
        ("evaluation: {command: x, pass_env: ['A B']}", 1, "no name of a variable"),
        ("evaluation: {command: x, env: {A: true}}", 1, "got true or false"),
        (LEAST + "search:\n  algorithm: adaevolv", 3, "did you mean `adaevolve`?"),
        (LEAST + "search:\n  tactic_windo: 3", 3, "did you mean `tactic_window`?"),
        (LEAST + "search:\n  rho: high", 3, "search.rho"),
        (LEAST + "search:\n  database: {log_prompt: true}", 3, "did you mean `log_prompts`?"),
        (LEAST + "proposals:\n  proposer: mutat", 3, "did you mean `mutate`?"),
        (LEAST + "proposals:\n  repairs: 3", 3, "<= 2"),
        ("evaluation:\n  command: x\n  sandbox: higiene", 3, "did you mean `hygiene`?"),
        (LEAST + "seed: true", 2, "expected a whole number"),
        (LEAST + "prompt: {sytem_message: x}", 2, "did you mean `system_message`?"),
    ],
)
def test_a_mistake_is_named_with_file_line_and_what_would_be_right(text: str, line: int, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, ".skydiscover.yaml")
    message = str(caught.value)
    assert message.startswith(f".skydiscover.yaml:{line}: " if line else ".skydiscover.yaml: ")
    assert words in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "model",
    [
        "{model: a, api_key: sk-secret-1}",
        "{model: a, api_key_env: sk-secret-1}",
        "{model: a, api_base: 'https://me:sk-secret-1@host/v1'}",
        "{model: a, params: {api_key: sk-secret-1}}",
        "{model: a, params: {extra_headers: {Authorization: Bearer sk-secret-1}}}",
        "{model: a, api_key: sk-secret-1, weight: x}",
        "{model: a, api_key: sk-secret-1, weight: [}",
    ],
)
def test_a_key_is_refused_and_never_repeated(model: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(LEAST + f"llm:\n  models:\n    - {model}\n", "f")
    assert "sk-secret" not in str(caught.value)
    assert "f:4" in str(caught.value) or "no YAML" in str(caught.value)


def test_an_option_of_another_algorithm_is_a_note() -> None:
    found = parse(LEAST + "search:\n  algorithm: topk\n  rho: 0.9\n", "f")
    assert found.search.options == {}
    note = next(note for note in found.notes if "rho" in note)
    assert note.startswith("f:4: ")
    assert "adaevolve" in note


def test_what_the_algorithm_itself_refuses_is_a_mistake_of_the_file() -> None:
    with pytest.raises(ConfigError, match=r"^f:\d: search"):
        parse(LEAST + "search:\n  I_min: 0.9\n  I_max: 0.1\n", "f")


def test_empty_keys_mean_their_defaults() -> None:
    assert parse(LEAST + "llm:\n  models:\nlimits:\nscope:\n  protected:\n", "f").law() == parse(LEAST, "f").law()


def test_the_journal_gives_the_settings_back() -> None:
    for text in (SEED, WHOLE, LEAST):
        found = parse(text, "f")
        again = restore(json.loads(json.dumps(found.raw)))
        assert (again.law(), again.changeable()) == (found.law(), found.changeable())


def test_law_and_changeable_tell_the_two_kinds_of_keys_apart() -> None:
    found = parse(WHOLE, "f")
    law_changed = parse(WHOLE.replace("seed: 7", "seed: 8"), "f")
    limit_changed = parse(WHOLE.replace("parallel: 4", "parallel: 5"), "f")
    assert found.law() != law_changed.law()
    assert found.changeable() == law_changed.changeable()
    assert found.law() == limit_changed.law()
    assert found.changeable() != limit_changed.changeable()


def test_a_default_written_out_changes_no_law() -> None:
    assert parse(LEAST + "seed: 0\nscope: {max_files: 20}\nsearch: {database: {log_prompts: true}}", "f").law() == (
        parse(LEAST, "f").law()
    )


def test_overrides_are_checked_and_recorded() -> None:
    found = parse(LEAST, "f", {"search.algorithm": "topk", "llm.models": [{"model": "a"}], "limits.max_time": "1h"})
    assert (found.search.algorithm, found.proposer, found.limits.max_time) == ("topk", "llm", 3600.0)
    assert found.raw["search"] == {"algorithm": "topk"}
    with pytest.raises(ConfigError, match=r"command line: search.algorithm: no plugin"):
        parse(LEAST, "f", {"search.algorithm": "nothing"})


def test_a_file_is_loaded_and_a_missing_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / ".skydiscover.yaml"
    with pytest.raises(ConfigError, match="skygit init"):
        load(path)
    path.write_text(LEAST, encoding="utf-8")
    assert load(path).evaluation.command == "python bench.py"
    path.write_bytes(b"problem: \xff\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(path)


def test_an_algorithm_beside_the_set_up_is_found_and_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Mine:\n    width: int = 3\n",
        encoding="utf-8",
    )
    path = tmp_path / ".skydiscover.yaml"
    path.write_text(LEAST + "search: {algorithm: 'mine.py:Mine', width: 4}\n", encoding="utf-8")
    assert load(path).search.options == {"width": 4}
    assert sorted(file.name for file in tmp_path.iterdir()) == [".skydiscover.yaml", "mine.py"]
    path.write_text(LEAST + "search: {algorithm: 'mine.py:Mine', widht: 4}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="did you mean `width`"):
        load(path)


@given(st.sampled_from(["llm", "search", "scope", "evaluation", "limits", "proposals"]), st.text("qxz", min_size=4))
def test_no_unknown_key_is_ever_ignored(section: str, key: str) -> None:
    inner = "command: x, " if section == "evaluation" else ""
    text = f"{section}: {{{inner}{key}: 1}}\n" + (LEAST if section != "evaluation" else "")
    with pytest.raises(ConfigError, match=rf"^f:1: {section}\.{key}: unknown"):
        parse(text, "f")


@pytest.mark.parametrize(
    ("written", "value"),
    [(90, 90), (1.5, 1.5), ("90", 90), ("90s", 90), ("15m", 900), ("2h", 7200), ("1h30m", 5400), ("250ms", 0.25)],
)
def test_durations(written: object, value: float) -> None:
    assert seconds(written) == value


@pytest.mark.parametrize("written", [0, -1, True, None, "", "x", "1w", "1h 30m", "m", "-5s", "nan", float("nan")])
def test_what_is_no_duration(written: object) -> None:
    with pytest.raises(ValueError, match="duration"):
        seconds(written)
