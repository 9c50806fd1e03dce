"""Prints `METRIC ops=N`: bytecodes A* executes on eight grids. Status 1 and a reason when a path is wrong."""

import os
import sys
from pathlib import Path

import target
import workload

SEEDS = {"train": 1, "holdout": 2}
FUEL = 6_000_000
UNSEEN_SHARE = 0.75
CORE = [f"pathfinding/core/{name}.py" for name in ("grid", "heap", "heuristic", "node", "util")]
FINDER = [f"pathfinding/finder/{name}.py" for name in ("a_star", "finder")]


def main(root):
    data = [workload.build(SEEDS[os.environ.get("SKYGIT_SPLIT", "train")]), workload.build(target.chance(), 2)]
    result = target.measured(root, "pathfinding", [*CORE, *FINDER], data, fuel=FUEL)
    for grids, paths in zip(data, result["answers"], strict=True):
        for rows, path in zip(grids, paths, strict=True):
            if reason := workload.fault(rows, path):
                raise target.Refused(reason)
    known, unseen = result["ops"]
    if unseen > UNSEEN_SHARE * known:
        raise target.Refused(f"{known} bytecodes on the known grids but {unseen} on two that nobody has seen")
    return {"ops": known + result["loading"]}


if __name__ == "__main__":
    sys.exit(target.told(main, Path(__file__).resolve().parent.parent))
