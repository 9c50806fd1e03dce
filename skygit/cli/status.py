"""`skygit status`: where a run stands."""

from pathlib import Path
from typing import Annotated, Any

import typer

from skygit.cli.figures import as_json, natural, settings_of, short, table
from skygit.cli.selection import Told, tell
from skygit.observers.console import gain
from skygit.wire.site import open_site


def status(
    run: Annotated[str, typer.Argument(help="The run; the newest when left out.")] = "",
    *,
    json: Annotated[bool, typer.Option("--json", help="For a script.")] = False,
) -> None:
    """Where a run stands: iterations, best, islands, spending, how it stopped."""
    told = tell(open_site(Path.cwd()), run)
    facts = _facts(told)
    if json:
        print(as_json(facts))
        return
    print(table(("run", told.name), [(key, value) for key, value in _lines(told, facts)]))


def _facts(told: Told) -> dict[str, Any]:
    history = told.history
    judged = bool(history.tickets) and 0 not in history.pending
    best = history.best
    return {
        "run": told.name,
        "base": told.started.base,
        "iterations": history.iterations,
        "open": sorted(history.pending),
        "base_score": history.base.evaluation.score if judged else None,
        "best_score": best.score if best else None,
        "best_commit": best.candidate.commit if best else None,
        "gain": gain(history) if judged else "-",
        "islands": {str(island): leader.score for island, leader in sorted(history.leaders.items())},
        "outcomes": dict(history.outcomes),
        "calls": history.spending.calls,
        "unpriced_calls": history.spending.unpriced,
        "cost_usd": history.spending.cost,
        "stopped": history.stopped.reason if history.stopped else None,
    }


def _lines(told: Told, facts: dict[str, Any]) -> list[tuple[str, str]]:
    show = natural(settings_of(told.started))
    history = told.history
    best = f"{show(facts['best_score'])} ({facts['gain']})  {short(facts['best_commit'])}" if history.best else "-"
    return [
        ("base", short(facts["base"]) + (f"  {show(facts['base_score'])}" if facts["base_score"] is not None else "")),
        ("iterations", f"{facts['iterations']}" + (f", open: {facts['open']}" if facts["open"] else "")),
        ("best", best),
        ("islands", "  ".join(f"{island}: {show(score)}" for island, score in facts["islands"].items()) or "-"),
        ("outcomes", ", ".join(f"{count} {word}" for word, count in history.outcomes.most_common()) or "-"),
        ("model calls", f"{facts['calls']} (${facts['cost_usd']:.4f}, {facts['unpriced_calls']} unpriced)"),
        (
            "stopped",
            f"{history.stopped.reason}: {history.stopped.message}" if history.stopped else "no: it may be running",
        ),
    ]
