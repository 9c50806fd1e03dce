"""What the benchmarks of fetched projects share: measure with the meter, compare with the original, tell.

Files that the scope protects are taken as they are; those that may change are refused when they
name a way into the interpreter that the original did not name (bench/policy.py).
"""

import os
from pathlib import Path

import metering
import policy
from metering import Refused

BENCH = Path(__file__).resolve().parent
ORIGINAL = BENCH / "original"
ALLOWED = policy.ALLOWED | {"time", "copy", "math", "fractions", "difflib", "codecs"}


def measured(root, package, evolvable, data, *, fuel, data_files=()):
    """What the meter reports about a package. Raises Refused."""
    sources = metering.sources_of(root, package, data_files)
    original = metering.sources_of(ORIGINAL, package, data_files)
    before = {(fault.path, fault.name) for fault in policy.faults(python_of(original), ALLOWED)}
    metering.refuse_tricks({path: sources[path] for path in evolvable if path in sources}, ALLOWED, before)
    with metering.unpacked(sources) as folder:
        return metering.metered(folder, package, data, budget(fuel), data_files)


def originals(package, data, fuel, data_files=()):
    """What the original answers to the same data."""
    with metering.unpacked(metering.sources_of(ORIGINAL, package, data_files)) as folder:
        return metering.metered(folder, package, data, fuel, data_files)["answers"]


def python_of(sources):
    return {path: text for path, text in sources.items() if path.endswith(".py")}


def budget(fuel):
    """The most bytecodes of one measurement: SKYGIT_FUEL, or the target's own."""
    return int(os.environ.get("SKYGIT_FUEL", fuel))


def chance():
    """A seed that nobody can foresee."""
    return int.from_bytes(os.urandom(8), "big")


def told(main, root):
    """Print the metrics that `main(root)` returns; the exit status, 1 with the reason when it refuses."""
    try:
        metrics = main(root)
    except Refused as error:
        print(f"refused: {error}")
        return 1
    for name, value in metrics.items():
        print(f"METRIC {name}={value}")
    return 0
