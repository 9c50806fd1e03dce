"""The fold: what a history says follows from its events, and from nothing else."""

from random import Random

import pytest

from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.domain.event import Committed, Evaluated, Event, Failed, Replied, Requested, Seen, Started
from skygit.domain.history import History, replay
from skygit.domain.request import Consult, Proposal, Remeasure


def started() -> Started:
    return Started(schema=1, run="r", base="c0", seed=0, settings={})


def born(number: int, *, parent: str = "c0", island: int = 0, kinds: tuple[str, ...] = ()) -> list[Event]:
    proposal = Proposal(parents=(parent,) if number else (), island=island)
    candidate = Candidate(
        commit=f"c{number}",
        tree=f"t{number}",
        parents=proposal.parents,
        island=island,
        generation=number,
        summary=f"change {number}",
        operator="",
        kinds=kinds,
    )
    return [Requested(ticket=number, request=proposal), Committed(ticket=number, candidate=candidate)]


def judged(number: int, score: float | None) -> Evaluated:
    verdict = Verdict.CRASHED if score is None else Verdict.PASSED
    return Evaluated(ticket=number, commit=f"c{number}", evaluation=Evaluation(verdict=verdict, score=score))


def run(*scores: float | None) -> History:
    events: list[Event] = [started()]
    for number, score in enumerate(scores):
        events += [*born(number), judged(number, score)]
    return replay(events)


def test_a_crash_never_beats_a_valid_negative_score() -> None:
    history = run(-5.0, None, -7.0)
    assert history.best is not None and history.best.ticket == 0
    assert [one.ticket for one in history.ranked()] == [0, 2]


def test_the_earlier_of_equals_leads() -> None:
    history = run(1.0, 2.0, 2.0)
    assert history.best is not None and history.best.ticket == 1
    assert history.ranked()[0].ticket == 1


def test_the_base_is_no_iteration_and_a_consult_neither() -> None:
    history = run(1.0, 2.0)
    history.record(Requested(ticket=2, request=Consult(topic="x", best="c1")))
    assert (history.iterations, history.requested) == (1, 1)
    history.record(Requested(ticket=3, request=Proposal(parents=("c1",))))
    assert (history.iterations, history.requested) == (1, 2)
    history.record(Failed(ticket=3, word="no-match", message="line 3 is not there"))
    assert (history.iterations, history.requested) == (2, 2)
    assert history.outcomes["no-match"] == 1


def test_closings_in_any_order_give_the_same_leaders() -> None:
    scores = {1: 3.0, 2: 9.0, 3: 9.0, 4: None, 5: 4.0}
    requests: list[Event] = [started(), *born(0), judged(0, 1.0)]
    for number in scores:
        requests += born(number, island=number % 2)
    for seed in range(20):
        order = Random(seed).sample(list(scores), len(scores))
        history = replay([*requests, *(judged(number, scores[number]) for number in order)])
        assert history.best is not None and history.best.score == 9.0
        assert {island: leader.score for island, leader in history.leaders.items()} == {0: 9.0, 1: 9.0}
        assert [one.ticket for one in history.ranked()] == [2, 3, 5, 1, 0]


def test_kinds_are_credited_by_gains_over_the_first_parent() -> None:
    events: list[Event] = [started(), *born(0), judged(0, 1.0)]
    for number, score in ((1, 2.0), (2, 0.5), (3, None)):
        events += [*born(number, kinds=("constant", "constant")), judged(number, score)]
    credit = replay(events).credits["constant"]
    assert (credit.tries, credit.gains) == (3, 1)


def test_spending_counts_every_reply_and_names_the_unpriced() -> None:
    history = run(1.0)
    history.record(Requested(ticket=1, request=Proposal(parents=("c0",))))
    for ordinal, cost in ((1, 0.25), (2, None)):
        seen = Seen(cost=cost)
        history.record(Replied(ticket=1, ordinal=ordinal, model="m", digest="d", prompt_tokens=10, seen=seen))
    spent = history.spending
    assert (spent.calls, spent.prompt_tokens, spent.cost, spent.unpriced) == (2, 20, 0.25, 1)
    assert len(history.tickets[1].replies) == 2


def test_a_measurement_repeated_changes_no_leader() -> None:
    history = run(1.0, 2.0)
    history.record(Requested(ticket=2, request=Remeasure(commit="c0")))
    history.record(Evaluated(ticket=2, commit="c0", evaluation=Evaluation(verdict=Verdict.PASSED, score=99.0)))
    assert history.best is not None and history.best.ticket == 1


def test_lineage_runs_down_to_the_base() -> None:
    events: list[Event] = [started(), *born(0), judged(0, 1.0)]
    events += [*born(1), judged(1, 2.0), *born(2, parent="c1"), judged(2, 3.0)]
    assert [one.ticket for one in replay(events).lineage("c2")] == [2, 1, 0]


def test_an_event_of_a_closed_ticket_is_a_bug() -> None:
    history = run(1.0, 2.0)
    with pytest.raises(KeyError):
        history.record(judged(1, 3.0))
