"""Measures lzpack: builds it, runs its tests, packs and unpacks texts, adds up size and work (less is better).

cost = bits in the packed text per byte + WORK * basic blocks per byte, packing and unpacking together. The packed text is
what the packing process wrote, its size is counted here, and another process has to unpack it to
the same bytes, known texts and texts nobody has seen alike. Only src/ may change, main.c and meter.c
not. Set SKYGIT_SPLIT=holdout to measure on other texts. Needs make and a C compiler.
"""

import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EVOLVABLE = ("chains.c", "chains.h", "config.h", "match.c", "match.h", "pack.c", "unpack.c")
FIXED = ("lzpack.h", "main.c", "meter.c", "meter.h")
SEEDS = {"train": 51, "holdout": 92}
SIZE = 12_000
WORK = 0.01
SECONDS = 20
MOST_BLOCKS = 2000
UNSEEN_FACTOR = 1.25

INCLUDES = {"<stddef.h>", "<stdint.h>", "<stdlib.h>", "<string.h>", '"lzpack.h"'} | {f'"{name}"' for name in EVOLVABLE}
# What a library that computes needs none of: processes, files, the environment, other languages, the counter.
REFUSED = re.compile(
    r"\b(system|popen|fork|vfork|exec\w*|f?open\w*|fdopen|freopen|creat|mmap|syscall|dl\w+|getenv|secure_getenv|putenv|"
    r"setenv|environ|_?_?exit|_Exit|abort|atexit|on_exit|asm|__\w+|extern|weak|constructor|meter_\w+|blocks|running|"
    r"signal|raise|kill|p?read|p?write|dprintf|printf|main|longjmp|setjmp)\b|##|_Pragma|#\s*pragma|%:|\?\?|#\s*line|\[\[|\\\n"
)


class Refused(ValueError):
    """The candidate is no valid solution; the message says why."""


def evaluate(program_path):
    """`combined_score` is the cost, less is better; `error` says why there is none."""
    root = Path(program_path).resolve()
    try:
        for tool in ("make", "cc"):
            if not shutil.which(tool):
                raise Refused(f"{tool} is not installed")
        with tempfile.TemporaryDirectory() as folder:
            lay(root, Path(folder))
            make(folder, "test")
            make(folder, "measured")
            return measured(folder)
    except Refused as error:
        return {"error": str(error)}


def lay(root, folder):
    """A build folder with the candidate's library and everything else from beside this file."""
    shutil.copytree(HERE / "tests", folder / "tests")
    shutil.copy(HERE / "Makefile", folder / "Makefile")
    (folder / "src").mkdir()
    for name in FIXED:
        shutil.copy(HERE / "src" / name, folder / "src" / name)
    for name in EVOLVABLE:
        source = root / "src" / name
        if source.is_symlink() or not source.is_file():
            raise Refused(f"src/{name} is missing")
        text = source.read_text("utf-8", "replace")
        check(name, text)
        (folder / "src" / name).write_text(text, "utf-8")


def check(name, text):
    """Refuse what could reach files, processes or the counter."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    for number, line in enumerate(code.splitlines(), 1):
        included = re.match(r"\s*#\s*include\s*(\S+)", line)
        if included and included[1] not in INCLUDES:
            raise Refused(f"src/{name}:{number}: {included[1]} is not for measured code")
    if found := REFUSED.search(code) or REFUSED.search(text):
        raise Refused(f"src/{name}: {found[0]!r} is not for measured code")


def make(folder, goal):
    """Run make; refuse when it fails."""
    done = run(["make", "-s", goal], folder)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).decode("utf-8", "replace").strip().splitlines()
        raise Refused(f"make {goal} failed: " + " | ".join(said[:3]))


def measured(folder):
    """The result over the known texts; the unseen ones have to cost about as much."""
    seed = SEEDS[os.environ.get("SKYGIT_SPLIT", "train")]
    unseen = int.from_bytes(os.urandom(8), "big")
    bits, work = costs(folder, texts(seed))
    new_bits, new_work = costs(folder, texts(unseen))
    cost, new_cost = bits + WORK * work, new_bits + WORK * new_work
    if new_cost > UNSEEN_FACTOR * cost:
        raise Refused(f"a cost of {cost:.3f} on the known texts but {new_cost:.3f} on texts nobody has seen")
    return {"combined_score": cost, "metrics": {"bits_per_byte": bits, "blocks_per_byte": work}}


def costs(folder, corpus):
    """(packed bits per byte, blocks per byte) over the texts."""
    size = packed_size = blocks = 0
    for text in corpus:
        packed, packing = tool(folder, "pack", text)
        back, unpacking = tool(folder, "unpack", packed)
        if back != text:
            raise Refused("a text does not come back as it was")
        size += len(text)
        packed_size += len(packed)
        blocks += packing + unpacking
        if blocks > MOST_BLOCKS * size:
            raise Refused(f"more than {MOST_BLOCKS} blocks per byte")
    return 8 * packed_size / size, blocks / size


def tool(folder, goal, data):
    """(what the tool writes, blocks that ran)."""
    receive, send = os.pipe()
    with os.fdopen(receive, "rb") as channel:
        try:
            done = run([str(Path(folder, "measured")), goal, str(send)], folder, data, (send,))
        finally:
            os.close(send)
        count = channel.read().strip()
    if done.returncode != 0 or not count.isdigit():
        raise Refused(f"{goal} ended with status {done.returncode}")
    return done.stdout, int(count)


def run(command, folder, data=b"", keep=()):
    env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
    try:
        return subprocess.run(
            command, cwd=folder, env=env, input=data, capture_output=True, pass_fds=keep, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"{command[0]} was not done after {SECONDS} s") from None


def texts(seed):
    """Prose of a made-up language, a log, and records of numbers."""
    rng = random.Random(seed)
    return [prose(rng), log(rng), records(rng)]


def prose(rng):
    words = ["".join(rng.choice("aeiou" if i % 2 else "bdklmnrstv") for i in range(rng.randrange(2, 9))) for _ in range(400)]
    out = []
    while sum(map(len, out)) < SIZE:
        sentence = [words[min(int(rng.expovariate(0.012)), 399)] for _ in range(rng.randrange(4, 14))]
        out.append(" ".join(sentence).capitalize() + ". ")
    return "".join(out).encode()[:SIZE]


def log(rng):
    out, at = [], rng.randrange(1 << 30)
    while sum(map(len, out)) < SIZE:
        at += rng.randrange(1, 4000)
        level = rng.choice(["INFO", "INFO", "INFO", "WARN", "DEBUG"])
        what = rng.choice(["request served in {} ms", "cache miss for key {}", "worker {} restarted", "{} rows written"])
        out.append(f"{at // 1000}.{at % 1000:03d} {level} [pool-{rng.randrange(8)}] {what.format(rng.randrange(5000))}\n")
    return "".join(out).encode()[:SIZE]


def records(rng):
    rows, value = [], 1000
    for i in range(SIZE // 12):
        value += rng.randrange(-3, 4)
        rows.append(struct.pack("<IHHI", 70000 + i, value & 0xFFFF, rng.choice((0, 0, 1, 7)), rng.randrange(4) << 8))
    return b"".join(rows)


if __name__ == "__main__":
    outcome = evaluate(sys.argv[1] if len(sys.argv) > 1 else HERE)
    print(json.dumps(outcome))
    sys.exit("error" in outcome)
