"""Score functions for simulated worlds: hills, and outcomes set by a script or per island."""

from dataclasses import dataclass, field
from math import cos, pi
from random import Random
from typing import Protocol

from skygit.domain.request import Proposal

Genome = tuple[float, ...]
"""What a simulated candidate is: numbers."""


class Landscape(Protocol):
    """A score function and the ways to vary what it judges."""

    def base(self) -> Genome:
        """What the run starts from. Must pass."""
        ...

    def vary(self, parent: Genome, proposal: Proposal, rng: Random) -> Genome | None:
        """A child; None: the proposal came to nothing."""
        ...

    def score(self, genome: Genome) -> float | None:
        """The score, maximised; None: the candidate crashes."""
        ...

    def sketch(self, genome: Genome) -> tuple[int, ...]:
        """The fingerprint."""
        ...


@dataclass(frozen=True, kw_only=True)
class Hill:
    """The negative distance of a point from a far summit; some proposals fail, some children crash.

    Rugged when `ripple` is not 0: then a sum of cosines makes local summits.
    """

    dimensions: int = 4
    failing: float = 0.1
    crashing: float = 0.1
    ripple: float = 0.0

    def base(self) -> Genome:
        return (4.0,) * self.dimensions

    def vary(self, parent: Genome, proposal: Proposal, rng: Random) -> Genome | None:
        if rng.random() < self.failing:
            return None
        if rng.random() < self.crashing:
            return ()
        wide = {"focused": 1, "several": 2, "rewrite": self.dimensions}[proposal.breadth]
        child = list(parent)
        for place in rng.sample(range(self.dimensions), min(wide, self.dimensions)):
            child[place] += rng.gauss(0, 0.25)
        return tuple(child)

    def score(self, genome: Genome) -> float | None:
        if not genome:
            return None
        waves = sum(1 - cos(2 * pi * value) for value in genome)
        return -sum(value * value for value in genome) - self.ripple * waves

    def sketch(self, genome: Genome) -> tuple[int, ...]:
        return tuple(round(value * 2) for value in genome)


Outcome = float | str
"""A score, "crash", or "fail" (the proposal came to nothing)."""


@dataclass
class Scripted:
    """The n-th proposal that is closed has the n-th outcome; after the last, `rest`."""

    outcomes: list[Outcome]
    first: float = 100.0
    rest: Outcome = "fail"
    count: int = 0

    def base(self) -> Genome:
        return (self.first, 0.0)

    def vary(self, parent: Genome, proposal: Proposal, rng: Random) -> Genome | None:
        outcome = self.outcomes[self.count] if self.count < len(self.outcomes) else self.rest
        self.count += 1
        if isinstance(outcome, float):
            return (outcome, float(self.count))
        return () if outcome == "crash" else None

    def score(self, genome: Genome) -> float | None:
        return genome[0] if genome else None

    def sketch(self, genome: Genome) -> tuple[int, ...]:
        return ()


@dataclass
class Gaining:
    """An island gains 1 % over its best with its own rate; else its child is valid and a little worse."""

    rates: dict[int, float] = field(default_factory=dict)
    bests: dict[int, float] = field(default_factory=dict)
    serial: int = 0

    def base(self) -> Genome:
        return (100.0, 0.0)

    def vary(self, parent: Genome, proposal: Proposal, rng: Random) -> Genome | None:
        self.serial += 1
        best = max(self.bests.get(proposal.island, 100.0), parent[0])
        if rng.random() < self.rates.get(proposal.island, 0.0):
            self.bests[proposal.island] = best = best * 1.01
            return (best, float(self.serial))
        return (best * 0.99, float(self.serial))

    def score(self, genome: Genome) -> float | None:
        return genome[0]

    def sketch(self, genome: Genome) -> tuple[int, ...]:
        return tuple(int(genome[1]) >> shift & 7 for shift in (0, 3, 6, 9))
