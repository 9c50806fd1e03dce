"""What skygit itself costs, beside references taken in the same run.

    python -m benchmarks.overhead [--json] [--history N] [--repeat N] [--folder DIR]

CPU is counted over the whole process tree (skygit, git's helpers, the reaper and its
supervisors) and net of the evaluator's own process, from the 20th iteration of a session on,
so that start-up drops out. The model is
scripted and instant; prompts, the ladder, git, the journal and the sandbox are the real ones.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.overhead_child import Measured, make_repository

PEERS = "peers, without git: GEPA 1-4, OpenEvolve 6-45, SkyDiscover 7-763, ShinkaEvolve 149-191 ms"
SESSION = 220


def main() -> None:
    """Measure everything and print it."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory(prefix="skygit-overhead-", dir=arguments.folder or _quick()) as name:
        figures = measure(Path(name), history=arguments.history, repeat=arguments.repeat)
    print(json.dumps(figures, indent=1) if arguments.json else _report(figures))


def _quick() -> str | None:
    """A folder in memory where there is one: what a busy disk makes of a new file is not skygit's cost.

    ext4 passes over inodes deleted within the last minute one by one, so that a second run there costs more.
    """
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and shutil.disk_usage(memory).free > 2 << 30 else None


def measure(folder: Path, *, history: int, repeat: int) -> dict[str, float]:
    """All figures, by key."""
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    figures = {"python_start_ms": 1000 * median(_python() for _ in range(11))}
    for files in (300, 50_000):
        repository = make_repository(folder / f"files-{files}", files=files)
        costs = [_child(repository, f"cost-{number}", SESSION).cpu_ms for number in range(repeat)]
        figures[f"cpu_ms_{files}"] = median(costs)
    figures["files_ratio"] = figures["cpu_ms_50000"] / figures["cpu_ms_300"]
    return {**figures, **_history(folder, history), **_pipeline(folder)}


def _python() -> float:
    """CPU seconds of the smallest Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-S", "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _history(folder: Path, history: int) -> dict[str, float]:
    """At candidate `history` beside candidate 100; resuming, memory and disk there."""
    repository = make_repository(folder / "history", files=300)
    empty = _objects(repository)
    _child(repository, "late", 100, fast=True)
    early = _child(repository, "late", SESSION, more=True).cpu_ms
    _child(repository, "late", history, fast=True)
    on_disk = _objects(repository) - empty
    late = _child(repository, "late", SESSION, more=True).cpu_ms
    resumed = _child(repository, "late", 0)
    return {
        "history_ratio": late / early,
        "cpu_ms_at_100": early,
        "cpu_ms_at_history": late,
        "resume_s": resumed.ready,
        "peak_mb": resumed.peak_mb,
        "bytes_per_candidate": on_disk / history,
    }


def _pipeline(folder: Path) -> dict[str, float]:
    """Throughput with a model and an evaluation of one second each, 4 + 4 in flight.

    Ideal: the base, then the first reply, then as many evaluations a second as there are lanes.
    """
    repository = make_repository(folder / "pipeline", files=30)
    iterations, lanes = 80, 4
    taken = _child(repository, "pipeline", iterations, seconds=1.0, parallel=lanes).wall
    return {"pipeline_efficiency": (1 + 1 + iterations / lanes) / taken}


def _child(repository: Path, run: str, iterations: int, **options: object) -> Measured:
    words = [sys.executable, "-m", "benchmarks.overhead_child", str(repository), run, str(iterations)]
    words += [f"--{name}={value}" if value is not True else f"--{name}" for name, value in options.items()]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def _objects(repository: Path) -> int:
    return sum(file.stat().st_size for file in (repository / ".git" / "objects").rglob("*") if file.is_file())


def _report(figures: dict[str, float]) -> str:
    rows = [
        ("python -S -c pass", f"{figures['python_start_ms']:.1f} ms CPU", ""),
        ("an iteration, 300 files", f"{figures['cpu_ms_300']:.1f} ms CPU", "at most 12"),
        ("an iteration, 50,000 files", f"{figures['cpu_ms_50000']:.1f} ms CPU", ""),
        ("  beside 300 files", f"{figures['files_ratio']:.2f}", "at most 1.3"),
        ("an iteration after the history", f"{figures['cpu_ms_at_history']:.1f} ms CPU", ""),
        ("  beside candidate 100", f"{figures['history_ratio']:.2f}", "at most 1.2"),
        ("resume of the history", f"{figures['resume_s']:.2f} s", "at most 3"),
        ("peak memory there", f"{figures['peak_mb']:.0f} MB", "at most 120"),
        ("on disk per candidate", f"{figures['bytes_per_candidate']:.0f} bytes", "at most 4096"),
        ("pipeline, 1 s + 1 s, 4 + 4", f"{100 * figures['pipeline_efficiency']:.1f} %", "at least 95"),
    ]
    return "\n".join([*(f"{name:<32}{value:>14}   {wanted}".rstrip() for name, value, wanted in rows), PEERS])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--history", type=int, default=10_000, help="candidates of the long run")
    parser.add_argument("--folder", default="", help="where to work; default memory (/dev/shm) if there is any")
    parser.add_argument("--repeat", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
