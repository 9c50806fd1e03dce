"""`skygit evolve`: start a run, or go on with the newest unfinished one."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import isfinite
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from skygit.cli.figures import as_json, natural, short
from skygit.cli.preflight import noise, require_scope, uncommitted
from skygit.cli.selection import Chosen, choose, remembered, tell
from skygit.domain.event import Started, Stopped
from skygit.domain.history import History
from skygit.engine.limits import Limits
from skygit.engine.loop import Loop
from skygit.errors import UserError
from skygit.git.lock import writing
from skygit.git.snapshot import snapshot
from skygit.observers.console import Console, gain
from skygit.wire.parts import build_algorithm, build_limits
from skygit.wire.runs import open_run, start_run
from skygit.wire.site import Site, bundle, load_settings, open_site
from skygit.wire.world import build_world

EXIT = {"denied": 1, "outage": 1, "disk": 1, "base": 1, "interrupted": 130}
"""Exit status by the reason a session ended; every other one is 0."""

PAUSED = ("interrupted", "time", "outage", "denied", "disk", "budget", "model-calls", "bug")
"""Reasons after which a session goes on with what is left of the iterations."""


def evolve(
    *,
    iterations: Annotated[str, typer.Option(help="The run's total, or +N for N more.")] = "",
    run: Annotated[str, typer.Option(help="The run to start or to go on with.")] = "",
    model: Annotated[list[str] | None, typer.Option(help="A model as LiteLLM names it; may be repeated.")] = None,
    algorithm: Annotated[str, typer.Option(help="The search algorithm.")] = "",
    seed: Annotated[int | None, typer.Option(help="The run's seed.")] = None,
    parallel: Annotated[int | None, typer.Option(help="Model calls in flight, and as many evaluations.")] = None,
    budget_usd: Annotated[float | None, typer.Option(help="Most US dollars for the run.")] = None,
    max_time: Annotated[str, typer.Option(help="Most time for this session, e.g. 90m.")] = "",
    target: Annotated[str, typer.Option(help="Stop at this score.")] = "",
    include_dirty: Annotated[bool, typer.Option("--include-dirty", help="Evolve the checkout as it is now.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The summary for a script; nothing else on stdout.")] = False,
) -> int:
    """Evolve this repository: proposes, judges and keeps candidates until a limit is reached."""
    site = open_site(Path.cwd())
    if iterations and not iterations.removeprefix("+").isdigit():
        raise UserError(f"--iterations {iterations}: expected a number, or +N for N more")
    typed = _typed(
        **{
            "llm.max_iterations": int(iterations) if iterations.isdigit() else None,
            "search.algorithm": algorithm,
            "seed": seed,
            "limits.parallel": parallel,
            "limits.budget_usd": budget_usd,
            "limits.max_time": max_time,
            "limits.target": _number(target, "--target") if target else None,
        }
    )
    if model:
        typed["llm.models"] = [{"model": name} for name in model]
    more = int(iterations) if iterations.startswith("+") else 0
    return Session(site, typed, quiet=json).start(wanted=run, more=more, include_dirty=include_dirty)


class Session:
    """One sitting with a run: choose it, go on with it, tell how it ended."""

    def __init__(self, site: Site, typed: dict[str, Any], *, quiet: bool) -> None:
        self._site = site
        self._typed = typed
        self._settings = load_settings(site, typed)
        self._quiet = quiet
        self._natural = natural(self._settings)

    def start(self, *, wanted: str, more: int, include_dirty: bool) -> int:
        """Run the session; the exit status. `more` iterations are added to those the run has."""
        for note in [*self._settings.notes, *noise(self._settings)]:
            self._say(f"note: {note}")
        base = self._base(include_dirty=include_dirty)
        chosen = choose(self._site, self._typed, wanted=wanted, base=base)
        with writing(self._site.repository, chosen.name), closing(self._site.repository):
            if chosen.new:
                require_scope(self._site, self._settings, base)
                self._typed |= {"llm.max_iterations": more} if more else {}
                self._settings = load_settings(self._site, self._typed)
                kept = {key: value for key, value in self._typed.items() if key != "limits.max_time"}
                start_run(self._site, self._settings, name=chosen.name, base=base, typed=kept)
            else:
                self._remember(chosen.name, more)
            return self._go(chosen)

    def _remember(self, name: str, more: int) -> None:
        """Options typed for the run in earlier sessions hold, unless they were typed anew."""
        history = tell(self._site, name).history
        if more:
            self._typed["llm.max_iterations"] = history.iterations + more
        self._typed = {**remembered(history.settings), **self._typed}
        self._settings = load_settings(self._site, self._typed)

    def _base(self, *, include_dirty: bool) -> str:
        repository, sealed = self._site.repository, bundle(self._site, self._settings)
        head = repository.head()
        if include_dirty:
            return snapshot(repository, leave=sealed)
        for note in uncommitted(repository.uncommitted(), sealed, head):
            self._say(f"note: {note}")
        return head

    def _go(self, chosen: Chosen) -> int:
        stop = threading.Event()
        limits = build_limits(self._settings)
        opened = open_run(self._site, self._settings, chosen.name)
        console = self._console(limits)
        world = build_world(self._site, self._settings, opened, [console], stop)
        algorithm = build_algorithm(self._settings, self._site.config.parent)
        loop = Loop(world=world, algorithm=algorithm, limits=limits)
        if loop.history.iterations >= loop.limits.iterations:
            world.executor.close()
            return self._already(chosen.name, loop.history)
        self._introduce(chosen, world.proposer, loop, opened.started)
        self._adjust(loop)
        console.begin(loop.history)
        with opened.journal.ballast, _interruptible(loop, stop):
            stopped = loop.run()
        console.end()
        for note in opened.journal.notes:
            self._say(f"note: {note}")
        return self._summary(chosen.name, loop, stopped)

    def _console(self, limits: Limits) -> Console:
        stream = sys.stderr if self._quiet else sys.stdout
        live = stream.isatty()
        return Console(
            write=lambda text: (stream.write(text), stream.flush()),
            natural=self._natural,
            iterations=limits.iterations,
            live=live,
            clock=time.monotonic,
            width=(os.get_terminal_size(stream.fileno()).columns or 80) - 1 if live else 0,
        )

    def _adjust(self, loop: Loop) -> None:
        """Record what may change in a run and did."""
        before, kept = loop.history.settings, {**self._typed}
        kept.pop("limits.max_time", None)
        now = {"changeable": self._settings.changeable(), "typed": kept}
        if any(before.get(key) != value for key, value in now.items()):
            loop.adjust(now)

    def _introduce(self, chosen: Chosen, proposer: object, loop: Loop, started: Started) -> None:
        verb = "run" if chosen.new else "going on with run"
        names = ", ".join(model.model for model in self._settings.llm.models)
        who = names or "built-in mutation (no model is configured)"
        self._say(f"{verb} {chosen.name}: {self._settings.search.algorithm}, {who}, base {short(started.base)}")
        if chosen.why:
            self._say(f"note: a new run, because {chosen.why}")

    def _already(self, name: str, history: History) -> int:
        done = history.iterations
        self._say(f"run {name} has its {done} iterations: `skygit evolve --iterations +{max(done, 10)}` goes on")
        return self._result(name, history, "iterations", f"{done} iterations were done before")

    def _summary(self, name: str, loop: Loop, stopped: Stopped) -> int:
        history = loop.history
        self._say(f"stopped: {stopped.message}")
        if history.tickets and 0 not in history.pending and history.base.evaluation.passed:
            self._told(name, history)
        left = loop.limits.iterations - history.iterations
        if left > 0 and stopped.reason in PAUSED:
            self._say(f"to go on: skygit evolve --run {name}")
        return self._result(name, history, stopped.reason, stopped.message)

    def _told(self, name: str, history: History) -> None:
        best, base = history.best, history.base
        assert best is not None
        counts = ", ".join(f"{count} {word}" for word, count in history.outcomes.most_common() if count)
        if counts:
            self._say(f"{history.iterations} iterations: {counts}")
        if history.spending.calls:
            spent = history.spending
            unpriced = f", {spent.unpriced} of them unpriced" if spent.unpriced else ""
            tokens = spent.prompt_tokens + spent.completion_tokens
            self._say(f"{spent.calls} model calls{unpriced}, {tokens} tokens, ${spent.cost:.4f}")
        if best.ticket == 0:
            self._say(f"no candidate beat the base ({self._natural(base.score)})")
            self._say(f"next: skygit log {name}")
            return
        self._say(f"best {self._natural(best.score)}, base {self._natural(base.score)} ({gain(history)})")
        self._say(f"branch skygit/{name}/best is {short(best.candidate.commit)}: {best.candidate.summary}")
        self._say("next: skygit review" if history.iterations else "next: skygit evolve")

    def _result(self, name: str, history: History, reason: str, message: str) -> int:
        if self._quiet:
            print(as_json(_facts(name, history, reason, message)))
        return EXIT.get(reason, 0)

    def _say(self, line: str) -> None:
        print(line, file=sys.stderr if self._quiet else sys.stdout, flush=True)


def _typed(**given: Any) -> dict[str, Any]:
    return {key: value for key, value in given.items() if value not in ("", None)}


def _number(text: str, option: str) -> float:
    try:
        number = float(text)
    except ValueError as error:
        raise UserError(f"{option} {text}: expected a number") from error
    if not isfinite(number):
        raise UserError(f"{option} {text}: expected a finite number")
    return number


def _facts(name: str, history: History, reason: str, message: str) -> dict[str, Any]:
    best = history.best
    return {
        "run": name,
        "reason": reason,
        "message": message,
        "iterations": history.iterations,
        "best": best and {"commit": best.candidate.commit, "score": best.score, "metrics": best.evaluation.metrics},
        "gain": gain(history) if history.tickets and 0 not in history.pending else "",
        "outcomes": dict(history.outcomes),
        "calls": history.spending.calls,
        "cost_usd": history.spending.cost,
        "unpriced_calls": history.spending.unpriced,
    }


@contextmanager
def _interruptible(loop: Loop, stop: threading.Event) -> Iterator[None]:
    """The first Ctrl-C ends the session cleanly, the second one at once; either way it goes on later."""
    pressed = 0

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed += 1
        if pressed > 1:
            os.write(2, b"\nstopped at once; `skygit evolve` goes on\n")
            os._exit(130)
        os.write(2, b"\nstopping: replies that are being paid are awaited (Ctrl-C again stops at once)\n")
        stop.set()
        loop.stop("interrupted", "interrupted; `skygit evolve` goes on with this run")

    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, interrupt) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
