"""The laws of a search algorithm, to be inherited by the tests of each one.

    class TestMine(AlgorithmContract):
        def build(self) -> Algorithm[Any]:
            return Mine()

Every law runs in a simulated world (`skygit.testing.worlds`), with failing proposals and
crashing candidates among the outcomes.
"""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterable
from random import Random
from typing import Any

from skygit.domain.algorithm import Algorithm
from skygit.domain.event import Steered
from skygit.domain.request import Consult, Proposal
from skygit.domain.ticket import Ticket
from skygit.testing.landscapes import Hill, Landscape
from skygit.testing.worlds import AnyWorld, World

_HOPELESS = Hill(failing=0.5, crashing=1.0)


class AlgorithmContract(ABC):
    """Laws that hold for every algorithm. A subclass says how its algorithm is built."""

    @abstractmethod
    def build(self) -> Algorithm[Any]:
        """A new instance of the algorithm under test."""

    def test_asking_changes_nothing_and_can_be_repeated(self) -> None:
        world = self._world(advised=True)
        for _ in range(60):
            before = pickle.dumps(world.state)
            first = list(world.algorithm.ask(world.state, world.turn(2)))
            assert list(world.algorithm.ask(world.state, world.turn(2))) == first, "the same turn, another answer"
            assert pickle.dumps(world.state) == before, "ask changed the state"
            world.run(1, workers=2)

    def test_replay_equals_what_grew_live(self) -> None:
        for advised in (False, True):
            world = self._world(advised=advised).run(150, workers=4, order=Random(1))
            assert world.replayed() == world.state, "replaying the closings gives another state"
            again = World(algorithm=self.build(), landscape=Hill(), advice=world.advice)
            for news in world.closed[1:]:
                again.state = again.algorithm.tell(again.state, news)
            assert again.state == world.state, "a new instance told the same has another state"

    def test_closings_may_come_in_any_order(self) -> None:
        for seed in range(5):
            world = self._world(seed=seed)
            world.run(120, workers=8, order=Random(seed))
            _lawful_parents(world)

    def test_a_crash_changes_nothing_with_one_worker(self) -> None:
        calm = self._world(advised=True).run(60)
        for crash in range(0, 60, 3):
            shaken = self._world(advised=True).run(crash)
            shaken.ask()
            shaken.forget()
            shaken.kill()
            shaken.run(60 - crash)
            assert shaken.closed == calm.closed, f"the run that crashed after {crash} closings went another way"
            assert shaken.state == calm.state

    def test_a_crash_keeps_many_workers_going(self) -> None:
        calm = self._world().run(80, workers=4, order=Random(3))
        shaken, order = self._world(), Random(3)
        for _ in range(80):
            shaken.run(1, workers=4, order=order)
            shaken.kill()
        assert shaken.closed == calm.closed, "open tickets and a replayed state gave another run"

    def test_it_goes_on_when_nothing_is_pending(self) -> None:
        for landscape in (Hill(), _HOPELESS):
            world = self._world(landscape=landscape, advised=True)
            for _ in range(100):
                assert world.ask(), "nothing is pending and nothing was asked"
                for number in sorted(world.pending):
                    world.close(number)

    def test_failures_alone_do_not_stop_it(self) -> None:
        world = self._world(landscape=_HOPELESS).run(100, workers=3)
        base = {"00000000"}
        assert all(set(proposal.parents) <= base for proposal in _proposals(world.tickets)), "a failure has children"

    def test_no_island_starves(self) -> None:
        """When nothing ever gains, each island that was visited is visited again."""
        world = self._world(landscape=_HOPELESS).run(600)
        islands = [proposal.island for proposal in _proposals(world.tickets)]
        for start in range(0, 600, 200):
            seen = set(islands[start : start + 200])
            assert set(islands[:start]) <= seen, f"an island starved from closing {start} on"

    def test_parents_have_passed(self) -> None:
        world = self._world(landscape=Hill(failing=0.2, crashing=0.4), advised=True)
        world.run(200, workers=3, order=Random(5))
        _lawful_parents(world)

    def test_room_is_respected(self) -> None:
        world = self._world(advised=True)
        for step in range(80):
            room = 1 + step % 5
            assert len(world.ask(room)) <= room, "more was asked than there was room"
            for number in sorted(world.pending)[: step % 4 + 1]:
                world.close(number)

    def test_the_state_is_bounded(self) -> None:
        world = self._world().run(1500)
        early = len(pickle.dumps(world.state))
        world.run(1500)
        assert len(pickle.dumps(world.state)) <= 1.1 * early + 8000, "the state grows with the run"

    def test_a_persons_word_does_not_stop_it(self) -> None:
        world = self._world().run(10)
        for kind in ("guide", "never heard of"):
            world.steer(Steered(kind=kind, text="Try a lookup table.", island=0, window=5))
            world.run(30, workers=2)
        assert world.replayed() == world.state

    def _world(self, *, landscape: Landscape | None = None, seed: int = 0, advised: bool = False) -> AnyWorld:
        advice = _advice if advised else None
        return World(algorithm=self.build(), landscape=landscape or Hill(), seed=seed, advice=advice)


def _advice(consult: Consult) -> str | None:
    return None if len(consult.notes) % 3 == 2 else "TACTIC: tables — use a table\nTACTIC: sort — sort first"


def _proposals(tickets: Iterable[Ticket]) -> list[Proposal]:
    return [ticket.request for ticket in tickets if isinstance(ticket.request, Proposal)]


def _lawful_parents(world: AnyWorld) -> None:
    """Each parent and inspiration passed in a ticket before its own."""
    survivors = {
        news.survivor.candidate.commit: news.number
        for news in world.closed
        if isinstance(news, Ticket) and news.survivor
    }
    for ticket in world.tickets:
        if isinstance(ticket.request, Proposal):
            named = (*ticket.request.parents, *ticket.request.inspirations)
            assert named[0:1], "a proposal without a parent"
            for commit in named:
                assert commit in survivors, f"ticket {ticket.number} builds on {commit}, which did not pass"
                assert survivors[commit] < ticket.number
