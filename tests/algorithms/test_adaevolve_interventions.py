"""Tactics and new islands: when they come, how long they stay, who is credited."""

from itertools import groupby, pairwise
from random import Random

import pytest

from skygit.algorithms.adaevolve import SEEDS, AdaEvolve
from skygit.domain.brief import Credit
from skygit.domain.event import Answered
from skygit.domain.request import Consult
from skygit.domain.ticket import Ticket
from skygit.testing.landscapes import Gaining, Outcome, Scripted
from skygit.testing.worlds import AnyWorld, World, proposals

ADVICE = "TACTIC: tables — use a table\nTACTIC: sorting — sort first"


def spawned_at(world: AnyWorld, closings: int) -> list[int]:
    """After which closing a new island appeared."""
    marks = []
    for step in range(1, closings + 1):
        before = len(world.state.islands)
        world.run(1)
        if len(world.state.islands) > before:
            marks.append(step)
    return marks


def test_no_intervention_while_an_island_gains() -> None:
    world = World(algorithm=AdaEvolve(), landscape=Gaining({0: 1.0, 1: 1.0}), advice=lambda _: ADVICE).run(200)
    assert not any(isinstance(ticket.request, Consult) for ticket in world.tickets)
    assert len(world.state.islands) == 2


def test_no_intervention_while_small_gains_go_on() -> None:
    """The published thresholds hold at once with gains of 1 %; scaled ones do not."""
    paper = AdaEvolve(signal="paper", bandit="paper", migration=0)
    world = World(algorithm=paper, landscape=Gaining({0: 1.0, 1: 1.0}), advice=lambda _: ADVICE).run(60)
    assert any(isinstance(ticket.request, Consult) for ticket in world.tickets)


def test_a_consultation_comes_after_warm_up_and_not_twice() -> None:
    world = World(algorithm=AdaEvolve(), landscape=Scripted([]), advice=lambda _: ADVICE)
    world.run(20)
    assert not any(isinstance(ticket.request, Consult) for ticket in world.tickets)
    opened = world.ask(4)
    assert [isinstance(ticket.request, Consult) for ticket in opened] == [True, False, False, False]
    assert not any(isinstance(ticket.request, Consult) for ticket in world.ask(4)), "asked while one is open"
    consult = opened[0].request
    assert isinstance(consult, Consult)
    assert consult.topic == "meta_guidance"
    assert consult.best == "00000000"
    assert consult.failed == tuple(range(11, 21))


@pytest.mark.parametrize("workers", [1, 8])
def test_tactics_are_carried_for_their_window_and_credited_by_themselves(workers: int) -> None:
    answers = iter([ADVICE])
    algorithm = AdaEvolve(max_islands=2, cooldown=500)
    world = World(algorithm=algorithm, landscape=Scripted([]), advice=lambda _: next(answers))
    world.run(120, workers=workers, order=Random(1))
    carrying = [one for one in proposals(world.tickets) if one.tactics]
    assert len(carrying) == algorithm.tactic_window
    assert all(len(one.tactics) == 1 for one in carrying)
    names = [one.tactics[0].name for one in carrying]
    assert world.state.guidance.credits == {
        "tables": Credit(tries=names.count("tables")),
        "sorting": Credit(tries=names.count("sorting")),
    }
    assert abs(names.count("tables") - names.count("sorting")) <= workers


def test_the_tactic_that_gains_is_carried_more() -> None:
    class Helpful(Scripted):
        def vary(self, parent, proposal, rng):  # type: ignore[no-untyped-def]
            self.count += 1
            helps = any(tactic.name == "sorting" for tactic in proposal.tactics)
            self.first += 1.0 if helps else 0.0
            return (self.first if helps else 90.0, float(self.count))

    world = World(algorithm=AdaEvolve(max_islands=2), landscape=Helpful([]), advice=lambda _: ADVICE).run(41)
    credits = world.state.guidance.credits
    assert credits["sorting"].tries > 2 * credits["tables"].tries
    assert credits["sorting"].gains == credits["sorting"].tries
    assert credits["tables"].gains == 0


def test_the_next_consultation_knows_what_was_tried() -> None:
    world = World(algorithm=AdaEvolve(max_islands=2), landscape=Scripted([]), advice=lambda _: ADVICE).run(60)
    consults = [ticket.request for ticket in world.tickets if isinstance(ticket.request, Consult)]
    assert len(consults) == 2
    assert set(consults[1].notes) == {
        "tables: 0 of 10 children improved",
        "sorting: 0 of 10 children improved",
    }


@pytest.mark.parametrize("advice", [None, lambda _: None, lambda _: "I am sorry, I cannot help."])
def test_a_built_in_tactic_stands_in_for_a_model(advice: object) -> None:
    world: AnyWorld = World(algorithm=AdaEvolve(max_islands=2), landscape=Scripted([]), advice=advice)  # type: ignore[arg-type]
    world.run(150)
    carried = [one.tactics[0].name for one in proposals(world.tickets) if one.tactics]
    assert len(set(carried)) >= 4
    assert all(name.startswith("built-in: ") for name in carried)
    runs = [len(list(same)) for _, same in groupby(carried)]
    assert runs[:-1] == [20] * (len(runs) - 1)
    wide = [one for one in proposals(world.tickets) if one.tactics and one.tactics[0].name == "built-in: wider edits"]
    assert {one.breadth for one in wide} == {"several"}


def test_islands_spawn_when_valid_children_never_improve() -> None:
    algorithm = AdaEvolve()
    world = World(algorithm=algorithm, landscape=Gaining(), advice=lambda _: ADVICE)
    marks = spawned_at(world, 600)
    assert len(world.state.islands) == algorithm.max_islands
    assert len(marks) == algorithm.max_islands - algorithm.islands
    assert marks[0] >= algorithm.islands * algorithm.warm_up + algorithm.tactic_window
    assert all(later - sooner >= algorithm.tactic_window for sooner, later in pairwise(marks))


def test_a_spawned_island_is_diverse_explores_and_carries_the_tactics() -> None:
    algorithm = AdaEvolve()
    world = World(algorithm=algorithm, landscape=Gaining(), advice=lambda _: ADVICE)
    while len(world.state.islands) == 2:
        world.run(1)
    new = world.state.islands[2]
    assert len(new.population.members) == SEEDS
    leaders = {island.population.leader.commit for island in world.state.islands[:2]}
    assert not leaders & {one.commit for one in new.population.members}
    assert len({one.sketch for one in new.population.members}) == SEEDS
    assert algorithm.readings(world.state)[2].intensity == pytest.approx(algorithm.I_max, abs=1e-3)
    world.run(150)
    first = [one for one in proposals(world.tickets) if one.island == 2][:20]
    assert first[0].tactics
    assert {one.tactics[0].name for one in first if one.tactics} == {"tables", "sorting"}


def test_islands_that_gain_seldom_but_steadily_are_left_alone() -> None:
    """One gain in forty closings is usual there and no reason for a new island; after the last gain it is."""
    outcomes: list[Outcome] = [float(100 + n) if n % 40 == 39 else 90.0 - n / 1000 for n in range(1200)]
    world = World(algorithm=AdaEvolve(), landscape=Scripted(outcomes, rest=80.0)).run(1200)
    assert len(world.state.islands) == 2
    world.run(400)
    assert len(world.state.islands) > 2
    hasty = World(algorithm=AdaEvolve(signal="paper"), landscape=Scripted(outcomes)).run(1200)
    assert len(hasty.state.islands) == 6


def test_no_island_spawns_out_of_nothing() -> None:
    """When every proposal fails there is nothing to seed an island with."""
    world = World(algorithm=AdaEvolve(), landscape=Scripted([])).run(300)
    assert len(world.state.islands) == 2


def test_scores_spread_the_seeds_when_there_are_no_fingerprints() -> None:
    """Far from the leader and from one another: the worst comes first, the nearest to the leader does not come."""
    world = World(algorithm=AdaEvolve(), landscape=Scripted([float(99 - n // 3) for n in range(45)]))
    while len(world.state.islands) == 2 and world.number < 200:
        world.run(1)
    everyone = {one.score for island in world.state.islands[:2] for one in island.population.members}
    seeds = {one.score for one in world.state.islands[2].population.members}
    assert len(seeds) == SEEDS
    assert min(everyone) in seeds
    assert 99.0 in everyone - seeds


@pytest.mark.parametrize("level", ["local_level", "global_level", "meta_level"])
def test_each_level_can_be_switched_off(level: str) -> None:
    algorithm = AdaEvolve(max_islands=2, **{level: False})  # type: ignore[arg-type]
    world = World(algorithm=algorithm, landscape=Gaining({0: 0.3}), advice=lambda _: ADVICE).run(150)
    intensities = {reading.intensity for reading in algorithm.readings(world.state)}
    assert (intensities == {(0.1 + 0.7) / 2}) == (level == "local_level")
    islands = [one.island for one in proposals(world.tickets)]
    assert (abs(islands.count(0) - islands.count(1)) <= 1) == (level == "global_level")
    quiet = World(algorithm=algorithm, landscape=Scripted([]), advice=lambda _: ADVICE).run(60)
    consulted = any(isinstance(ticket.request, Consult) for ticket in quiet.tickets)
    assert consulted == (level != "meta_level")


def test_an_answer_without_a_request_for_it_is_no_harm() -> None:
    algorithm = AdaEvolve()
    consult = Consult(topic="meta_guidance", best="x")
    ticket = Ticket(number=5, request=consult, closing=Answered(ticket=5, text=ADVICE))
    state = algorithm.tell(algorithm.start(), ticket)
    assert algorithm.tell(state, ticket) == state


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rho": 1.5}, "rho is 1.5; it must be from 0 to 1"),
        ({"I_min": 0.8}, "I_min is 0.8, above I_max; it must be at most 0.7"),
        ({"islands": 9}, "islands is 9, above max_islands; it must be at most 6"),
        ({"tactic_window": 0}, "tactic_window is 0; it must be from 1 to 1e+06"),
        ({"cooldown": -1}, "cooldown is -1; it must be from 0 to 1e+06"),
    ],
)
def test_a_bad_option_is_refused_in_one_line(options: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        AdaEvolve(**options)  # type: ignore[arg-type]
    assert str(caught.value) == message
