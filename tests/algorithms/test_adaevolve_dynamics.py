"""How AdaEvolve moves: what decays, who is visited, when it intervenes."""

import pickle
from collections import Counter
from random import Random
from time import process_time

import pytest
from msgspec.structs import replace

from skygit.algorithms.adaevolve import AdaEvolve, State
from skygit.domain.algorithm import Turn
from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.domain.event import Evaluated, Steered
from skygit.domain.request import Consult, Proposal
from skygit.domain.ticket import Ticket
from skygit.testing.landscapes import Gaining, Hill, Scripted
from skygit.testing.worlds import AnyWorld, World, proposals

QUIET = AdaEvolve(meta_level=False, max_islands=2, migration=0)


def shares(world: AnyWorld) -> dict[int, float]:
    counts = Counter(proposal.island for proposal in proposals(world.tickets))
    return {island: count / len(world.tickets) for island, count in counts.items()}


def test_the_signal_falls_below_a_hundredth_within_fifty_failures() -> None:
    algorithm = AdaEvolve(islands=1, max_islands=1, meta_level=False)
    world = World(algorithm=algorithm, landscape=Scripted([110.0])).run(1)
    peak = algorithm.readings(world.state)[0]
    world.run(50)
    after = algorithm.readings(world.state)[0]
    assert after.signal < 0.01 * peak.signal
    assert after.reading < 0.01 * peak.reading


def test_both_signals_fall_when_two_islands_fail_in_turn() -> None:
    world = World(algorithm=QUIET, landscape=Scripted([110.0, 105.0])).run(2)
    world.run(140)
    assert min(island.closings for island in world.state.islands) >= 50
    assert max(reading.reading for reading in QUIET.readings(world.state)) < 0.01


def test_intensity_spans_its_range() -> None:
    world = World(algorithm=QUIET, landscape=Gaining({0: 1.0, 1: 1.0}))
    assert QUIET.readings(world.state)[0].intensity == pytest.approx(0.7, abs=1e-3)
    world.run(60)
    assert min(reading.intensity for reading in QUIET.readings(world.state)) < 0.2


def test_a_score_near_zero_does_not_blind_the_signal() -> None:
    algorithm = AdaEvolve(islands=1, max_islands=1, meta_level=False)
    world = World(algorithm=algorithm, landscape=Scripted([1.0, *[1.0 * 1.1**n for n in range(1, 200)]], first=0.0))
    world.run(200)
    assert algorithm.readings(world.state)[0].reading > 0.12


@pytest.mark.parametrize("rate", [1.0, 0.2])
@pytest.mark.parametrize("seed", range(5))
def test_an_island_that_gains_is_visited_most(rate: float, seed: int) -> None:
    world = World(algorithm=QUIET, landscape=Gaining({1: rate}), seed=seed).run(200)
    assert shares(world)[1] >= 0.65


def test_none_starves_when_all_fail() -> None:
    world = World(algorithm=AdaEvolve(islands=4, meta_level=False, max_islands=4), landscape=Scripted([])).run(400)
    assert min(shares(world).values()) > 0.2


def test_an_island_that_stops_gaining_loses_its_visits() -> None:
    landscape = Gaining({0: 1.0})
    world = World(algorithm=QUIET, landscape=landscape).run(100)
    landscape.rates = {1: 1.0}
    before = len(world.tickets)
    world.run(300)
    late = [proposal.island for proposal in proposals(world.tickets)[before + 100 :]]
    assert late.count(1) > 0.65 * len(late)


def test_eight_parallel_asks_spread() -> None:
    world = World(algorithm=AdaEvolve(islands=4), landscape=Hill())
    assert Counter(one.island for one in proposals(world.ask(8))) == {0: 2, 1: 2, 2: 2, 3: 2}
    world = World(algorithm=AdaEvolve(), landscape=Hill(), seed=3).run(100, workers=8, order=Random(2))
    assert min(Counter(one.island for one in proposals(list(world.pending.values()) + world.ask(1))).values()) >= 1


def test_parents_and_breadth_follow_the_intensity() -> None:
    """The leader is the parent with probability 1 - I, or when the draw falls on it; I/2 of the edits are wide."""
    world = World(algorithm=QUIET, landscape=Hill(), seed=1).run(120)
    low, high = AdaEvolve(I_min=0.0, I_max=0.0, max_islands=2), AdaEvolve(I_min=1.0, I_max=1.0, max_islands=2)
    asked = {
        name: [_one(algorithm, world.state, seed) for seed in range(300)]
        for name, algorithm in (("low", low), ("high", high))
    }
    leaders = {island.population.leader.commit for island in world.state.islands}
    assert all(one.parents[0] in leaders and one.breadth == "focused" for one in asked["low"])
    assert sum(one.parents[0] in leaders for one in asked["high"]) < 200
    breadths = Counter(one.breadth for one in asked["high"])
    assert breadths["focused"] == pytest.approx(150, abs=45)
    assert breadths["rewrite"] == pytest.approx(75, abs=35)


def test_children_are_spread_over_siblings() -> None:
    """A member with many children is drawn less."""
    world = World(algorithm=QUIET, landscape=Hill(failing=0, crashing=0), seed=1).run(60)
    state = world.state
    algorithm = AdaEvolve(I_min=1.0, I_max=1.0, max_islands=2)
    place = _one(algorithm, state, 0).island
    leader = state.islands[place].population.leader
    tired = state.islands[place].population
    for _ in range(200):
        tired = tired.parented(leader.commit)
    worn = replace(state, islands=tuple(replace(one, population=tired) for one in state.islands))
    fresh = sum(_one(algorithm, state, seed).parents[0] == leader.commit for seed in range(300))
    after = sum(_one(algorithm, worn, seed).parents[0] == leader.commit for seed in range(300))
    assert after < fresh / 4


def test_the_leader_goes_round_the_ring() -> None:
    algorithm = AdaEvolve(islands=3, max_islands=3, meta_level=False)
    world = World(algorithm=algorithm, landscape=Gaining({0: 1.0})).run(30)
    leaders = [island.population.leader.score for island in world.state.islands]
    assert leaders[1] > 100.0
    assert leaders[2] > 100.0
    alone = World(algorithm=QUIET, landscape=Gaining({0: 1.0})).run(30)
    assert alone.state.islands[1].population.leader.score == 100.0


def march(world: AnyWorld, count: int) -> float:
    """CPU seconds per ask and tell over `count` closings; what the world itself costs is not counted."""
    algorithm, spent = world.algorithm, 0.0
    for number in range(world.number, world.number + count):
        turn = Turn(ticket=number, room=1, rng=Random(number))
        begin = process_time()
        (request,) = algorithm.ask(world.state, turn)
        spent += process_time() - begin
        assert isinstance(request, Proposal)
        score = 100.0 + number**0.5 + turn.rng.gauss(0, 3)
        ticket = Ticket(
            number=number, request=request, candidate=_child(number, request), closing=_passed(number, score)
        )
        begin = process_time()
        world.state = algorithm.tell(world.state, ticket)
        spent += process_time() - begin
    world.number += count
    return spent / count


def _child(number: int, request: Proposal) -> Candidate:
    commit = f"{number:040x}"
    sketch = tuple(Random(number).randbytes(16))
    return Candidate(
        commit=commit,
        tree=commit,
        parents=request.parents,
        island=request.island,
        generation=number,
        summary="child",
        operator="",
        sketch=sketch,
    )


def _passed(number: int, score: float) -> Evaluated:
    evaluation = Evaluation(verdict=Verdict.PASSED, score=score)
    return Evaluated(ticket=number, commit=f"{number:040x}", evaluation=evaluation)


def test_ask_and_tell_are_cheap() -> None:
    world = World(algorithm=AdaEvolve(islands=6), landscape=Scripted([]))
    march(world, 500)
    assert march(world, 1500) < 0.0006


@pytest.mark.slow
def test_cost_and_memory_are_flat_over_a_hundred_thousand() -> None:
    world = World(algorithm=AdaEvolve(islands=6), landscape=Scripted([]))
    march(world, 1000)
    early, size = march(world, 4000), len(pickle.dumps(world.state))
    march(world, 91_000)
    late = march(world, 4000)
    assert late < 0.0006
    assert late < 1.3 * early
    assert len(pickle.dumps(world.state)) < 1.5 * size


def _one(algorithm: AdaEvolve, state: State, seed: int) -> Proposal:
    (asked,) = algorithm.ask(state, Turn(ticket=1, room=1, rng=Random(seed)))
    assert isinstance(asked, Proposal)
    return asked


def test_a_persons_direction_is_carried_beside_tactics() -> None:
    world = World(algorithm=AdaEvolve(), landscape=Hill())
    world.steer(Steered(kind="guide", text="Use a heap.", island=1, window=3))
    world.run(40)
    carried = [one for one in proposals(world.tickets) if any("heap" in tactic.text for tactic in one.tactics)]
    assert len(carried) == 3
    assert {one.island for one in carried} == {1}
    assert world.state.guidance.credits["person: Use a heap."].tries == 3
    world.steer(Steered(kind="pause", text="now"))
    assert not any(isinstance(ticket.request, Consult) for ticket in world.tickets)
