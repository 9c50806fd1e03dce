"""A run on a terminal: one line that is rewritten, and a line that stays for each new best."""

from collections.abc import Callable
from dataclasses import dataclass, field

from skygit.domain.candidate import Judged
from skygit.domain.event import Evaluated, Failed
from skygit.domain.history import History
from skygit.domain.request import Proposal
from skygit.ports import Recorded


@dataclass(slots=True, kw_only=True)
class Console:
    """Implements `ports.Observer`.

    `write` gets text as it shall appear; `natural` writes a score in the measure's own
    direction; `live` says whether a line can be rewritten in place, else a line is written
    now and then.
    """

    write: Callable[[str], object]
    natural: Callable[[float], str]
    iterations: int
    live: bool
    clock: Callable[[], float]
    width: int = 100
    _best: Judged | None = None
    _begun: float = 0.0
    _before: int = 0
    _shown: int = field(default=-1)

    def begin(self, history: History) -> None:
        """The session starts from this history."""
        self._best, self._begun, self._before = history.best, self.clock(), history.iterations

    def __call__(self, recorded: Recorded, history: History) -> None:
        event = recorded.event
        if not isinstance(event, Evaluated | Failed):
            return
        if history.best is not None and history.best != self._best:
            self._best = history.best
            self._say(self._news(history))
        if isinstance(history.tickets[event.ticket].request, Proposal) and event.ticket > 0:
            self._progress(history)

    def end(self) -> None:
        """Leave the live line."""
        if self.live:
            self.write("\r\x1b[K")

    def _progress(self, history: History) -> None:
        line = self._line(history)
        if self.live:
            self.write(f"\r\x1b[K{line[: self.width]}")
        elif self._due(history.iterations):
            self.write(f"{line}\n")

    def _due(self, iterations: int) -> bool:
        """Ten lines for a whole run, when nothing can be rewritten."""
        step = max(self.iterations // 10, 1)
        if iterations == self._shown or iterations % step:
            return False
        self._shown = iterations
        return True

    def _say(self, line: str) -> None:
        self.write(f"\r\x1b[K{line}\n" if self.live else f"{line}\n")

    def _news(self, history: History) -> str:
        best = history.best
        assert best is not None
        if best.ticket == 0:
            return f"base {self.natural(best.score)}"
        where = f"#{best.ticket} island {best.candidate.island}"
        return f"{where}  {self.natural(best.score)} ({gain(history)})  {best.candidate.summary}"

    def _line(self, history: History) -> str:
        parts = [f"{history.iterations}/{self.iterations}"]
        if history.best is not None:
            parts.append(f"best {self.natural(history.best.score)} ({gain(history)})")
        done, elapsed = history.iterations - self._before, self.clock() - self._begun
        if done and elapsed > 0:
            rate = done / elapsed
            left = max(self.iterations - history.iterations, 0) / rate
            parts += [f"{rate * 60:.3g}/min", f"{duration(left)} left"]
        spent = history.spending
        if spent.calls:
            unpriced = f" + {spent.unpriced} unpriced" if spent.unpriced else ""
            parts.insert(-1, f"${spent.cost:.4g}{unpriced}")
        return "  ".join(parts)


def gain(history: History) -> str:
    """How much better than the base the best is: per cent of the base, or the difference from a base of 0."""
    best, base = history.best, history.base
    if best is None or not base.evaluation.passed:
        return "-"
    difference = best.score - base.score
    if base.score == 0:
        return f"{difference:+.4g}"
    return f"{100 * difference / abs(base.score):+.2f} %"


def duration(seconds: float) -> str:
    """Seconds as people say them: "42 s", "12 min", "3 h 20 min"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"


PLUGIN = Console
