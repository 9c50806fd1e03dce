"""`skygit top`: the best candidates of a run."""

from pathlib import Path
from typing import Annotated

import typer

from skygit.cli.figures import as_json, natural, settings_of, short, table
from skygit.cli.selection import tell
from skygit.wire.site import open_site


def top(
    run: Annotated[str, typer.Argument(help="The run; the newest when left out.")] = "",
    *,
    number: Annotated[int, typer.Option("-n", help="How many.")] = 10,
    json: Annotated[bool, typer.Option("--json", help="For a script.")] = False,
) -> None:
    """The best candidates of a run."""
    told = tell(open_site(Path.cwd()), run)
    ranked = told.history.ranked()[:number]
    if json:
        facts = [
            {
                "ticket": judged.ticket,
                "commit": judged.candidate.commit,
                "score": judged.score,
                "island": judged.candidate.island,
                "generation": judged.candidate.generation,
                "metrics": judged.evaluation.metrics,
                "summary": judged.candidate.summary,
            }
            for judged in ranked
        ]
        print(as_json(facts))
        return
    show = natural(settings_of(told.started))
    rows = [
        (
            show(judged.score),
            f"#{judged.ticket}",
            short(judged.candidate.commit),
            judged.candidate.island,
            judged.candidate.generation,
            judged.candidate.summary,
        )
        for judged in ranked
    ]
    print(table(("score", "ticket", "candidate", "island", "generation", "what"), rows))
