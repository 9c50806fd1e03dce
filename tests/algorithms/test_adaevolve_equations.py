"""The published equations, to the digit, against a worked example and a plain reference."""

from collections.abc import Callable
from math import inf, log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skygit.algorithms.adaevolve import AdaEvolve
from skygit.testing.landscapes import Outcome, Scripted
from skygit.testing.worlds import World, proposals

PAPER = AdaEvolve(signal="paper", bandit="paper", meta_level=False, max_islands=2, migration=0)
OUTCOMES: list[Outcome] = [110.0, 99.0, "crash", 121.0, "fail", 104.5, 121.0, 133.1, 100.0]


class Reference:
    """Equations 1 to 6 as published, one island at a time, written without any of the package."""

    def __init__(self, islands: int, base: float) -> None:
        self.G = [0.0] * islands
        self.best = [base] * islands
        self.R = [0.0] * islands
        self.V = [0.0] * islands
        self.visits = 0
        self.top = base

    def select(self) -> int:
        self.visits += 1
        values = [
            inf if v < 1e-8 else r / v + 1.414 * sqrt(log(self.visits) / v) for r, v in zip(self.R, self.V, strict=True)
        ]
        return values.index(max(values))

    def close(self, k: int, outcome: Outcome) -> None:
        delta = reward = 0.0
        if isinstance(outcome, float):
            delta = max((outcome - self.best[k]) / (abs(self.best[k]) + 1e-8), 0.0)
            self.top = max(self.top, outcome)
            reward = (outcome - self.best[k]) / (abs(self.top) + 1e-8)
            self.best[k] = max(self.best[k], outcome)
        self.G[k] = 0.9 * self.G[k] + (1 - 0.9) * delta**2
        self.R[k] = 0.9 * self.R[k] + reward
        self.V[k] = 0.9 * self.V[k] + 1


def _agree(base: float, outcomes: list[Outcome]) -> None:
    world = World(algorithm=PAPER, landscape=Scripted(outcomes, first=base))
    reference = Reference(2, base)
    for outcome in outcomes:
        chosen = reference.select()
        world.run(1)
        assert proposals(world.tickets)[-1].island == chosen
        reference.close(chosen, outcome)
        assert [island.signal for island in world.state.islands] == reference.G
        assert list(world.state.arms.rewards) == reference.R
        assert list(world.state.arms.visits) == reference.V
        for reading, signal in zip(PAPER.readings(world.state), reference.G, strict=True):
            assert reading.intensity == 0.1 + (0.7 - 0.1) / (1 + (signal + 1e-8) ** 0.5)


def test_the_worked_example_by_hand() -> None:
    """Base 100. Island 0 reaches 110 (delta 0.1, G 0.001), island 1 a valid 99, then a crash on island 0."""
    world = World(algorithm=PAPER, landscape=Scripted(OUTCOMES)).run(3)
    assert [proposal.island for proposal in proposals(world.tickets)] == [0, 1, 0]
    first, second = world.state.islands
    assert first.signal == pytest.approx(0.0009, abs=1e-11)
    assert second.signal == 0.0
    assert world.state.arms.rewards == pytest.approx((0.9 * 10 / 110, -1 / 110))
    assert world.state.arms.visits == pytest.approx((1.9, 1.0))
    assert PAPER.readings(world.state)[0].intensity == pytest.approx(0.1 + 0.6 / 1.03, abs=1e-6)
    assert PAPER.readings(world.state)[1].intensity == pytest.approx(0.7, abs=1e-4)


def test_the_worked_example_to_the_digit() -> None:
    _agree(100.0, OUTCOMES)


_scores: Callable[..., st.SearchStrategy[float]] = st.floats


@settings(max_examples=60, deadline=None)
@given(
    _scores(-1e6, 1e6, allow_nan=False),
    st.lists(st.one_of(_scores(-1e6, 1e6, allow_nan=False), st.sampled_from(["crash", "fail"])), max_size=40),
)
def test_any_history_to_the_digit(base: float, outcomes: list[Outcome]) -> None:
    _agree(base, outcomes)


def test_all_arms_decay_when_asked_for() -> None:
    algorithm = AdaEvolve(bandit="paper", decay="all", meta_level=False)
    state = World(algorithm=algorithm, landscape=Scripted([110.0, 99.0])).run(2).state
    assert state.arms.visits == pytest.approx((0.9, 1.0))
    assert state.arms.rewards == pytest.approx((0.9 * 10 / 110, -1 / 110))
