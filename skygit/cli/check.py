"""`skygit check`: prove a set-up before money is spent."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from skygit.cli.figures import natural
from skygit.cli.preflight import open_files
from skygit.config.settings import Settings
from skygit.domain.candidate import Candidate, base_candidate
from skygit.domain.draft import Refusal
from skygit.domain.scope import Scope
from skygit.edits.blocks import regions
from skygit.edits.donts import warnings
from skygit.errors import ConfigError, Outage
from skygit.languages.syntax import TreeSitterSyntax
from skygit.observers.console import duration
from skygit.ports import Executor, Judgement
from skygit.wire.parts import build_algorithm, build_models, build_scribe
from skygit.wire.runs import preview
from skygit.wire.site import Site, bundle, load_settings, open_site, scope_of
from skygit.wire.world import build_executor

REPLY_TOKENS = 1500
"""Tokens of a usual reply, for the estimate of the cost."""

TAIL = 12
"""Lines of a failing evaluation's output that are shown."""

LISTED = 12
"""Files that are named one by one."""


def check(
    *,
    times: Annotated[int, typer.Option(help="How often the base is measured.", min=1)] = 3,
    no_models: Annotated[bool, typer.Option("--no-models", help="Ask no model.")] = False,
) -> int:
    """Prove a set-up before money is spent: config, scope, blocks, templates, models, measure, cost."""
    site = open_site(Path.cwd())
    settings = load_settings(site)
    sealed = bundle(site, settings)
    scope = scope_of(settings, sealed)
    _say("config", f"{site.config.name} is valid; search {settings.search.algorithm}, proposer {settings.proposer}")
    for note in settings.notes:
        _say("note", note)
    build_algorithm(settings, site.config.parent)
    _say("sealed", ", ".join(sealed))
    problems = [*_scope(site, scope), *_templates(site, settings), *([] if no_models else _models(settings))]
    seconds = _measure(site, settings, times, problems)
    if seconds:
        _estimate(settings, seconds)
    for problem in problems:
        _say("problem", problem)
    print("next: skygit evolve" if not problems else "mend the problems above, then: skygit check")
    return 1 if problems else 0


def _say(what: str, text: str) -> None:
    print(f"{what:<10} {text}", flush=True)


def _scope(site: Site, scope: Scope) -> list[str]:
    tree = site.repository.tree(site.repository.head())
    files = open_files(site, scope, site.repository.head())
    if not files:
        return ["no committed file may change: see scope.evolvable (and commit what it names)"]
    named = ", ".join(files[:LISTED]) + (f" and {len(files) - LISTED} more" if len(files) > LISTED else "")
    _say("scope", f"{len(files)} files may change: {named}")
    return list(_blocks(files, tree.read))


def _blocks(files: Sequence[str], read: Callable[[str], bytes]) -> Iterator[str]:
    syntax = TreeSitterSyntax()
    for path in files:
        data = read(path)
        found = regions(path, data, syntax)
        if isinstance(found, Refusal):
            yield found.message
            continue
        if found.marked:
            labels = ", ".join(block.label or f"line {block.row + 1}" for block in found.blocks)
            _say("blocks", f"{path}: {labels}")
        for fault in syntax.faults(path, data)[:1]:
            _say("warning", f"{path} does not parse: {fault}")
        for warning in warnings(path, data, found, syntax):
            _say("warning", warning)


def _templates(site: Site, settings: Settings) -> list[str]:
    try:
        build_scribe(settings, site.config.parent).check()
    except ConfigError as error:
        return [str(error)]
    _say("templates", "every template can be filled")
    return []


def _models(settings: Settings) -> list[str]:
    problems = []
    pool = build_models(settings, threading.Event())
    for name in pool.names():
        try:
            reply = pool.check(name)
        except Outage as error:
            problems.append(str(error))
            continue
        price = "unpriced" if reply.cost is None else f"${reply.cost:.6f}"
        _say("model", f"{name} answers ({reply.prompt_tokens} + {reply.completion_tokens} tokens, {price})")
    if not pool.names():
        _say("model", "none configured: built-in mutation proposes")
    return problems


def _measure(site: Site, settings: Settings, times: int, problems: list[str]) -> float:
    """Measure the base; its median duration in seconds, 0 when it does not pass."""
    opened = preview(site, settings)
    judging = build_executor(site, settings, opened.started, opened.sealed)
    base = opened.started.base
    candidate = base_candidate(base, site.repository.tree_id(base))
    try:
        taken = list(_taken(judging.executor, candidate, settings, times))
    finally:
        judging.executor.close()
    return _reported(settings, taken, problems)


def _taken(executor: Executor, candidate: Candidate, settings: Settings, times: int) -> Iterator[Judgement]:
    """Measure until it fails; each measurement is told when it is done."""
    show = natural(settings)
    for number in range(1, times + 1):
        judgement = executor.judge(candidate)
        score = judgement.evaluation.score
        found = show(score) if score is not None else str(judgement.evaluation.verdict)
        _say("measuring", f"{number} of {times}: {found}, {judgement.seconds:.3g} s")
        yield judgement
        if score is None:
            return


def _reported(settings: Settings, taken: Sequence[Judgement], problems: list[str]) -> float:
    failed = [one.evaluation for one in taken if not one.evaluation.passed]
    if failed:
        _tail(next(one for one in taken if not one.evaluation.passed))
        stage = f" in stage {failed[0].stage}" if failed[0].stage else ""
        problems.append(f"the base does not pass its own evaluation{stage}: {failed[0].verdict}: {failed[0].message}")
        return 0.0
    scores = [one.evaluation.score for one in taken if one.evaluation.score is not None]
    show, seconds = natural(settings), median(one.seconds for one in taken)
    spread = max(scores) - min(scores)
    relative = f", {100 * spread / abs(median(scores)):.3g} %" if median(scores) else ""
    noise = "no spread" if spread == 0 else f"spread {spread:.3g}{relative}"
    where = taken[0].evaluation.sandbox
    _say("measure", f"base {show(median(scores))} over {len(scores)} runs ({noise}), {seconds:.3g} s each, in {where}")
    if spread > 0 and settings.evaluation.repeats == 1:
        _say("warning", "the measure is noisy: a gain within the spread means nothing; raise evaluation.repeats")
    return seconds


def _tail(judgement: Judgement) -> None:
    """The end of what the failing command printed: that is what has to be mended."""
    for name in ("stdout.txt", "stderr.txt"):
        lines = judgement.papers.get(name, b"").decode("utf-8", "replace").rstrip().splitlines()
        for line in lines[-TAIL:]:
            _say(name.removesuffix(".txt"), line)


def _estimate(settings: Settings, seconds: float) -> None:
    planned, parallel = settings.llm.max_iterations, settings.limits.evaluations_in_flight
    time = duration(planned * seconds / parallel)
    models = settings.llm.models
    if not models:
        _say("estimate", f"{planned} iterations: about {time}, no model cost")
        return
    priced = [model for model in models if model.price is not None]
    cost = "cost unknown: no llm.models[].price is set"
    if len(priced) == len(models):
        total = sum(model.weight for model in models)
        each = sum(
            model.weight
            / total
            * (settings.proposals.context_tokens * model.price.input + REPLY_TOKENS * model.price.output)
            / 1e6
            for model in models
            if model.price is not None
        )
        cost = f"at most about ${planned * each:.2f} with full prompts and no repairs"
    _say("estimate", f"{planned} iterations: evaluations about {time} beside the models' own time; {cost}")
