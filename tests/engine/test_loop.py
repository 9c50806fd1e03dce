"""The laws of the loop, in a world that can crash."""

from dataclasses import dataclass
from random import Random

import pytest

from skygit.domain import codec
from skygit.domain.algorithm import Turn
from skygit.domain.event import Evaluated, Failed, Requested, Steered, Stopped
from skygit.domain.history import replay
from skygit.domain.request import Compute, Consult, Proposal, Remeasure, Request
from skygit.domain.ticket import Ticket
from skygit.engine.limits import Limits
from skygit.errors import Conflict, Outage
from skygit.testing.memory import MemoryWorld
from skygit.testing.memory_store import Killed


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """Hill climb with a consult, a compute and a remeasurement now and then."""

    def start(self) -> list[Ticket]:
        return []

    def tell(self, state: list[Ticket], news: Ticket | Steered) -> list[Ticket]:
        return [*state, news] if isinstance(news, Ticket) else state

    def ask(self, state: list[Ticket], turn: Turn) -> list[Request]:
        passed = [ticket.survivor for ticket in state if ticket.survivor is not None]
        best = max(passed, key=lambda judged: (judged.score, -judged.ticket)).candidate.commit
        special: dict[int, Request] = {
            3: Consult(topic="meta_guidance", best=best, failed=(1,)),
            5: Compute(program="print(1)", stdin="in"),
            7: Remeasure(commit=best),
        }
        numbers = range(turn.ticket, turn.ticket + turn.room)
        return [special.get(n, Proposal(parents=(best,), island=turn.rng.randrange(2))) for n in numbers]


def letters(text: bytes) -> float | None:
    """Counts a's; a "c" at the end crashes."""
    return None if text.endswith(b"c") else float(text.count(b"a"))


def reply(prompt: str) -> str:
    return Random(prompt).choice("abc?")


def test_a_run_has_exactly_its_iterations() -> None:
    world = MemoryWorld(score=letters)
    stopped = world.session(Climb(), Limits(iterations=12))
    history = world.history()
    assert stopped.reason == "iterations"
    assert history.iterations == 12
    assert not history.pending
    assert history.best is not None and history.best.score > 1


@pytest.mark.parametrize("replies", [None, reply], ids=["mutation", "model"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_killed_at_any_append_and_resumed_equals_the_run_that_was_not(replies, after: bool) -> None:
    whole = MemoryWorld(score=letters, reply=replies)
    whole.session(Climb(), Limits(iterations=8))
    expected = codec.facts(whole.events())
    for at in range(1, whole.journal.appends + 1):
        world = MemoryWorld(score=letters, reply=replies)
        with world.dying(at=at, after=after), pytest.raises(Killed):
            world.session(Climb(), Limits(iterations=8))
        world.session(Climb(), Limits(iterations=8))
        facts = [fact for fact in codec.facts(world.events()) if fact["type"] != "stopped"]
        assert facts == [fact for fact in expected if fact["type"] != "stopped"], f"killed at append {at}"


def test_no_reply_that_the_journal_holds_is_bought_twice() -> None:
    whole = MemoryWorld(score=letters, reply=reply)
    whole.session(Climb(), Limits(iterations=8))
    for at in range(1, whole.journal.appends + 1):
        world = MemoryWorld(score=letters, reply=reply)
        with world.dying(at=at, after=True), pytest.raises(Killed):
            world.session(Climb(), Limits(iterations=8))
        world.session(Climb(), Limits(iterations=8))
        assert len(world.models.paid) == len(whole.models.paid) == world.history().spending.calls


def test_a_second_session_goes_on_where_the_first_stopped() -> None:
    world = MemoryWorld(score=letters)
    world.session(Climb(), Limits(iterations=5))
    world.session(Climb(), Limits(iterations=12))
    whole = MemoryWorld(score=letters)
    whole.session(Climb(), Limits(iterations=12))
    running = [fact for fact in codec.facts(world.events()) if fact["type"] != "stopped"]
    assert running == [fact for fact in codec.facts(whole.events()) if fact["type"] != "stopped"]


def test_in_parallel_every_ticket_closes_once_and_facts_fold_alike() -> None:
    world = MemoryWorld(score=letters, reply=reply)
    world.session(Climb(), Limits(iterations=40, models=4, evaluations=4))
    history = world.history()
    closings = [event.ticket for event in world.events() if isinstance(event, Evaluated | Failed)]
    assert history.iterations == 40
    assert len(closings) == len(set(closings))
    assert replay(world.events()).ranked() == history.ranked()


def test_a_tree_judged_before_is_not_judged_again() -> None:
    world = MemoryWorld(score=lambda text: 0.0)
    world.session(Climb(), Limits(iterations=20))
    cached = [event for event in world.events() if isinstance(event, Evaluated) and event.cached]
    trees = [world.repository.tree_id(commit) for commit in world.executor.judged if commit]
    assert cached
    remeasured = 1
    assert len(trees) - remeasured == len(set(trees))


def test_branches_name_the_leaders() -> None:
    world = MemoryWorld(score=letters)
    world.session(Climb(), Limits(iterations=15))
    history = world.history()
    assert history.best is not None
    assert world.journal.refs["best"] == history.best.candidate.commit
    for island, leader in history.leaders.items():
        assert world.journal.refs[f"island-{island}"] == leader.candidate.commit


def test_a_base_that_fails_ends_the_run_with_its_reason() -> None:
    stopped = MemoryWorld(score=lambda text: None).session(Climb(), Limits(iterations=5))
    assert stopped.reason == "base"
    assert "it crashed" in stopped.message


def test_an_outage_leaves_the_ticket_open_and_pauses() -> None:
    world = MemoryWorld(score=letters, reply=reply)

    def fail(prompt: str) -> str:
        raise Outage("the endpoint does not answer")

    world.models.reply = fail
    stopped = world.session(Climb(), Limits(iterations=5))
    assert (stopped.reason, stopped.message) == ("outage", "the endpoint does not answer")
    assert list(world.history().pending) == [1]
    world.models.reply = reply
    assert world.session(Climb(), Limits(iterations=5)).reason == "iterations"


def test_a_bug_in_a_worker_is_raised() -> None:
    world = MemoryWorld(score=lambda text: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        world.session(Climb(), Limits(iterations=5))


def test_a_conflict_is_raised_at_once() -> None:
    world = MemoryWorld(score=letters)
    loop = world.loop(Climb(), Limits(iterations=5))

    def contested(*args: object, **more: object) -> str:
        raise Conflict("someone else wrote")

    world.journal.__class__ = type("Contested", (type(world.journal),), {"__slots__": (), "append": contested})
    with pytest.raises(Conflict):
        loop.run()


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(iterations=50, budget_usd=0.05), "budget"),
        (Limits(iterations=50, model_calls=7), "model-calls"),
        (Limits(iterations=50, target=3.0), "target"),
        (Limits(iterations=50, seconds=0.05), "time"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_limits_end_a_session_and_what_was_paid_is_judged(limits: Limits, reason: str) -> None:
    world = MemoryWorld(score=letters, reply=reply)
    assert world.session(Climb(), limits).reason == reason
    assert world.models.ceased
    history = world.history()
    assert history.iterations < 50
    if reason != "time":
        assert all(ticket.candidate is None for ticket in history.pending.values())


def test_no_call_is_bought_below_the_disk_reserve() -> None:
    world = MemoryWorld(score=letters, reply=reply)
    world.free_mb = 10
    assert world.session(Climb(), Limits(iterations=5)).reason == "disk"
    assert not world.models.paid


def test_an_unpriced_call_does_not_count_as_free() -> None:
    world = MemoryWorld(score=letters, reply=reply)
    world.models.cost = None
    world.session(Climb(), Limits(iterations=5, budget_usd=1.0))
    assert world.history().spending.unpriced == world.history().spending.calls > 0


def test_stop_keeps_a_reply_that_is_being_paid() -> None:
    world = MemoryWorld(score=letters, reply=reply)
    loop = world.loop(Climb(), Limits(iterations=50))
    asked = 0

    def stopping(prompt: str) -> str:
        nonlocal asked
        asked += 1
        if asked == 4:
            loop.stop("interrupted", "stopped by hand")
        return reply(prompt)

    world.models.reply = stopping
    assert loop.run().reason == "interrupted"
    assert world.history().spending.calls == 4


def test_a_faulty_observer_costs_nothing_but_a_warning() -> None:
    def broken(item: object, history: object) -> None:
        raise RuntimeError("no")

    world = MemoryWorld(score=letters)
    with pytest.warns(RuntimeWarning, match="observer"):
        stopped = world.session(Climb(), Limits(iterations=3), broken)
    assert isinstance(stopped, Stopped) and stopped.reason == "iterations"


def test_requests_are_seen_before_their_effects() -> None:
    """The proposer never runs for a ticket that the journal does not hold."""
    world = MemoryWorld(score=letters, reply=reply)
    seen: list[tuple[str, int]] = []

    def told(prompt: str) -> str:
        seen.append((prompt, max(e.ticket for e in world.events() if isinstance(e, Requested))))
        return reply(prompt)

    world.models.reply = told
    world.session(Climb(), Limits(iterations=6))
    tickets = [(int(prompt.split()[1]), newest) for prompt, newest in seen if prompt.startswith("ticket")]
    assert tickets and all(ticket <= newest for ticket, newest in tickets)
