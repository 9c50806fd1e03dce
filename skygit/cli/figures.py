"""Numbers and tables as people read them."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from skygit.config.settings import Settings, restore
from skygit.domain.event import Started


def natural(settings: Settings) -> Callable[[float], str]:
    """A score in the measure's own direction: what is minimised is shown as it was measured."""
    sign = -1.0 if settings.evaluation.direction == "min" else 1.0
    return lambda score: f"{sign * score:.6g}"


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns aligned left, two blanks between; the last one is as long as it is."""
    texts = [list(heads), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in texts) for column in range(len(heads))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in texts
    )


def as_json(data: Any) -> str:
    """Data for a script."""
    return json.dumps(data, indent=1, sort_keys=False, ensure_ascii=False)


def short(commit: str) -> str:
    """An abbreviated commit id."""
    return commit[:12]


def settings_of(started: Started) -> Settings:
    """The set-up that a run was started with."""
    return restore(started.settings["raw"])
