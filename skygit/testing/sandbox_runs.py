"""Short ways to run something in a sandbox under test."""

import time
from pathlib import Path

from skygit.ports import Command, Finished, Layers, Sandbox, Slot

LATEST = 1.0
"""Seconds after its deadline by which a command must have been ended."""


def slot(folder: Path) -> Slot:
    """A slot without layers."""
    return Slot(folder=str(folder))


def run(sandbox: Sandbox, folder: Path, argv: tuple[str, ...]) -> Finished:
    """Run a program with time enough."""
    return sandbox.run(Command(argv=argv, slot=slot(folder), seconds=20))


def shell(
    sandbox: Sandbox, folder: Path, script: str, seconds: float = 20.0, env: dict[str, str] | None = None
) -> Finished:
    """Run a shell script."""
    return sandbox.run(Command(argv=("sh", "-c", script), slot=slot(folder), seconds=seconds, env=env or {}))


def timed(
    sandbox: Sandbox, folder: Path, script: str, seconds: float, env: dict[str, str] | None = None
) -> tuple[Finished, float]:
    """Run a shell script; how long the caller waited."""
    shell(sandbox, folder, "true")
    began = time.monotonic()
    finished = shell(sandbox, folder, script, seconds, env)
    return finished, time.monotonic() - began


def report(sandbox: Sandbox, folder: Path, script: str) -> Finished:
    """Run a shell script that may `say` lines on the result channel and knows the `$nonce`."""
    start = 'fd=${SKYGIT_RESULT%%:*}; nonce=${SKYGIT_RESULT#*:}; say() { echo "$1" > /dev/fd/$fd; }; '
    return sandbox.run(Command(argv=("sh", "-c", start + script), slot=slot(folder), channel=True, seconds=10))


def layered(root: Path, removed: tuple[str, ...]) -> Layers:
    """A base of five files, one of them changed above, in folders with awkward names."""
    lower, upper, work, folder = (root / f"{name}, with: signs" for name in ("lower", "upper", "work", "folder"))
    for path in (lower / "sub", upper, work, folder):
        path.mkdir(parents=True)
    for name, text in {"base": "base ", "changed": "old ", "gone": "", "sub/deep": "deep ", "sub/gone": ""}.items():
        (lower / name).write_text(text)
    (upper / "changed").write_text("new ")
    return Layers(lower=str(lower), upper=str(upper), work=str(work), removed=removed)
