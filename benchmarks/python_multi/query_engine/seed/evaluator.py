"""Measures rowquery: its tests, then the bytecodes it executes for the workload (fewer is better).

Nothing the package says about itself is used. Its answers are compared with answers worked out
here, on the known data and on data nobody has seen; a package that is only fast on data it knows
is refused. Set SKYGIT_SPLIT=holdout to measure on other data.
"""

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "bench"))

import metering  # noqa: E402
import policy  # noqa: E402
import workload  # noqa: E402
from metering import Refused  # noqa: E402

PACKAGE = "rowquery"
SEEDS = {"train": 20240611, "holdout": 977}
UNSEEN_FORMS = (0, 1, 3, 4)
UNSEEN_SHARE = 0.8
FUEL = 3_000_000


def evaluate(program_path):
    """`combined_score` is the number of bytecodes executed: the lower the better. `error`: why there is none."""
    root = Path(program_path).resolve()
    try:
        sources = metering.sources_of(root if root.is_dir() else root.parent, PACKAGE)
        metering.refuse_tricks(sources, policy.ALLOWED | {PACKAGE})
        with metering.unpacked(sources) as folder:
            check_tests(folder)
            ops, loading = measure(folder, SEEDS[os.environ.get("SKYGIT_SPLIT", "train")])
    except Refused as error:
        return {"error": str(error)}
    return {"combined_score": ops, "metrics": {"bytecodes": ops, "loading": loading}}


def check_tests(folder):
    """Refuse a package that fails the tests beside this file."""
    word = os.urandom(16).hex()
    done = metering.python([str(HERE / "tests" / "run.py"), folder, word], "", folder)
    if done.returncode != 0 or not done.stdout.endswith(f"{word}\n"):
        lines = (done.stdout + done.stderr).strip().splitlines() or ["they ended early"]
        raise Refused("tests failed: " + " | ".join(lines[:1] + lines[-2:]))


def measure(folder, seed):
    """(bytecodes in all, of loading). Refuses wrong answers."""
    data = [workload.build(seed), workload.build(int.from_bytes(os.urandom(8), "big"), UNSEEN_FORMS)]
    result = metering.metered(folder, PACKAGE, data, FUEL)
    for answers, asked in zip(result["answers"], data, strict=True):
        for given, wanted, question in zip(answers, workload.expected(asked), asked["questions"], strict=True):
            if json.dumps(given) != json.dumps(wanted):
                raise Refused(f"wrong answer to: {workload.text(question)}")
    known, unseen = result["ops"]
    if unseen > UNSEEN_SHARE * known:
        raise Refused(f"{known} bytecodes on the known data but {unseen} on a third as much that nobody has seen")
    return known + result["loading"], result["loading"]


if __name__ == "__main__":
    outcome = evaluate(sys.argv[1] if len(sys.argv) > 1 else HERE)
    print(json.dumps(outcome))
    sys.exit("error" in outcome)
