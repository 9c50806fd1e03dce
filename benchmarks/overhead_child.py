"""One session in a process of its own, with a scripted model; prints what it used as JSON."""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random

import msgspec

from skygit.domain.brief import Call, Reply
from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.domain.event import Evaluated
from skygit.domain.history import History
from skygit.engine.limits import Limits
from skygit.engine.loop import Loop
from skygit.engine.world import World
from skygit.git.journal import runs
from skygit.ports import Command, Finished, Judgement, Recorded, Sandbox
from skygit.wire.parts import build_algorithm
from skygit.wire.runs import open_run, start_run
from skygit.wire.site import load_settings, open_site
from skygit.wire.world import build_world

KNOBS = 3
WARM = 20
CONFIG = """\
evaluation: {{command: {command}, score: {{source: metric, key: score}}, timeout: 20}}
scope: {{evolvable: ["knobs/*.py"]}}
llm: {{models: [{{model: scripted/instant, price: {{input: 1, output: 1}}}}]}}
search: {{meta_level: false}}  # advice would be a model call more, at unequal times
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """CPU milliseconds of an iteration after the first `WARM`, seconds of all, seconds until the loop was
    ready, peak memory, iterations of the run."""

    cpu_ms: float
    wall: float
    ready: float
    peak_mb: float
    iterations: int


def make_repository(folder: Path, *, files: int) -> Path:
    """A repository with three files that may change and many that may not."""
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True)
    lines = ["commit refs/heads/main", "committer t <t@t> 1700000000 +0000", "data 4", "base"]
    for number in range(files):
        path = f"knobs/k{number}.py" if number < KNOBS else f"lib/p{number // 100}/m{number}.py"
        text = f"KNOB_{number} = {number}.5\n\n\ndef value_{number}(x):\n    return x * KNOB_{number}\n"
        lines += [f"M 100644 inline {path}", f"data {len(text)}", text]
    stream = ("\n".join(lines) + "\n").encode()
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, check=True, input=stream)
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=folder, check=True)
    return folder


class InstantModel:
    """Turns three knobs in three files; the present values are read from the prompt."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def names(self) -> Sequence[str]:
        return ("scripted/instant",)

    def cease(self) -> None:
        """Nothing waits."""

    def complete(self, call: Call, rng: Random) -> Reply:
        time.sleep(self._seconds)
        prompt = "\n".join(message.text for message in call.messages)
        parts = [_hunk(number, prompt, rng) for number in range(KNOBS)]
        text = "Turn the knobs.\n\n```diff\n" + "".join(parts) + "```\n"
        return Reply(
            text=text, model="scripted/instant", prompt_tokens=len(prompt) // 4, completion_tokens=90, cost=0.0
        )


def _hunk(number: int, prompt: str, rng: Random) -> str:
    old = re.findall(rf"^KNOB_{number} = .*$", prompt, re.MULTILINE)[-1]
    new = f"KNOB_{number} = {rng.random():.9f}"
    return f"--- a/knobs/k{number}.py\n+++ b/knobs/k{number}.py\n@@\n-{old}\n+{new}\n"


@dataclass(slots=True)
class Metered:
    """A sandbox that adds up the CPU seconds of what ran in it."""

    inner: Sandbox
    cpu: float = 0.0

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def overlays(self) -> bool:
        return self.inner.overlays

    def run(self, command: Command) -> Finished:
        finished = self.inner.run(command)
        self.cpu += finished.cpu
        return finished

    def close(self) -> None:
        self.inner.close()


class Instant:
    """Judges by the ticket alone: how a long history is made quickly."""

    def judge(self, candidate: Candidate) -> Judgement:
        score = float(int(candidate.tree[:4], 16))
        return Judgement(evaluation=Evaluation(verdict=Verdict.PASSED, score=score, metrics={"score": score}))

    def stop(self) -> None:
        """Nothing runs."""

    def close(self) -> None:
        """Nothing runs."""


def main() -> None:
    """Run the session and print what it used."""
    arguments = _arguments()
    begun = time.monotonic()
    gauge = Gauge()
    world, loop = _loop(arguments, gauge)
    ready = time.monotonic() - begun
    start = time.monotonic()
    gauge.before = loop.history.iterations
    if arguments.iterations:
        loop.run()
    wall = time.monotonic() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    measured = Measured(cpu_ms=gauge.cpu_ms, wall=wall, ready=ready, peak_mb=peak, iterations=loop.history.iterations)
    world.repository.close()  # type: ignore[attr-defined]
    print(json.dumps(asdict(measured)))


@dataclass(slots=True)
class Gauge:
    """An observer that reads the CPU of the process tree, net of what ran in the sandbox, as iterations close."""

    before: int = 0
    meter: Metered | None = None
    _marks: list[tuple[int, float]] = field(default_factory=list)

    def __call__(self, recorded: Recorded, history: History) -> None:
        done = history.iterations - self.before
        if isinstance(recorded.event, Evaluated) and done >= WARM and done % WARM == 0:
            inside = self.meter.cpu if self.meter else 0.0
            self._marks.append((done, _tree_cpu() - inside))

    @property
    def cpu_ms(self) -> float:
        """CPU milliseconds per iteration between the first mark and the last."""
        if len(self._marks) < 2:
            return 0.0
        (first, low), (last, high) = self._marks[0], self._marks[-1]
        return 1000 * (high - low) / (last - first)


def _tree_cpu() -> float:
    """CPU seconds of this process, of its children that have ended, and of those that run and their children."""
    total = sum(os.times()[:4])
    tick = os.sysconf("SC_CLK_TCK")
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            total += sum(map(int, fields[11:15])) / tick
    return total


def _loop(arguments: argparse.Namespace, gauge: Gauge) -> tuple[World, Loop]:
    folder = Path(arguments.repository)
    command = ["/bin/sh", "-c", f"sleep {arguments.seconds}; echo METRIC score=1"] if arguments.seconds else []
    text = CONFIG.format(command=json.dumps(command or ["/bin/echo", "METRIC score=1"]))
    (folder / ".skydiscover.yaml").write_text(text)
    site = open_site(folder)
    settings = load_settings(site)
    if arguments.run not in [run.name for run in runs(site.repository)]:
        start_run(site, settings, name=arguments.run, base=site.repository.head())
    world = build_world(site, settings, open_run(site, settings, arguments.run), (gauge,), threading.Event())
    gauge.meter = Metered(world.sandbox)
    executor = Instant() if arguments.fast else replace(world.executor, sandbox=gauge.meter)  # type: ignore[type-var]
    world = replace(world, models=InstantModel(arguments.seconds), executor=executor)
    limits = Limits(models=arguments.parallel, evaluations=arguments.parallel)
    loop = Loop(world=world, algorithm=build_algorithm(settings, folder), limits=limits)
    total = arguments.iterations + (loop.history.iterations if arguments.more else 0)
    loop.limits = msgspec.structs.replace(limits, iterations=total)
    return world, loop


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository")
    parser.add_argument("run")
    parser.add_argument("iterations", type=int)
    parser.add_argument("--fast", action="store_true", help="judge without a process")
    parser.add_argument("--more", action="store_true", help="iterations are added to those of the run")
    parser.add_argument("--seconds", type=float, default=0.0, help="of a model call, and of an evaluation")
    parser.add_argument("--parallel", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
