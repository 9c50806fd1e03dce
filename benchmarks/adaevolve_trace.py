"""A trace of AdaEvolve in a simulated world: signals, intensities, visits, interventions.

    python -m benchmarks.adaevolve_trace [--closings 300] [--seed 3] [--svg docs/adaevolve-trace.svg]
    python -m benchmarks.adaevolve_trace --compare [--closings 300] [--seeds 20]

Without --svg the trace is printed every tenth closing; the plot needs matplotlib. With --compare the
algorithms and AdaEvolve without each of its levels run on three landscapes: medians of the best score.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from math import exp, hypot
from pathlib import Path
from random import Random
from statistics import median

from skygit.algorithms.adaevolve import AdaEvolve
from skygit.algorithms.beam import Beam
from skygit.algorithms.best_of_n import BestOfN
from skygit.algorithms.hill_climb import HillClimb
from skygit.algorithms.random import RandomSearch
from skygit.algorithms.topk import TopK
from skygit.domain.request import Consult, Proposal
from skygit.testing.landscapes import Genome, Hill
from skygit.testing.worlds import AnyWorld, World

ADVICE = "TACTIC: mirror — use the symmetry of the problem\nTACTIC: restart — begin from another corner"


class Phases:
    """Both islands gain at first, then island 1 alone, then none, then the tactic `mirror` helps."""

    def __init__(self) -> None:
        self.bests: dict[int, float] = {}
        self.serial = 0

    def base(self) -> Genome:
        return (100.0, 0.0)

    def vary(self, parent: Genome, proposal: Proposal, rng: Random) -> Genome | None:
        self.serial += 1
        rate = self._rate(proposal)
        best = max(self.bests.get(proposal.island, 100.0), parent[0])
        if rng.random() < rate:
            self.bests[proposal.island] = best = best * 1.01
            return (best, float(self.serial))
        return None if rng.random() < 0.2 else (best * 0.98, float(self.serial))

    def score(self, genome: Genome) -> float | None:
        return genome[0]

    def sketch(self, genome: Genome) -> tuple[int, ...]:
        return tuple(int(genome[1]) >> shift & 7 for shift in (0, 3, 6, 9))

    def _rate(self, proposal: Proposal) -> float:
        if self.serial < 40:
            return 0.5
        if self.serial < 120:
            return 0.5 if proposal.island == 1 else 0.0
        helped = self.serial > 200 and any(tactic.name == "mirror" for tactic in proposal.tactics)
        return 0.4 if helped else 0.0


class Packing:
    """26 circles in the unit square as 78 numbers, moved on a log scale; radii shrink until all fit."""

    def base(self) -> Genome:
        return tuple(one for n in range(26) for one in ((n % 6 + 0.5) / 6, (n // 6 + 0.5) / 5, 0.05))

    def vary(self, parent: Genome, proposal: Proposal, rng: Random) -> Genome | None:
        child = list(parent)
        count = {"focused": 1, "several": rng.randint(2, 4), "rewrite": 8}[proposal.breadth]
        for place in rng.sample(range(len(child)), count):
            child[place] *= exp(rng.gauss(0, 0.25))
        return tuple(child)

    def score(self, genome: Genome) -> float | None:
        circles = [genome[place : place + 3] for place in range(0, len(genome), 3)]
        radii = [min(radius, x, y, 1 - x, 1 - y) for x, y, radius in circles]
        if min(radii) <= 0:
            return None
        for one in range(len(radii)):
            for other in range(one):
                gap = hypot(circles[one][0] - circles[other][0], circles[one][1] - circles[other][1])
                share = min(gap / (radii[one] + radii[other]), 1.0)
                radii[one] *= share
                radii[other] *= share
        return sum(radii)

    def sketch(self, genome: Genome) -> tuple[int, ...]:
        return tuple(int(value * 8) for value in genome[:16])


@dataclass(frozen=True, kw_only=True)
class Point:
    """One closing of a trace; lists are by island."""

    closing: int
    island: int
    best: float
    readings: list[float]
    intensities: list[float]
    tactic: str
    event: str


LANDSCAPES = {"hill": Hill(dimensions=10), "rugged hill": Hill(dimensions=10, ripple=1.0), "packing": Packing()}
ALGORITHMS: dict[str, Callable[[], object]] = {
    "hill_climb": HillClimb,
    "adaevolve": AdaEvolve,
    "- local level": lambda: AdaEvolve(local_level=False),
    "- global level": lambda: AdaEvolve(global_level=False),
    "- meta level": lambda: AdaEvolve(meta_level=False),
    "- migration": lambda: AdaEvolve(migration=0),
    "as published": lambda: AdaEvolve(signal="paper", bandit="paper"),
    "best_of_n": BestOfN,
    "topk": TopK,
    "beam": Beam,
    "random": RandomSearch,
}


def trace(closings: int, seed: int) -> list[Point]:
    """AdaEvolve as it is by default, closing by closing."""
    algorithm = AdaEvolve()
    world = World(algorithm=algorithm, landscape=Phases(), seed=seed, advice=lambda _: ADVICE)
    return [_point(algorithm, world, closing) for closing in range(1, closings + 1)]


def _point(algorithm: AdaEvolve, world: AnyWorld, closing: int) -> Point:
    islands = len(world.state.islands)
    request = world.run(1).tickets[-1].request
    readings = algorithm.readings(world.state)
    event = "tactics" if isinstance(request, Consult) else ""
    return Point(
        closing=closing,
        island=request.island if isinstance(request, Proposal) else -1,
        best=world.best,
        readings=[one.reading for one in readings],
        intensities=[one.intensity for one in readings],
        tactic=request.tactics[0].name if isinstance(request, Proposal) and request.tactics else "",
        event="new island" if len(world.state.islands) > islands else event,
    )


def show(points: list[Point]) -> None:
    print("closing island    best  tactic    signal (scaled) and intensity of each island")
    for point in points:
        if point.closing % 10 == 0 or point.event:
            pairs = zip(point.readings, point.intensities, strict=True)
            islands = "  ".join(f"{reading:4.2f} {intensity:4.2f}" for reading, intensity in pairs)
            print(f"{point.closing:7} {point.island:6} {point.best:7.1f}  {point.tactic:9} {islands}  {point.event}")


def plot(points: list[Point], path: Path) -> None:
    """Three panels over the closings: scaled signals, intensities, the island visited."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "adaevolve"
    figure, (signals, intensities, visits) = pyplot.subplots(3, 1, sharex=True, figsize=(9, 7))
    for island in range(len(points[-1].readings)):
        seen = [point for point in points if len(point.readings) > island]
        closings = [point.closing for point in seen]
        signals.plot(closings, [point.readings[island] for point in seen], label=f"island {island}", lw=1)
        intensities.plot(closings, [point.intensities[island] for point in seen], lw=1)
        visited = [point.closing for point in points if point.island == island]
        visits.scatter(visited, [island] * len(visited), s=5)
    for point in points:
        if point.event:
            signals.axvline(point.closing, color="grey", ls=":" if point.event == "tactics" else "-", lw=0.8)
    signals.axhline(AdaEvolve().meta_guidance_threshold, color="black", lw=0.5)
    signals.set_ylabel("signal, scaled")
    signals.set_title("dotted: tactics; solid: a new island; line: threshold of meta-guidance", fontsize=9)
    signals.legend(fontsize=7)
    intensities.set_ylabel("intensity")
    visits.set_ylabel("island visited")
    visits.set_xlabel("closing")
    visits.set_yticks(range(len(points[-1].readings)))
    figure.savefig(path, metadata={"Date": None})


def compare(closings: int, seeds: int) -> None:
    print(f"median best score after {closings} closings, {seeds} seeds\n")
    print("| algorithm | " + " | ".join(LANDSCAPES) + " |\n|---|" + "---|" * len(LANDSCAPES))
    for name, build in ALGORITHMS.items():
        cells = []
        for landscape in LANDSCAPES.values():
            worlds = [World(algorithm=build(), landscape=landscape, seed=seed) for seed in range(seeds)]  # type: ignore[arg-type, var-annotated]
            cells.append(f"{median(world.run(closings).best for world in worlds):.3f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--closings", type=int, default=300)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--compare", action="store_true")
    given = parser.parse_args()
    if given.compare:
        compare(given.closings, given.seeds)
    elif given.svg:
        plot(trace(given.closings, given.seed), given.svg)
    else:
        show(trace(given.closings, given.seed))


if __name__ == "__main__":
    main()
