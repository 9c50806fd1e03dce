"""Judges placements of experts on GPUs: how even the load is, recomputed from the placement alone.

The program runs in a process of its own, sees the loads of one case after the other and sends back
whole numbers; nothing else it says is used. Set SKYGIT_SPLIT=holdout to judge on other loads.
"""

import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

SEEDS = {"train": 4101, "holdout": 8663}
# layers, experts, replicas, GPUs, how skewed the loads are
CASES = ((3, 32, 40, 8, 0.8), (3, 64, 80, 16, 1.1), (2, 48, 60, 12, 1.5), (2, 64, 72, 8, 0.6), (2, 60, 90, 15, 2.0))
SECONDS = 20
LONGEST = 1 << 20

RUN = """
import json, runpy, sys
import numpy as np
rebalance = runpy.run_path(sys.argv[1])["rebalance"]
answers = []
for case in json.load(sys.stdin):
    placed = rebalance(np.array(case["weight"]), case["replicas"], case["gpus"])
    answers.append(placed.tolist() if hasattr(placed, "tolist") else placed)
with open(int(sys.argv[2]), "w") as channel:
    json.dump(answers, channel)
"""


class Invalid(ValueError):
    """What the program gave is no placement; the text says why."""


def evaluate(program_path):
    """The mean balance over cases and layers as `combined_score`, or in `error` why there is none."""
    cases = [case(seed_of(i), *shape) for i, shape in enumerate(CASES)]
    try:
        answers = answered(Path(program_path).resolve(), cases)
        if not isinstance(answers, list) or len(answers) != len(cases):
            raise Invalid(f"{len(cases)} placements expected")
        balances = [balance(asked, given, i) for i, (asked, given) in enumerate(zip(cases, answers))]
    except Invalid as error:
        return {"error": str(error)}
    metrics = {f"case_{i}": value for i, value in enumerate(balances)}
    worst = min(metrics, key=metrics.get)
    return {
        "combined_score": sum(balances) / len(balances),
        "metrics": metrics,
        "artifacts": {"worst": f"{worst} (layers, experts, replicas, GPUs, skew: {CASES[balances.index(min(balances))]})"},
    }


def seed_of(index):
    return SEEDS[os.environ.get("SKYGIT_SPLIT", "train")] + index


def case(seed, layers, experts, replicas, gpus, skew):
    """Seeded loads: a few experts are hot, by a power law of the rank with noise, in another order per layer."""
    rng = random.Random(seed)
    weight = []
    for _ in range(layers):
        loads = [1000 / (rank + 1) ** skew * rng.uniform(0.6, 1.4) + rng.uniform(1, 9) for rank in range(experts)]
        rng.shuffle(loads)
        weight.append([float(round(load * 8)) for load in loads])
    return {"weight": weight, "replicas": replicas, "gpus": gpus}


def balance(asked, given, number):
    """Mean over the layers of mean GPU load / greatest GPU load; 1 is perfect. Raises Invalid."""
    weight, replicas, gpus = asked["weight"], asked["replicas"], asked["gpus"]
    where = f"case {number}"
    listed(given, len(weight), f"{where}: layers")
    total = 0.0
    for loads, layer in zip(weight, given):
        listed(layer, gpus, f"{where}: GPUs")
        for slots in layer:
            listed(slots, replicas // gpus, f"{where}: slots of a GPU")
        total += evenness(loads, layer, where)
    return total / len(weight)


def evenness(loads, layer, where):
    """Mean / greatest GPU load in one layer; an expert's load is split evenly over its replicas."""
    counts = [0] * len(loads)
    for slots in layer:
        for expert in slots:
            if type(expert) is not int or not 0 <= expert < len(loads):
                raise Invalid(f"{where}: {expert!r:.40} is no expert")
            counts[expert] += 1
    if 0 in counts:
        raise Invalid(f"{where}: expert {counts.index(0)} has no replica")
    gpu_loads = [sum(loads[expert] / counts[expert] for expert in slots) for slots in layer]
    return sum(loads) / len(gpu_loads) / max(gpu_loads)


def listed(value, length, where):
    """Raise Invalid unless the value is a list of this length."""
    if not isinstance(value, list) or len(value) != length:
        found = len(value) if isinstance(value, list) else type(value).__name__
        raise Invalid(f"{where}: {length} expected, found {found}")


def answered(program, cases):
    """What the program sends back for the cases, as plain JSON data."""
    receive, send = os.pipe()
    command = [sys.executable, "-B", "-c", RUN, str(program), str(send)]
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=(send,)
    )
    os.close(send)
    data = bytearray()
    reader = threading.Thread(target=drain, args=(receive, data), daemon=True)
    reader.start()
    try:
        _, said = child.communicate(json.dumps(cases).encode(), timeout=SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise Invalid(f"not done after {SECONDS} s") from None
    reader.join(1)
    if child.returncode != 0:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        raise Invalid(f"the program ended with status {child.returncode}: {lines[-1] if lines else ''}")
    return parsed(bytes(data))


def drain(receive, data):
    """Read the channel to its end, or until it is longer than any answer."""
    with os.fdopen(receive, "rb") as channel:
        while len(data) <= LONGEST and (piece := channel.read1(65536)):
            data += piece


def parsed(data):
    if len(data) > LONGEST:
        raise Invalid(f"an answer of more than {LONGEST} bytes")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise Invalid("no placement was given") from None


if __name__ == "__main__":
    outcome = evaluate(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("balancer.py"))
    print(json.dumps(outcome))
    sys.exit("error" in outcome)
