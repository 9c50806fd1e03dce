"""A run against an OpenAI-compatible server: what replies become, and what the next prompt says of them."""

import json
from pathlib import Path

import pytest

from skygit.domain.event import Failed, Replied
from skygit.git.journal import open_journal
from skygit.git.repository import open_repository
from skygit.testing.server import WRONG_KEY, Asked, ScriptedServer
from tests.cli.conftest import CONFIG, Call, git

GOOD = """Both constants were far off.

```diff
--- a/knobs.py
+++ b/knobs.py
@@
-A = 3
+A = 100
--- a/engine.py
+++ b/engine.py
@@ def value():
-    return knobs.A * 7 + knobs.B - knobs.C // 3
+    return knobs.A * 7 + knobs.B + knobs.C // 3
```
"""
MALFORMED = "I would rather talk about the weather."
FROZEN = """```diff
--- a/engine.py
+++ b/engine.py
@@ def fixed():
-    return value()
+    return 1000
```
"""
NOOP = """```diff
--- a/knobs.py
+++ b/knobs.py
@@
-B = 40
+B = 40
```
"""

pytestmark = pytest.mark.slow


def configured(repository: Path, address: str, iterations: int) -> None:
    model = {"model": "openai/scripted", "api_base": address, "price": {"input": 1.0, "output": 2.0}}
    llm = f"llm: {{max_iterations: {iterations}, models: [{json.dumps(model)}]}}"
    text = CONFIG.replace("llm: {max_iterations: 12}", llm) + "search: {algorithm: hill_climb}\n"
    (repository / ".skydiscover.yaml").write_text(text)
    git(repository, "commit", "-qam", "models")


def test_replies_become_commits_or_reasons_and_the_next_prompt_says_so(repository: Path, call: Call) -> None:
    script = [MALFORMED, MALFORMED, FROZEN, FROZEN, NOOP, NOOP, GOOD]
    with ScriptedServer(script) as server:
        configured(repository, server.address, 4)
        status, said = call("evolve")
        assert status == 0, said
        prompts = [asked.prompt for asked in server.asked]
    assert "7 model calls" in said and "$0.0" in said
    events = [item.event for item in open_journal(open_repository(repository), "run-1").events()]
    failed = [(event.ticket, event.word) for event in events if isinstance(event, Failed)]
    assert failed == [(1, "empty-diff"), (2, "frozen-region"), (3, "noop")]
    assert "engine.py" in next(event.message for event in events if isinstance(event, Failed) and event.ticket == 2)
    assert len([event for event in events if isinstance(event, Replied)]) == 7
    changed = git(repository, "diff", "--name-only", "main", "skygit/run-1/island-0").split()
    assert changed == ["engine.py", "knobs.py"]
    message = git(repository, "log", "-1", "--format=%B", "skygit/run-1/best")
    assert message.startswith("Both constants were far off.") and "Skygit-Model: openai/scripted" in message
    assert "frozen-region" in prompts[3]  # the repair turn
    assert all(word in prompts[6] for word in ("frozen-region", "noop"))  # the next proposals
    assert call("show", "#2", "--reply")[1].count("return 1000") == 2
    assert "EVOLVE-BLOCK" in call("show", "#4", "--prompt")[1]


def test_a_wrong_key_pauses_the_run_with_the_variables_name(repository: Path, call: Call, monkeypatch) -> None:
    monkeypatch.setenv("SCRIPTED_KEY", "a-very-secret-value")
    with ScriptedServer([WRONG_KEY]) as server:
        configured(repository, server.address, 4)
        text = (repository / ".skydiscover.yaml").read_text()
        named = text.replace('"model": "openai/scripted"', '"model": "openai/scripted", "api_key_env": "SCRIPTED_KEY"')
        (repository / ".skydiscover.yaml").write_text(named)
        status, said = call("evolve")
    assert status == 1 and "SCRIPTED_KEY" in said
    assert "a-very-secret-value" not in said + call("log", "--json")[1]


def test_a_dead_endpoint_is_an_outage_and_the_run_goes_on_later(repository: Path, call: Call) -> None:
    with ScriptedServer([GOOD]) as server:
        configured(repository, server.address, 2)
        address = server.address
    status, said = call("evolve", "--max-time", "3s")
    assert status in (0, 1) and "iterations done" not in said
    with ScriptedServer(_turning) as server:
        text = (repository / ".skydiscover.yaml").read_text()
        (repository / ".skydiscover.yaml").write_text(text.replace(address, server.address))
        status, said = call("evolve")
    assert status == 0 and "going on with run run-1" in said and "2 of 2 iterations done" in said


def _turning(asked: Asked) -> str:
    """Another value each time, so that no reply repeats a tree."""
    old = next(line for line in asked.prompt.splitlines() if line.startswith("A = "))
    return f"```diff\n--- a/knobs.py\n+++ b/knobs.py\n@@\n-{old}\n+A = {asked.number + 10}\n```\n"
