"""When a session ends, and how much of what is in flight it still waits for."""

from enum import Enum

from skygit.domain.history import History
from skygit.domain.value import Value


class Mode(Enum):
    """What still happens after the end was decided; each asks for nothing new.

    DRAIN lets everything in flight come to its closing. FINISH buys no further reply, but
    judges what was paid. HALT kills evaluations, and only waits for replies being paid.
    """

    DRAIN = "drain"
    FINISH = "finish"
    HALT = "halt"


class Ending(Value, frozen=True, kw_only=True):
    """Why a session ends: a word for machines, a sentence for people."""

    reason: str
    message: str
    mode: Mode


class Limits(Value, frozen=True, kw_only=True):
    """What a session may use. None is no limit; `target` is a score (maximised).

    `iterations` is the run's total; `seconds` counts from the session's start.
    """

    iterations: int = 100
    models: int = 1
    evaluations: int = 1
    budget_usd: float | None = None
    seconds: float | None = None
    model_calls: int | None = None
    target: float | None = None
    disk_reserve_mb: float = 64.0
    pack_every: int = 300

    @property
    def capacity(self) -> int:
        """Tickets open at once. With one of each there is one: then a run repeats exactly.

        Else a few wait between model and evaluation, so that neither stands idle for the other.
        """
        if self.models == self.evaluations == 1:
            return 1
        return self.models + self.evaluations + (min(self.models, self.evaluations) + 1) // 2

    def ending(self, history: History, *, elapsed: float, free_mb: float) -> Ending | None:
        """The first limit reached, if any. `elapsed` in seconds, `free_mb` free disk space."""
        return self._time(elapsed) or self._goal(history) or self._money(history) or self._disk(free_mb)

    def done(self, history: History) -> Ending:
        """The ending of a run that has all its iterations."""
        text = f"{history.iterations} of {self.iterations} iterations done"
        return Ending(reason="iterations", message=text, mode=Mode.DRAIN)

    def _time(self, elapsed: float) -> Ending | None:
        if self.seconds is None or elapsed < self.seconds:
            return None
        return Ending(reason="time", message=f"the time limit of {self.seconds:g} s is reached", mode=Mode.HALT)

    def _goal(self, history: History) -> Ending | None:
        if self.target is None or history.best is None or history.best.score < self.target:
            return None
        return Ending(reason="target", message="the target score is reached", mode=Mode.FINISH)

    def _money(self, history: History) -> Ending | None:
        spent = history.spending
        if self.budget_usd is not None and spent.cost >= self.budget_usd:
            text = f"the budget of ${self.budget_usd:g} is used up (${spent.cost:.4f})"
            return Ending(reason="budget", message=text, mode=Mode.FINISH)
        if self.model_calls is not None and spent.calls >= self.model_calls:
            text = f"the limit of {self.model_calls} model calls is reached"
            return Ending(reason="model-calls", message=text, mode=Mode.FINISH)
        return None

    def _disk(self, free_mb: float) -> Ending | None:
        if free_mb >= self.disk_reserve_mb:
            return None
        text = f"only {free_mb:.0f} MB are free on the disk, the reserve is {self.disk_reserve_mb:g} MB"
        return Ending(reason="disk", message=text, mode=Mode.FINISH)
