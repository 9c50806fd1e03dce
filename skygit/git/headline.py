"""The subject of a journal commit: what happened, for people who read `git log`."""

from collections.abc import Sequence
from typing import Final

from skygit.domain.candidate import Evaluation
from skygit.domain.event import (
    Adjusted,
    Answered,
    Committed,
    Computed,
    Evaluated,
    Event,
    Failed,
    Replied,
    Requested,
    Started,
    Steered,
    Stopped,
)

_WIDTH: Final = 72


def headline(events: Sequence[Event], best: float | None) -> str:
    """One line of at most 72 characters. `best` is the best score of the run after the events."""
    line = "; ".join(_said(event, best) for event in events) or "nothing"
    clean = "".join(char if char.isprintable() else " " for char in line).strip()
    return clean if len(clean) <= _WIDTH else clean[: _WIDTH - 1] + "…"


def better(best: float | None, event: Event) -> float | None:
    """The best score after one more event."""
    if not isinstance(event, Evaluated) or event.evaluation.score is None:
        return best
    return event.evaluation.score if best is None else max(best, event.evaluation.score)


def _said(event: Event, best: float | None) -> str:
    match event:
        case Started():
            return f"run {event.run} started at {event.base[:12]}"
        case Adjusted():
            return "adjusted " + ", ".join(sorted(event.settings))
        case Steered():
            return f"steered: {event.kind}"
        case Stopped():
            return f"stopped: {event.reason}"
        case _:
            return f"#{event.ticket} {_happened(event, best)}"


def _happened(
    event: Requested | Replied | Committed | Evaluated | Failed | Answered | Computed, best: float | None
) -> str:
    match event:
        case Requested():
            return "requested"
        case Replied():
            return f"replied by {event.model}"
        case Committed():
            return "committed"
        case Evaluated():
            return _measured(event.evaluation, best)
        case Failed():
            return f"failed: {event.word}"
        case Answered():
            return "answered"
        case Computed():
            return "computed" if not event.error else f"computed nothing: {event.error}"


def _measured(evaluation: Evaluation, best: float | None) -> str:
    if evaluation.score is None:
        return f"evaluated: {evaluation.verdict}"
    return f"evaluated {evaluation.score:.6g}" + (f" (best {best:.6g})" if best is not None else "")
