"""Tactics that need no model: they shift the draw of parents and how broad an edit is."""

from collections.abc import Sequence
from typing import Final

from skygit.domain.guidance import Guidance
from skygit.domain.request import Breadth, Tactic
from skygit.domain.value import Value


class Habit(Value, frozen=True, kw_only=True):
    """A built-in tactic: its intensity of the draw (0 the leader, 1 anyone), its breadth; None: as usual."""

    tactic: Tactic
    explore: float | None = None
    breadth: Breadth | None = None


HABITS: Final = (
    Habit(
        tactic=Tactic(name="built-in: small steps", text="Refine the best version in small, careful steps."),
        explore=0.0,
        breadth="focused",
    ),
    Habit(
        tactic=Tactic(name="built-in: wider edits", text="Change several places at once that work together."),
        breadth="several",
    ),
    Habit(
        tactic=Tactic(name="built-in: other lines", text="Develop a version that was left behind."),
        explore=1.0,
        breadth="focused",
    ),
    Habit(
        tactic=Tactic(name="built-in: rewrite", text="Write one part anew with another method."),
        breadth="rewrite",
    ),
)

_USUAL: Final = Habit(tactic=Tactic(name="", text=""))
_BY_NAME: Final = {habit.tactic.name: habit for habit in HABITS}


def habit_of(tactics: Sequence[Tactic]) -> Habit:
    """The first habit among the tactics; one that changes nothing when there is none."""
    return next((_BY_NAME[tactic.name] for tactic in tactics if tactic.name in _BY_NAME), _USUAL)


def promising(guidance: Guidance) -> Habit:
    """The habit with the best credit; the first of equals."""
    return max(HABITS, key=lambda habit: guidance.worth(habit.tactic.name))
