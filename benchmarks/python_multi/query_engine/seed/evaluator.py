"""Measures rowquery: its tests, then the bytecodes it executes for the workload (fewer is better).

Nothing the package says about itself is used. Its answers are compared with answers worked out
here, on the known data and on data nobody has seen; a package that is only fast on data it knows
is refused. Set SKYGIT_SPLIT=holdout to measure on other data.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "bench"))

import policy  # noqa: E402
import workload  # noqa: E402

PACKAGE = "rowquery"
SEEDS = {"train": 20240611, "holdout": 977}
UNSEEN_FORMS = (0, 1, 3, 4)
UNSEEN_SHARE = 0.8
FUEL = 3_000_000
SECONDS = 20


class Refused(ValueError):
    """The candidate is no valid solution; the message says why."""


def evaluate(program_path):
    """`combined_score` is the number of bytecodes executed: the lower the better. `error`: why there is none."""
    try:
        ops, loading = judged(Path(program_path).resolve())
    except Refused as error:
        return {"error": str(error)}
    return {"combined_score": ops, "metrics": {"bytecodes": ops, "loading": loading}}


def judged(root):
    """(bytecodes in all, of loading) of the package in a folder."""
    sources = read(root if root.is_dir() else root.parent)
    with tempfile.TemporaryDirectory() as folder:
        for path, text in sources.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        check_tests(folder)
        return measure(folder, SEEDS[os.environ.get("SKYGIT_SPLIT", "train")])


def read(root):
    """The package's sources by path. Refuses what could reach the counter, and what is no source."""
    files = [p for p in sorted((root / PACKAGE).rglob("*")) if "__pycache__" not in p.parts and not p.is_dir()]
    for path in files:
        if path.suffix != ".py" or path.is_symlink():
            raise Refused(f"only Python source may stand in the package, not {path.name}")
    sources = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in files}
    faults = policy.faults(sources, allowed=policy.ALLOWED | {PACKAGE})
    if faults:
        raise Refused("; ".join(faults[:5]))
    return sources


def check_tests(folder):
    """Refuse a package that fails the tests beside this file."""
    word = os.urandom(16).hex()
    done = python([str(HERE / "tests" / "run.py"), folder, word], "", folder)
    if done.returncode != 0 or not done.stdout.endswith(f"{word}\n"):
        lines = (done.stdout + done.stderr).strip().splitlines() or ["they ended early"]
        raise Refused("tests failed: " + " | ".join(lines[:1] + lines[-2:]))


def measure(folder, seed):
    """(bytecodes in all, of loading). Refuses wrong answers."""
    data = [workload.build(seed), workload.build(int.from_bytes(os.urandom(8), "big"), UNSEEN_FORMS)]
    result = metered(folder, data)
    for answers, asked in zip(result["answers"], data, strict=True):
        for given, wanted, question in zip(answers, workload.expected(asked), asked["questions"], strict=True):
            if json.dumps(given) != json.dumps(wanted):
                raise Refused(f"wrong answer to: {workload.text(question)}")
    known, unseen = result["ops"]
    if unseen > UNSEEN_SHARE * known:
        raise Refused(f"{known} bytecodes on the known data but {unseen} on a third as much that nobody has seen")
    return known + result["loading"], result["loading"]


def metered(folder, data):
    """What bench/meter.py reports over a channel of its own."""
    nonce = os.urandom(16).hex()
    receive, send = os.pipe()
    bench = HERE / "bench"
    job = {"root": folder, "package": PACKAGE, "workload": str(bench / "workload.py"), "data": data}
    job |= {"fuel": FUEL, "nonce": nonce, "channel": send}
    try:
        done = python([str(bench / "meter.py")], json.dumps(job), folder, keep=(send,))
    finally:
        os.close(send)
        with os.fdopen(receive, "rb") as channel:
            lines = [line for line in channel.read().decode("utf-8", "replace").splitlines() if line.startswith(nonce)]
    if len(lines) != 1:
        raise Refused(f"no measurement, status {done.returncode}: {done.stderr[-300:]}")
    result = json.loads(lines[0][len(nonce) :])
    if "error" in result:
        raise Refused(result["error"])
    return result


def python(arguments, text, folder, keep=()):
    """Run this Python without site packages and without the user's environment."""
    env = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.defpath}
    try:
        return subprocess.run(
            [sys.executable, "-S", *arguments],
            input=text,
            text=True,
            capture_output=True,
            cwd=folder,
            env=env,
            pass_fds=keep,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"not done after {SECONDS} s") from None


if __name__ == "__main__":
    outcome = evaluate(sys.argv[1] if len(sys.argv) > 1 else HERE)
    print(json.dumps(outcome))
    sys.exit("error" in outcome)
