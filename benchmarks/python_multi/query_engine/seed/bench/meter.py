"""Runs a package and counts the bytecodes it executes: `python meter.py < job`, started by a benchmark.

The job comes as JSON on stdin: `root`, `package`, `workload` (a file with `run(package, data)`),
`data` (a list), `fuel` (most bytecodes for each), `readable` (names of files it may read), `channel`
and `nonce`. The line `NONCE JSON` on the descriptor `channel` is the result:
`{"answers": [JSON, ...], "ops": [N, ...], "loading": N}` or `{"error": "..."}`.
Everything counts that runs below the package, the library included, so work cannot hide; only this
file, the workload and the import machinery do not. The count is the same on every machine with the
same Python. Processes, threads, tracing and reading of files by the package end the measurement.
"""

import importlib
import importlib.util
import json
import os
import sys

# What packages use most, loaded before the count begins so that importing it costs them nothing.
PRELOADED = (
    "abc bisect collections collections.abc contextlib copy dataclasses enum functools heapq itertools math "
    "operator re string struct time types typing"
).split()
FORBIDDEN = (
    "sys.settrace sys.setprofile sys.monitoring sys._current_frames sys.addaudithook os.system os.exec "
    "os.fork os.forkpty os.posix_spawn subprocess. socket. ctypes. gc. _thread.start_new_thread "
    "os.remove os.rename os.putenv shutil. mmap. pty. webbrowser. http. urllib. sqlite3. signal."
)


def main():
    job = json.load(sys.stdin)
    for name in PRELOADED:
        importlib.import_module(name)
    channel, nonce = job["channel"], job.pop("nonce")

    def report(result):
        os.write(channel, f"{nonce} {json.dumps(result)}\n".encode())
        os._exit(0)

    workload = load(job["workload"])
    sys.path[0] = job["root"]
    watch(job["root"], tuple(job["readable"]), report)
    sys.modules.pop("__main__")
    measure(job, workload, report)


def load(path):
    """The workload's module."""
    spec = importlib.util.spec_from_file_location("workload", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(job, workload, report):
    """Import the package, run the workload on each set of data, report answers and counts."""
    uncounted = (__file__, workload.__file__)
    dumps = json.dumps

    def cost(function, *arguments, apart=uncounted):
        return counted(function, arguments, job["fuel"], apart, report)

    if not cost(os.path.basename, "a/b", apart=())[1]:
        report({"error": "this Python cannot count bytecodes"})
    package, loading = cost(importlib.import_module, job["package"])
    # The answers become text while the count runs, so none of them can be worked out later.
    results = [cost(lambda data=data: dumps(workload.run(package, data))) for data in job["data"]]
    report({"answers": [text for text, _ in results], "ops": [count for _, count in results], "loading": loading})


def counted(function, arguments, fuel, uncounted, report, settrace=sys.settrace):
    """(result, bytecodes) of a call. Ends the measurement when it raises or runs out of fuel."""
    count = 0

    def step(frame, event, arg):
        nonlocal count
        if event == "opcode":
            count += 1
            if count > fuel:
                WATCHING.clear()
                settrace(None)
                report({"error": f"more than {fuel} bytecodes: given up"})
        return step

    def enter(frame, event, arg):
        name = frame.f_code.co_filename
        if name in uncounted or name.startswith("<frozen importlib"):
            return None
        frame.f_trace = step  # CPython 3.13 wants it set before opcodes are asked for
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return step

    sys._getframe().f_trace_opcodes = True  # CPython 3.12 looks for it when tracing starts
    settrace(enter)
    WATCHING.append(1)
    try:
        result, error = function(*arguments), ""
    except BaseException as problem:
        result, error = None, f"{type(problem).__name__}: {problem}"
    finally:
        WATCHING.clear()
        settrace(None)
    if error:
        report({"error": error})
    return result, count


WATCHING = []


def watch(root, readable, report):
    """End the measurement when the package reaches for what a computation does not need."""
    places = (root, sys.prefix, sys.base_prefix)
    allowed = tuple(os.path.realpath(place) + os.sep for place in places)
    forbidden = tuple(FORBIDDEN.split())
    watching = WATCHING

    def hook(event, arguments):
        if not watching:
            return
        if event == "open":
            path, mode = str(arguments[0]), str(arguments[1] or "r")
            good = path.endswith((".py", ".pyc", *readable)) and os.path.realpath(path).startswith(allowed)
            if good and not set(mode) & set("wax+"):
                return
        elif not event.startswith(forbidden):
            return
        report({"error": f"the package may not do this while it is measured: {event} {arguments!r:.200}"})

    sys.addaudithook(hook)


if __name__ == "__main__":
    main()
