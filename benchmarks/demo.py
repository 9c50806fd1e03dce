"""The main job on a small multi-file code base: no key, no network, under two minutes.

    python -m benchmarks.demo [--folder DIR] [--iterations N] [--seed N]

Copies `benchmarks/python_multi/query_engine/seed` into a new git repository and types the
commands a user would type: check, evolve, review, show --diff.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SEED = Path(__file__).parent / "python_multi" / "query_engine" / "seed"
IDENTITY = ("-c", "user.name=demo", "-c", "user.email=demo@localhost")


def main() -> int:
    """Run the demo; 0 when a better commit was found and its branch is there."""
    arguments = _arguments()
    folder = Path(arguments.folder or tempfile.mkdtemp(prefix="skygit-demo-"))
    repository(folder)
    begun = time.monotonic()
    for words in (
        ["check"],
        ["evolve", "--iterations", str(arguments.iterations), "--seed", str(arguments.seed)],
        ["show", "best"],
        ["diff", "best"],
        ["review"],
    ):
        print(f"\n$ skygit {' '.join(words)}", flush=True)
        status = subprocess.run([sys.executable, "-m", "skygit", *words], cwd=folder, check=False).returncode
        if status:
            return status
    return _verdict(folder, time.monotonic() - begun)


def repository(folder: Path) -> None:
    """The example as a git repository with one commit."""
    shutil.copytree(SEED, folder, dirs_exist_ok=True)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], [*IDENTITY, "commit", "-qm", "The code base as it was"]):
        subprocess.run(["git", *words], cwd=folder, check=True)


def _verdict(folder: Path, seconds: float) -> int:
    asked = subprocess.run(
        [sys.executable, "-m", "skygit", "status", "--json"], cwd=folder, check=True, capture_output=True
    )
    facts = json.loads(asked.stdout)
    better = facts["best_score"] > facts["base_score"]
    print(f"\n{seconds:.0f} s; gain {facts['gain']}; the repository is {folder}")
    print("its branches:", flush=True)
    subprocess.run(["git", "--no-pager", "branch", "--list", "skygit*"], cwd=folder, check=True)
    return 0 if better else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", default="", help="where to put the repository; default a new temporary folder")
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--seed", type=int, default=6)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
