"""Bandits over arms, apart from any algorithm."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skygit.numeric.bandit import Arms, DiscountedBandit, PaperBandit, RoundRobin

RULES = [
    DiscountedBandit(rho=0.98, C=0.25),
    PaperBandit(rho=0.9, C=1.414),
    PaperBandit(rho=0.9, C=1.414, everyone=True),
    RoundRobin(),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_every_arm_is_visited_once_before_any_twice(rule: DiscountedBandit) -> None:
    arms = Arms().grown(4)
    order = []
    for _ in range(4):
        order.append(rule.select(arms, [0] * 4))
        arms = rule.update(arms, order[-1], 0.5)
    assert sorted(order) == [0, 1, 2, 3]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_pending_visits_spread(rule: DiscountedBandit) -> None:
    arms = Arms().grown(3)
    for arm in (0, 1, 2):
        arms = rule.update(arms, arm, 0.0)
    loads = [0, 0, 0]
    for _ in range(9):
        loads[rule.select(arms, loads)] += 1
    assert max(loads) - min(loads) <= 1


def test_a_new_arm_is_visited_next() -> None:
    rule = RULES[0]
    arms = Arms().grown(2)
    for arm in (0, 1, 0, 0):
        arms = rule.update(arms, arm, 0.1)
    assert rule.select(arms.grown(), [0, 0, 0]) == 2


def test_a_crash_and_a_worse_child_weigh_the_same() -> None:
    """With rewards as they come the arm that only crashes is preferred; discounted, neither is."""
    published, ours = RULES[1], RULES[0]

    def visits(rule: DiscountedBandit | PaperBandit | RoundRobin) -> int:
        arms, count = Arms().grown(2), 0
        for _ in range(300):
            arm = rule.select(arms, [0, 0])
            count += arm
            arms = rule.update(arms, arm, 0.0 if arm else -0.5)
        return count

    assert visits(published) > 200
    assert 140 <= visits(ours) <= 160


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=60), st.integers(0, 100))
def test_discounted_rewards_stay_shares(rewards: list[float], seed: int) -> None:
    rng, rule = Random(seed), RULES[0]
    arms = Arms().grown(3)
    for reward in rewards:
        arms = rule.update(arms, rng.randrange(3), reward)
        assert all(0 <= one <= visits + 1e-9 for one, visits in zip(arms.rewards, arms.visits, strict=True))
    assert arms.total == len(rewards)
