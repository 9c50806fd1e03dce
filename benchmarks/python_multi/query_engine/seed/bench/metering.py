"""Starting the meter: sources are read and judged, copied to an empty folder, run in a process of their own."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import policy

BENCH = Path(__file__).resolve().parent
SECONDS = 20


class Refused(ValueError):
    """The candidate is no valid solution; the message says why."""


def sources_of(root, package, data_files=()):
    """The package's sources by path. `data_files` are names that may stand beside Python source."""
    files = [p for p in sorted((root / package).rglob("*")) if "__pycache__" not in p.parts and not p.is_dir()]
    for path in files:
        if path.is_symlink() or (path.suffix != ".py" and path.name not in data_files):
            raise Refused(f"only Python source may stand in the package, not {path.name}")
    try:
        return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in files}
    except UnicodeDecodeError as error:
        raise Refused(f"a file of the package is not UTF-8: {error}") from None


def refuse_tricks(sources, allowed=policy.ALLOWED, tolerated=frozenset()):
    """Refuse code that could reach the counter; faults in `tolerated` stood there before."""
    python = {path: text for path, text in sources.items() if path.endswith(".py")}
    faults = [fault for fault in policy.faults(python, allowed) if (fault.path, fault.name) not in tolerated]
    if faults:
        raise Refused("; ".join(str(fault) for fault in faults[:5]))


@contextlib.contextmanager
def unpacked(sources):
    """A folder that holds these sources and nothing else, so that nothing beside them can be imported."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in sources.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        yield folder


def metered(folder, package, data, fuel, readable=()):
    """What bench/meter.py reports for bench/workload.py over a channel of its own."""
    nonce = os.urandom(16).hex()
    receive, send = os.pipe()
    job = {"root": folder, "package": package, "workload": str(BENCH / "workload.py"), "data": data}
    job |= {"fuel": fuel, "readable": list(readable), "nonce": nonce, "channel": send}
    with os.fdopen(receive, "rb") as channel:
        try:
            done = python([str(BENCH / "meter.py")], json.dumps(job), folder, keep=(send,))
        finally:
            os.close(send)
        lines = [line for line in channel.read().decode("utf-8", "replace").splitlines() if line.startswith(nonce)]
    if len(lines) != 1:
        raise Refused(f"no measurement, status {done.returncode}: {done.stderr[-300:]}")
    result = json.loads(lines[0][len(nonce) :])
    if "error" in result:
        raise Refused(result["error"])
    result["answers"] = [json.loads(answer) for answer in result["answers"]]
    return result


def python(arguments, text, folder, keep=()):
    """Run this Python without site packages and without the user's environment."""
    env = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.defpath}
    command = [sys.executable, "-S", *arguments]
    try:
        return subprocess.run(
            command,
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
