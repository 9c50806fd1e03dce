"""Each law catches the fault it is there for."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from skygit.algorithms.adaevolve import AdaEvolve
from skygit.algorithms.topk import TopK
from skygit.domain.algorithm import Algorithm, Turn
from skygit.domain.event import Failed, Steered
from skygit.domain.request import Proposal, Request
from skygit.domain.ticket import Ticket
from skygit.testing.algorithms import AlgorithmContract

Told = list[Any]


@dataclass
class Lawful:
    """Keeps the last five survivors and the number of closings in a list; the faults are planted on it."""

    memory: list[Any] = field(default_factory=list)

    def start(self) -> Told:
        return []

    def tell(self, state: Told, news: Ticket | Steered) -> Told:
        if isinstance(news, Steered) or news.survivor is None:
            return state
        return [*state, news.survivor.candidate.commit][-5:]

    def ask(self, state: Told, turn: Turn) -> Sequence[Request]:
        return [Proposal(parents=(turn.rng.choice(state),)) for _ in range(turn.room)] if state else ()


class WritesInAsk(Lawful):
    def ask(self, state: Told, turn: Turn) -> Sequence[Request]:
        asked = super().ask(state, turn)
        state.append(state[0])
        return asked


class OwnChance(Lawful):
    def ask(self, state: Told, turn: Turn) -> Sequence[Request]:
        return [Proposal(parents=(random.choice(state),)) for _ in range(turn.room)]


class RemembersOutsideTheState(Lawful):
    def tell(self, state: Told, news: Ticket | Steered) -> Told:
        self.memory.append(news)
        return [*super().tell(state, news)[:4], str(len(self.memory))]

    def ask(self, state: Told, turn: Turn) -> Sequence[Request]:
        return [Proposal(parents=(state[0],))]


class WantsThemInOrder(Lawful):
    def tell(self, state: Told, news: Ticket | Steered) -> Told:
        last = state[-1:] or [-1]
        assert isinstance(news, Ticket)
        assert news.number == int(last[0]) + 1, "not the next one"
        return ["00000000", str(news.number)]

    def ask(self, state: Told, turn: Turn) -> Sequence[Request]:
        return [Proposal(parents=("00000000",))] * turn.room


class CountsItsAsks(Lawful):
    def ask(self, state: Told, turn: Turn) -> Sequence[Request]:
        self.memory.append(turn.ticket)
        return [Proposal(parents=(state[0],), operator=f"ask {len(self.memory)}")]


class ForgetsWhatWasOpen(Lawful):
    """Waits for what it asked last, which it keeps beside the state."""

    def ask(self, state: Told, turn: Turn) -> Sequence[Request]:
        if turn.ticket in self.memory:
            return ()
        self.memory.append(turn.ticket)
        return super().ask(state, turn)


class GrowsWithEachReplay(Lawful):
    def start(self) -> Told:
        self.memory.append("started")
        return []

    def ask(self, state: Told, turn: Turn) -> Sequence[Request]:
        return [Proposal(parents=(state[-1],), operator=str(len(self.memory)))] * turn.room


class GivesUp(Lawful):
    def tell(self, state: Told, news: Ticket | Steered) -> Told:
        failed = isinstance(news, Ticket) and isinstance(news.closing, Failed)
        return [] if failed else super().tell(state, news)


class BreedsFailures(Lawful):
    def tell(self, state: Told, news: Ticket | Steered) -> Told:
        judged = news.judged if isinstance(news, Ticket) else None
        return [*state, judged.candidate.commit][-5:] if judged else state


class Starves(AdaEvolve):
    def ask(self, state: Any, turn: Turn) -> Sequence[Request]:
        asked = AdaEvolve.ask(self, state, turn)
        return [self._bent(one) if state.closings > 40 else one for one in asked]

    def _bent(self, one: Request) -> Request:
        return replace(one, island=0) if isinstance(one, Proposal) else one


class AsksTooMuch(Lawful):
    def ask(self, state: Told, turn: Turn) -> Sequence[Request]:
        return [Proposal(parents=(state[0],)) for _ in range(turn.room + (turn.room == 3))]


class Hoards(Lawful):
    def tell(self, state: Told, news: Ticket | Steered) -> Told:
        fresh = news.survivor.candidate.commit if isinstance(news, Ticket) and news.survivor else None
        return [*state, fresh] if fresh else state


class StumblesOverWords(Lawful):
    def tell(self, state: Told, news: Ticket | Steered) -> Told:
        assert isinstance(news, Ticket), "what is this?"
        return super().tell(state, news)


def _laws(build: Any) -> AlgorithmContract:
    class Laws(AlgorithmContract):
        def build(self) -> Algorithm[Any]:
            return build()  # type: ignore[no-any-return]

    return Laws()


FAULTS = [
    (WritesInAsk, "test_asking_changes_nothing_and_can_be_repeated"),
    (OwnChance, "test_asking_changes_nothing_and_can_be_repeated"),
    (RemembersOutsideTheState, "test_replay_equals_what_grew_live"),
    (WantsThemInOrder, "test_closings_may_come_in_any_order"),
    (CountsItsAsks, "test_a_crash_changes_nothing_with_one_worker"),
    (ForgetsWhatWasOpen, "test_a_crash_changes_nothing_with_one_worker"),
    (GrowsWithEachReplay, "test_a_crash_keeps_many_workers_going"),
    (GivesUp, "test_it_goes_on_when_nothing_is_pending"),
    (GivesUp, "test_failures_alone_do_not_stop_it"),
    (BreedsFailures, "test_parents_have_passed"),
    (BreedsFailures, "test_failures_alone_do_not_stop_it"),
    (Starves, "test_no_island_starves"),
    (AsksTooMuch, "test_room_is_respected"),
    (Hoards, "test_the_state_is_bounded"),
    (StumblesOverWords, "test_a_persons_word_does_not_stop_it"),
]


@pytest.mark.parametrize(("fault", "law"), FAULTS, ids=lambda value: getattr(value, "__name__", value))
def test_the_law_catches_the_fault(fault: Any, law: str) -> None:
    with pytest.raises((AssertionError, LookupError)):
        getattr(_laws(fault), law)()


LAWS = [name for name in dir(AlgorithmContract) if name.startswith("test_")]


@pytest.mark.parametrize("law", LAWS)
def test_every_law_has_its_fault_and_lets_the_lawful_pass(law: str) -> None:
    assert law in {name for _, name in FAULTS}
    getattr(_laws(Lawful), law)()
    getattr(_laws(TopK), law)()
