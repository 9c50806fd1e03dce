"""Bandits: which arm gets the next visit, given decayed rewards and visits.

`PaperBandit` is equations 5 and 6 of AdaEvolve (arXiv:2602.20133, section 3.3) as in its code.
`DiscountedBandit` is discounted UCB (Garivier and Moulines 2011) on clipped, scaled rewards.
Visits that are asked for and not yet closed count as visits without a reward.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, log, sqrt
from typing import Final, Protocol

UNVISITED: Final = 1e-8
"""Below this many decayed visits an arm counts as never visited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arms:
    """What is known of the arms. `last` is the visit number of the newest visit, 0 for none.

    `total` counts all visits undecayed; `scale` is the running maximum of rewards.
    """

    rewards: tuple[float, ...] = ()
    visits: tuple[float, ...] = ()
    last: tuple[int, ...] = ()
    total: int = 0
    scale: float = 0.0

    def grown(self, count: int = 1) -> "Arms":
        """With `count` more arms, never visited."""
        zeros = (0.0,) * count
        return replace(self, rewards=self.rewards + zeros, visits=self.visits + zeros, last=self.last + (0,) * count)


class Bandit(Protocol):
    """A rule of choice over arms."""

    def select(self, arms: Arms, pending: Sequence[int]) -> int:
        """The arm to visit next; `pending` are the open visits of each."""
        ...

    def update(self, arms: Arms, arm: int, reward: float) -> Arms:
        """The arms after a visit to `arm` closed with `reward`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperBandit:
    """Rewards as they come, the first of equals. `everyone`: all arms decay, not the visited alone."""

    rho: float
    C: float
    everyone: bool = False

    def select(self, arms: Arms, pending: Sequence[int]) -> int:
        total = arms.total + sum(pending) + 1
        values = [
            _bound(reward, visits + waiting, self.C, log(total))
            for reward, visits, waiting in zip(arms.rewards, arms.visits, pending, strict=True)
        ]
        return values.index(max(values))

    def update(self, arms: Arms, arm: int, reward: float) -> Arms:
        return _visited(arms, arm, reward, self.rho, everyone=self.everyone)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountedBandit:
    """All arms decay; a reward is clipped at 0 and is a share of the largest of late.

    So a crash and a valid child that is worse weigh the same, an arm that is neglected wins
    its bonus back, and the least recently visited of equals is next.
    """

    rho: float
    C: float

    def select(self, arms: Arms, pending: Sequence[int]) -> int:
        spread = log(max(sum(arms.visits) + sum(pending), 1.0))
        return max(
            range(len(arms.visits)),
            key=lambda arm: (
                _bound(arms.rewards[arm], arms.visits[arm] + pending[arm], self.C, spread),
                -pending[arm],
                -arms.last[arm],
            ),
        )

    def update(self, arms: Arms, arm: int, reward: float) -> Arms:
        gain = min(max(reward, 0.0), 1.0)
        scale = max(self.rho * arms.scale, gain)
        share = gain / scale if scale > 0 else 0.0
        return _visited(replace(arms, scale=scale), arm, share, self.rho, everyone=True)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """No preference: the arm with the fewest open visits, then the least recently visited."""

    def select(self, arms: Arms, pending: Sequence[int]) -> int:
        return min(range(len(arms.last)), key=lambda arm: (pending[arm], arms.last[arm]))

    def update(self, arms: Arms, arm: int, reward: float) -> Arms:
        return _visited(arms, arm, reward, 1.0, everyone=False)


def _bound(reward: float, visits: float, C: float, spread: float) -> float:
    if visits < UNVISITED:
        return inf
    return reward / visits + C * sqrt(spread / visits)


def _visited(arms: Arms, arm: int, reward: float, rho: float, *, everyone: bool) -> Arms:
    total = arms.total + 1
    decays = [rho if everyone or index == arm else 1.0 for index in range(len(arms.visits))]
    rewards = [decay * old for decay, old in zip(decays, arms.rewards, strict=True)]
    visits = [decay * old for decay, old in zip(decays, arms.visits, strict=True)]
    rewards[arm] += reward
    visits[arm] += 1
    last = (*arms.last[:arm], total, *arms.last[arm + 1 :])
    return Arms(rewards=tuple(rewards), visits=tuple(visits), last=last, total=total, scale=arms.scale)
