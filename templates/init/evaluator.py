"""How good is a candidate? skygit calls `evaluate` with the path of the candidate's code.

Return a number (more is better) or a dict with `combined_score` and, if you like, `artifacts`:
text that is shown to the models with the next prompt. Raise an exception when a candidate
is wrong: it is then never a parent, whatever its score would have been.

As it stands, the score is minus the seconds that WORKLOAD takes. Put your own workload in its
place: something that takes seconds, says the same number twice, and fails for wrong results.
"""

import os
import subprocess
import time

WORKLOAD = {{workload}}


def evaluate(program_path):
    if not WORKLOAD:
        raise RuntimeError("WORKLOAD is empty: say in this file what is to be measured")
    folder = program_path if os.path.isdir(program_path) else os.path.dirname(program_path) or "."
    started = time.perf_counter()
    finished = subprocess.run(WORKLOAD, shell=True, cwd=folder, capture_output=True, text=True)
    seconds = time.perf_counter() - started
    if finished.returncode != 0:
        raise RuntimeError(f"the workload failed: {finished.stdout[-2000:]}{finished.stderr[-2000:]}")
    return {"combined_score": -seconds, "artifacts": {"seconds": f"{seconds:.3f}"}}
