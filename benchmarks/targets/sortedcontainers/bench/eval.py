"""Prints `METRIC instructions=N`: machine instructions of a mixed workload, counted by valgrind, imports subtracted.

Status 1 when an answer differs from the original's. A count of bytecodes would not see what lists cost in C.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import metering
import policy
import target

SEEDS = {"train": 1, "holdout": 2}
ROUNDS = 9_000
PACKAGE = "sortedcontainers"
EVOLVABLE = [f"{PACKAGE}/{name}.py" for name in ("sortedlist", "sorteddict", "sortedset")]
WORKLOAD = str(target.BENCH / "workload.py")
VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
SECONDS = 120


def main(root):
    if not shutil.which("valgrind"):
        raise target.Refused("valgrind is not installed")
    sources = metering.sources_of(root, PACKAGE)
    original = metering.sources_of(target.ORIGINAL, PACKAGE)
    before = {(fault.path, fault.name) for fault in policy.faults(original, target.ALLOWED)}
    metering.refuse_tricks({path: sources[path] for path in EVOLVABLE}, target.ALLOWED, before)
    seed = SEEDS[os.environ.get("SKYGIT_SPLIT", "train")]
    with metering.unpacked(sources) as folder, metering.unpacked(original) as old:
        for number, rounds in ((target.chance(), ROUNDS // 8), (seed, ROUNDS)):
            if out(folder, number, rounds) != out(old, number, rounds):
                raise target.Refused("another answer than the original's")
        return {"instructions": count(folder, seed, ROUNDS) - count(folder, seed, 0)}


def out(folder, seed, rounds):
    """What the workload prints."""
    done = run((), folder, seed, rounds)
    if done.returncode != 0:
        raise target.Refused(f"status {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def count(folder, seed, rounds):
    """Machine instructions of one run."""
    done = run(VALGRIND, folder, seed, rounds)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not found:
        raise target.Refused(f"no count, status {done.returncode}: {done.stderr[-200:]}")
    return int(found[1].replace(",", ""))


def run(prefix, folder, seed, rounds):
    command = [*prefix, os.path.realpath(sys.executable), "-S", "-B", WORKLOAD, folder, str(seed), str(rounds)]
    env = {"PYTHONHASHSEED": "0", "PATH": os.environ.get("PATH", os.defpath)}
    try:
        return subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise target.Refused(f"not done after {SECONDS} s") from None


if __name__ == "__main__":
    sys.exit(target.told(main, Path(__file__).resolve().parent.parent))
