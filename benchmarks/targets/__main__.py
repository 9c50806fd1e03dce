"""`python -m benchmarks.targets NAME FOLDER`: the folder is then ready for `skygit check` and `skygit evolve`."""

import argparse
import sys
from pathlib import Path

from benchmarks.targets.fetch import TARGETS, FetchError, fetch


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.targets", description=__doc__)
    parser.add_argument("name", choices=sorted(TARGETS), help="the project, as the package index calls it")
    parser.add_argument("folder", type=Path, help="where it goes; must be empty or not exist")
    parser.add_argument("--sdist", type=Path, help="a source archive already fetched")
    arguments = parser.parse_args()
    try:
        fetch(arguments.name, arguments.folder, arguments.sdist)
    except FetchError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{arguments.folder}: {arguments.name} {TARGETS[arguments.name]}, ready. Next:")
    print(f"  cd {arguments.folder} && skygit evolve --iterations 30")
    return 0


if __name__ == "__main__":
    sys.exit(main())
