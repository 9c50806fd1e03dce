"""The accumulated improvement signal and the exploration intensity it drives.

Equations 1 to 3 of AdaEvolve (arXiv:2602.20133, sections 3.1 and 3.2), in the defensive form of
its code (absolute value and epsilon), and the scale that makes signals of any size comparable.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, pow, sqrt
from typing import Final

MOST: Final = 1e100
"""The largest relative gain that counts: its square and sums of it are still finite."""


def improvement(score: float, best: float, epsilon: float) -> float:
    """Equation 1: by how much of its size `best` was beaten, 0 when it was not."""
    return max(difference(score, best, best, epsilon), 0.0)


def difference(score: float, best: float, measure: float, epsilon: float) -> float:
    """How far `score` is above `best`, as a multiple of the size of `measure`; never more than MOST."""
    return min(max((score - best) / (abs(measure) + epsilon), -MOST), MOST)


def accumulate(signal: float, delta: float, rho: float) -> float:
    """Equation 2: the moving average of squared improvements after one more."""
    return rho * signal + (1 - rho) * delta**2


def intensity(signal: float, low: float, high: float, epsilon: float) -> float:
    """Equation 3: near `high` without a signal, towards `low` as the signal grows."""
    return low + (high - low) / (1 + pow(signal + epsilon, 0.5))


def rescale(scale: float, signals: Sequence[float], decay: float) -> float:
    """The running maximum of all signals, after one more closing.

    It loses `1 - decay` per round, a round being one closing for each signal: an early jump
    is forgotten after some time, so that what is a usual gain follows the search.
    """
    return max(pow(decay, 1 / len(signals)) * scale, *signals)


def relative(signal: float, scale: float) -> float:
    """A signal as a share of the scale, 0 to 1; 0 while there was none at all."""
    return signal / scale if scale > 0 else 0.0


def odds(share: float) -> float:
    """The signal that makes equation 3 fall as 1 - sqrt(share): 0 at 0, without bound at 1."""
    root = sqrt(share)
    return (root / (1 - root)) ** 2 if root < 1 else inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What steers an island: its signal G, G as the thresholds see it, its intensity, its decayed visits."""

    signal: float
    reading: float
    intensity: float
    visits: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """How a signal grows and is read. `scaled`: as a share of the running maximum of all signals.

    `rho` decay of the signal, `low` and `high` bounds of the intensity, `decay` of the maximum
    per round, `steady` the intensity when it shall not adapt (None: it does).
    """

    rho: float
    low: float
    high: float
    epsilon: float
    scaled: bool
    decay: float
    steady: float | None = None

    def stepped(self, signal: float, delta: float) -> float:
        """The signal after a closing that beat the best by `delta`."""
        # A doubling is the largest usual gain: leaving a score near zero must not blind the scale for ages.
        return accumulate(signal, min(delta, 1.0) if self.scaled else delta, self.rho)

    def rescaled(self, scale: float, signals: Sequence[float]) -> float:
        """The running maximum after a closing."""
        return rescale(scale, signals, self.decay)

    def read(self, signal: float, scale: float) -> float:
        """The signal as intensity and thresholds see it."""
        return relative(signal, scale) if self.scaled else signal

    def intensity(self, reading: float) -> float:
        """The intensity at a reading. A share enters equation 3 as its odds.

        As it is, a share of at most 1 would leave the intensity in the upper half of its range.
        """
        if self.steady is not None:
            return self.steady
        return intensity(odds(reading) if self.scaled else reading, self.low, self.high, self.epsilon)
