"""How a session ends when something is in flight, and what may never end a run for good."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, nan

import pytest

from skygit.domain import codec
from skygit.domain.brief import Reply, Sketch
from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.domain.draft import Change, Draft
from skygit.domain.event import Computed, Evaluated, Replied, Stopped
from skygit.domain.request import Proposal
from skygit.engine.limits import Limits
from skygit.engine.loop import Loop
from skygit.engine.message import compose
from skygit.plugins import build
from skygit.ports import Command, Finished, Judgement
from skygit.testing.memory import MemoryWorld
from skygit.testing.memory_ports import EchoSandbox
from tests.engine.test_loop import Climb, letters, reply


def test_a_computation_that_is_killed_by_a_stop_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    world = MemoryWorld(score=letters)
    loop: Loop

    def killed(self: EchoSandbox, command: Command) -> Finished:
        loop.stop("interrupted", "by hand")
        return Finished(status=-9, fault="sandbox: closed")

    with monkeypatch.context() as patch:
        patch.setattr(EchoSandbox, "run", killed)
        loop = world.loop(Climb(), Limits(iterations=8))
        assert loop.run().reason == "interrupted"
    world.session(Climb(), Limits(iterations=8))
    assert [event.error for event in world.events() if isinstance(event, Computed)] == [""]


@dataclass(slots=True)
class Failing:
    """A judge with a bug; it shows only once a reply is being paid."""

    inner: Callable[[Candidate], Judgement]
    begun: threading.Event = field(default_factory=threading.Event)
    calls: int = 0

    def __call__(self, candidate: Candidate) -> Judgement:
        self.calls += 1
        if self.calls > 2:
            self.begun.wait(5)
            raise ZeroDivisionError("a bug")
        return self.inner(candidate)


def test_a_bug_loses_no_reply_that_is_being_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    world = MemoryWorld(score=letters, reply=reply)
    failing = Failing(inner=world.executor.judge)
    monkeypatch.setattr(type(world.executor), "judge", lambda self, candidate: failing(candidate))

    def slow(prompt: str) -> str:
        if failing.calls > 2:
            failing.begun.set()
            threading.Event().wait(0.05)
        return reply(prompt)

    world.models.reply = slow
    with pytest.raises(ZeroDivisionError):
        world.session(Climb(), Limits(iterations=30, models=3, evaluations=2))
    replied = [event for event in world.events() if isinstance(event, Replied)]
    assert len(replied) == len(world.models.paid)
    last = world.events()[-1]
    assert isinstance(last, Stopped) and last.reason == "bug"


@pytest.mark.parametrize("score", [inf, -inf, nan])
def test_a_number_that_is_not_finite_is_a_verdict_whoever_measured_it(score: float, monkeypatch) -> None:
    world = MemoryWorld(score=letters)
    honest = world.executor.judge
    wild = Evaluation(verdict=Verdict.PASSED, score=score, metrics={"m": score, "n": 1.0}, samples=(score, 1.0))

    def judge(self: object, candidate: Candidate) -> Judgement:
        return Judgement(evaluation=wild) if candidate.parents else honest(candidate)

    monkeypatch.setattr(type(world.executor), "judge", judge)
    world.session(Climb(), Limits(iterations=2))
    events = codec.decode(codec.encode(world.events()))
    found = [event.evaluation for event in events if isinstance(event, Evaluated) and event.ticket == 1]
    assert [(one.verdict, one.score, one.metrics, one.samples) for one in found] == [
        (Verdict.INVALID, None, {"n": 1.0}, (1.0,))
    ]
    assert world.history().best == world.history().base


def test_a_reply_with_a_nul_gives_a_message_that_git_can_keep() -> None:
    draft = Draft(changes=(Change(path="a", content=b"1"),))
    sketch = Sketch(draft=draft, summary="one\0two", body="why\0not")
    message = compose("r", 1, Proposal(parents=("p",)), sketch, [Reply(text="", model="m\0")])
    assert "\0" not in message
    assert message.startswith("onetwo\n\nwhynot\n")


@pytest.mark.parametrize("options", [{}, {"signal": "paper", "bandit": "paper"}], ids=["default", "paper"])
def test_scores_as_large_as_numbers_go_do_not_end_a_run(options: dict[str, str]) -> None:
    """A fold that fails would fail again in every later session."""
    values = [1.0, 1e308, -1e308, 1.7e308, 2.0, -1.7e308]
    numbers: dict[bytes, int] = {}
    world = MemoryWorld(score=lambda text: values[numbers.setdefault(text, len(numbers)) % len(values)])
    algorithm = build("algorithms", "adaevolve", options, "a test")
    assert world.session(algorithm, Limits(iterations=40)).reason == "iterations"
    assert world.session(algorithm, Limits(iterations=50)).reason == "iterations"
