"""Judges a packing of 26 circles in the unit square: the sum of the radii, recomputed.

The program runs in a process of its own and sends plain numbers; nothing it says about them
is believed. Standard library only; the program may use numpy.
"""

import json
import math
import os
import select
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path

CIRCLES = 26
TOLERANCE = 1e-9
SECONDS = 30.0
LONGEST = 65536

RUN = """
import json, runpy, sys
centers, radii, _ = runpy.run_path(sys.argv[1])["run_packing"]()
plain = [one.tolist() if hasattr(one, "tolist") else one for one in (centers, radii)]
open(int(sys.argv[2]), "w").write(json.dumps(plain))
"""


class Invalid(Exception):
    """What the program gave is no packing; the text says why."""


def evaluate(program_path):
    """The sum of the radii as `combined_score`, or in `error` why it is no packing."""
    try:
        centers, radii = plain_packing(_answer(Path(program_path).resolve()))
        total = score(centers, radii)
    except Invalid as error:
        return {"error": str(error)}
    return {"combined_score": total, "circles": CIRCLES, "artifacts": {"tight": _tight(centers, radii)}}


def plain_packing(answer):
    """Centers and radii as lists of floats, from decoded JSON. Raises Invalid for any other shape."""
    if type(answer) is not list or len(answer) != 2:
        raise Invalid("the answer is not (centers, radii)")
    centers, radii = answer
    if type(centers) is not list or len(centers) != CIRCLES:
        raise Invalid(f"centers must have the shape ({CIRCLES}, 2)")
    if type(radii) is not list or len(radii) != CIRCLES:
        raise Invalid(f"radii must have the shape ({CIRCLES},)")
    if any(type(center) is not list or len(center) != 2 for center in centers):
        raise Invalid(f"centers must have the shape ({CIRCLES}, 2)")
    return [(_finite(x), _finite(y)) for x, y in centers], [_finite(radius) for radius in radii]


def score(centers, radii):
    """The sum of the radii of a valid packing of plain floats. Raises Invalid for any other."""
    for number, ((x, y), radius) in enumerate(zip(centers, radii, strict=True)):
        if radius < 0:
            raise Invalid(f"circle {number} has a negative radius")
        if min(x, y, 1 - x, 1 - y) < radius - TOLERANCE:
            raise Invalid(f"circle {number} at ({x:.6f}, {y:.6f}) with radius {radius:.6f} leaves the square")
    for (one, (place, radius)), (other, (second, more)) in combinations(enumerate(zip(centers, radii, strict=True)), 2):
        if math.dist(place, second) < radius + more - TOLERANCE:
            raise Invalid(f"circles {one} and {other} overlap")
    return math.fsum(radii)


def _finite(value):
    if type(value) not in (int, float) or abs(value) > 2 or not math.isfinite(value):
        raise Invalid(f"{str(value)[:40]} is not a number a packing can hold")
    return float(value)


def _answer(program):
    """What the program sends on a pipe of its own; its prints go elsewhere and mean nothing."""
    reading, writing = os.pipe()
    env = {name: value for name, value in os.environ.items() if not name.startswith("SKYGIT_")}
    command = [sys.executable, "-c", RUN, str(program), str(writing)]
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        child = subprocess.Popen(
            command,
            pass_fds=(writing,),
            env=env,
            cwd=program.parent,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        os.close(writing)
        try:
            data = _read(pipe, time.monotonic() + SECONDS)
            status = child.wait(timeout=SECONDS)
        finally:
            child.kill()
            child.wait()
    if status != 0:
        raise Invalid(f"the program ended with status {status}")
    return _decoded(data)


def _read(pipe, deadline):
    data = b""
    while len(data) <= LONGEST:
        ready, _, _ = select.select([pipe], [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            raise Invalid(f"no answer within {SECONDS:g} seconds")
        part = pipe.read(LONGEST)
        if not part:
            return data
        data += part
    raise Invalid("the answer is too long")


def _decoded(data):
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Invalid("the program sent no packing") from error


def _tight(centers, radii):
    """The smallest circles, which a better packing would let grow."""
    smallest = sorted(range(CIRCLES), key=radii.__getitem__)[:5]
    shown = (f"circle {at} at ({centers[at][0]:.4f}, {centers[at][1]:.4f}): radius {radii[at]:.4f}" for at in smallest)
    return "the five smallest circles\n" + "\n".join(shown)
