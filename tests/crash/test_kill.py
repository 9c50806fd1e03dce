"""The process is killed at any moment, and nothing is lost.

The real signal, real git, real evaluations in the sandbox; a few kills with a model over HTTP.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from skygit.domain import codec
from skygit.domain.event import Evaluated, Failed, Replied
from skygit.domain.history import replay
from skygit.git.journal import open_journal
from skygit.git.repository import open_repository
from skygit.testing.server import Asked, ScriptedServer

ITERATIONS = 60
PROGRAM = "A = 3\nB = 40\nC = 500\n\n\ndef value():\n    return A * 7 + B - C // 3\n"
SCORE = 'import json, program\nprint(json.dumps({"combined_score": -abs(program.value() - 12345)}))\n'
CONFIG = """\
evaluation: {{command: [{python}, -S, score.py], timeout: 20}}
scope: {{evolvable: [program.py]}}
llm:
  max_iterations: {iterations}
  models: {models}
limits: {{parallel: {parallel}}}
proposals: {{context_tokens: 4000}}
"""


def make(folder: Path, *, parallel: int, models: list[dict[str, object]] | None = None) -> Path:
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM)
    (folder / "score.py").write_text(SCORE)
    text = CONFIG.format(
        python=json.dumps(sys.executable), iterations=ITERATIONS, models=json.dumps(models or []), parallel=parallel
    )
    (folder / ".skydiscover.yaml").write_text(text)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "base"]):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=folder, check=True)
    return folder


def start(folder: Path, cache: Path, run: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "OPENAI_API_KEY": "test-key"}
    command = [sys.executable, "-m", "skygit", "evolve", "--run", run]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def finish(folder: Path, cache: Path, run: str) -> str:
    process = start(folder, cache, run)
    said, _ = process.communicate(timeout=240)
    assert process.returncode == 0, said.decode()
    return said.decode()


def kill_after(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Kill it, the process alone and not its group; whether it was still running."""
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def processes_of(cache: Path) -> list[str]:
    """Command lines of what still runs with a working folder or an argument below the cache."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            where, line = str((entry / "cwd").readlink()), (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if str(cache) in where or str(cache).encode() in line:
            found.append(f"{entry.name} {line!r} in {where}")
    return found


def check_whole(folder: Path, run: str) -> None:
    """The laws of a journal: one closing a ticket, every candidate there, refs whole."""
    repository = open_repository(folder)
    events = [item.event for item in open_journal(repository, run).events()]
    closings = Counter(event.ticket for event in events if isinstance(event, Evaluated | Failed))
    assert not [ticket for ticket, count in closings.items() if count > 1]
    history = replay(events)
    for judged in history.judged.values():
        assert repository.tree_id(judged.candidate.commit) == judged.candidate.tree
    branches = repository.refs.read(f"refs/heads/skygit/{run}")
    best = history.best
    if best is not None:
        assert branches[f"refs/heads/skygit/{run}/best"] == best.candidate.commit
    for island, leader in history.leaders.items():
        assert branches[f"refs/heads/skygit/{run}/island-{island}"] == leader.candidate.commit
    repository.close()


def fsck(folder: Path) -> None:
    done = subprocess.run(["git", "fsck", "--connectivity-only"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def wait_until_quiet(cache: Path) -> None:
    deadline = time.monotonic() + 3
    while processes_of(cache) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not processes_of(cache)


@pytest.mark.slow
def test_killed_at_fifty_random_moments_with_four_in_flight(tmp_path: Path) -> None:
    chance, cache = random.Random(7), tmp_path / "cache"
    folder = make(tmp_path / "repository", parallel=2)
    kills, number = 0, 0
    while kills < 50:
        number += 1
        run = f"run-{number}"
        while kill_after(start(folder, cache, run), chance.uniform(0.3, 1.6)) and kills < 50:
            kills += 1
            wait_until_quiet(cache)
            if (folder / ".git/refs/skygit" / run / "journal").exists():
                check_whole(folder, run)
        finish(folder, cache, run)
        check_whole(folder, run)
    fsck(folder)
    assert not list(cache.rglob("*.lease")), "slots were left"
    for run in range(1, number + 1):
        events = [item.event for item in open_journal(open_repository(folder), f"run-{run}").events()]
        assert replay(events).iterations == ITERATIONS
    assert subprocess.run(["git", "status", "--porcelain"], cwd=folder, capture_output=True).stdout == b""


@pytest.mark.slow
def test_with_one_worker_the_facts_equal_those_of_the_run_that_was_not_killed(tmp_path: Path) -> None:
    chance, cache = random.Random(11), tmp_path / "cache"
    folder = make(tmp_path / "repository", parallel=1)
    finish(folder, cache, "whole")
    for _ in range(10):
        if not kill_after(start(folder, cache, "killed"), chance.uniform(0.4, 2.5)):
            break
        wait_until_quiet(cache)
    finish(folder, cache, "killed")
    repository = open_repository(folder)
    facts = {run: _facts(repository, run) for run in ("whole", "killed")}
    assert facts["whole"] == facts["killed"]


def _facts(repository, run: str) -> list[dict[str, object]]:  # type: ignore[no-untyped-def]
    """All facts, the run's name and what ends a session aside; commits name the run, so they are numbered."""
    told = codec.facts([item.event for item in open_journal(repository, run).events()])
    text = json.dumps([fact for fact in told if fact["type"] not in ("started", "stopped")])
    history = replay(item.event for item in open_journal(repository, run).events())
    for number, judged in enumerate(history.judged.values()):
        text = text.replace(judged.candidate.commit, f"candidate {number}")
    plain: list[dict[str, object]] = json.loads(text)
    return plain


def answer(asked: Asked) -> str:
    """One edit by the prompt; the parent's line is found in it."""
    chance = random.Random(asked.prompt)
    name = chance.choice("ABC")
    line = next(line for line in asked.prompt.splitlines() if line.startswith(f"{name} = "))
    return (
        f"Try another {name}.\n```diff\n--- a/program.py\n+++ b/program.py\n@@\n"
        f"-{line}\n+{name} = {chance.randrange(1, 20000)}\n```\n"
    )


@pytest.mark.slow
def test_no_reply_is_paid_twice_once_received(tmp_path: Path) -> None:
    chance, cache = random.Random(3), tmp_path / "cache"
    with ScriptedServer(answer) as server:
        models: list[dict[str, object]] = [{"model": "openai/scripted", "api_base": server.address}]
        folder = make(tmp_path / "repository", parallel=2, models=models)
        kills = 0
        while kills < 6 and kill_after(start(folder, cache, "http"), chance.uniform(5.0, 7.0)):
            kills += 1
            wait_until_quiet(cache)
        finish(folder, cache, "http")
    check_whole(folder, "http")
    events = [item.event for item in open_journal(open_repository(folder), "http").events()]
    replies = [event for event in events if isinstance(event, Replied)]
    # What was asked twice can only be what was in flight, four at most, when the process was killed.
    assert len(replies) <= len(server.asked) <= len(replies) + 4 * kills
    assert replay(events).iterations == ITERATIONS
