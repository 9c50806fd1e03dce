"""A winner is measured again, beside the base, before anyone is told that it won."""

from collections.abc import Iterator, Mapping
from statistics import median

from skygit.domain.candidate import Candidate, Evaluation
from skygit.domain.value import Value
from skygit.ports import Executor


class Revalidation(Value, frozen=True, kw_only=True):
    """Fresh scores of base and winner, taken in turns. `failure` is the first that did not pass."""

    base: tuple[float, ...]
    winner: tuple[float, ...]
    failure: Evaluation | None = None
    failed: str = ""

    @property
    def gain(self) -> float:
        """Median of the winner minus median of the base."""
        return median(self.winner) - median(self.base)

    @property
    def clear(self) -> bool:
        """Whether every fresh score of the winner is above every one of the base."""
        return self.failure is None and min(self.winner) > max(self.base)

    @property
    def holds(self) -> bool:
        """Whether the winner is still better than the base."""
        return self.failure is None and self.gain > 0


def revalidate(executor: Executor, base: Candidate, winner: Candidate, *, times: int) -> Revalidation:
    """Measure both `times` times, interleaved, so that a drift of the machine meets both alike."""
    taken: dict[str, list[float]] = {"base": [], "winner": []}
    failed = next(_failing(executor, {"base": base, "winner": winner}, taken, times), ("", None))
    return Revalidation(base=tuple(taken["base"]), winner=tuple(taken["winner"]), failed=failed[0], failure=failed[1])


def _failing(
    executor: Executor, candidates: Mapping[str, Candidate], taken: dict[str, list[float]], times: int
) -> Iterator[tuple[str, Evaluation]]:
    """Who does not pass, while the scores of the others are taken."""
    for _ in range(times):
        for name, candidate in candidates.items():
            evaluation = executor.judge(candidate).evaluation
            if evaluation.score is None:
                yield name, evaluation
                continue
            taken[name].append(evaluation.score)
