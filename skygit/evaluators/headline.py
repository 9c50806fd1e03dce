"""The one line of a program's output that says most: what a model and a person read first.

The same failure gives the same line: folders, addresses and durations are taken out.
"""

import re
import signal

from skygit.ports import Finished

_LONGEST = 300
_FRAME = re.compile(r'^ +File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<name>.+))?$')
_RAISED = re.compile(r"^(?P<kind>[A-Za-z_][\w.]*)(?:: (?P<text>.*))?$")
_COMPILER = re.compile(r"^\S+?:\d+(?::\d+)?: (?:fatal )?error:.*$", re.MULTILINE)
_RUST = re.compile(r"^error(?:\[E\d+\])?: .+$", re.MULTILINE)
_SUMMARY = re.compile(r"\b\d+ (?:failed|errors?)\b(?:, \d+ \w+)*|\b\d+ passed\b(?:, \d+ \w+)*")
_UNSTABLE = (
    (re.compile(r"\S*skygit-cells-[^/\s]+/\d+"), "$TMPDIR"),
    (re.compile(r"\b0x[0-9a-fA-F]{4,}\b"), "0x..."),
    (re.compile(r" in \d+\.\d+ ?s(?:econds)?\b"), ""),
)


def headline(finished: Finished, folder: str) -> str:
    """Why it ended badly, as far as its output tells; "" when it said nothing."""
    stderr, stdout = (data.decode("utf-8", "replace") for data in (finished.stderr, finished.stdout))
    for text in (stderr, stdout):
        found = _traceback(text, folder) or _first(_COMPILER, text) or _first(_RUST, text)
        if found:
            return tidy(found, folder)
    return tidy(_last(_SUMMARY, stdout) or _last_line(stderr) or _last_line(stdout), folder)


def ending(status: int) -> str:
    """An exit status in words."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"


def tidy(text: str, folder: str) -> str:
    """One line of bounded length without what differs from run to run."""
    line = " ".join(text.replace(f"{folder}/", "").replace(folder, ".").split())
    for pattern, instead in _UNSTABLE:
        line = pattern.sub(instead, line)
    line = "".join(char if char.isprintable() else "?" for char in line)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."


def _traceback(text: str, folder: str) -> str:
    """The last Python traceback: what was raised, and the deepest line within the folder."""
    _, marker, rest = text.rpartition("Traceback (most recent call last):\n")
    lines = (rest if marker else text).splitlines()
    frames = [match for match in map(_FRAME.match, lines) if match]
    if not frames:
        return ""
    raised = _raised(lines)
    own = [frame for frame in frames if _within(frame["file"], folder)]
    if not own:
        return raised
    last = own[-1]
    where = f"{last['file']}:{last['line']}" + (f" in {last['name']}" if last["name"] else "")
    return f"{raised} ({where})"


def _raised(lines: list[str]) -> str:
    """The line below the frames; notes and chained output after it do not count."""
    at = max(index for index, line in enumerate(lines) if _FRAME.match(line))
    below = [line for line in lines[at + 1 :] if line and not line.startswith(" ")]
    return next((line for line in below if _RAISED.match(line)), below[0] if below else "error")


def _within(file: str, folder: str) -> bool:
    return file.startswith(f"{folder}/") or not file.startswith(("/", "<"))


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match.group() if match else ""


def _last(pattern: re.Pattern[str], text: str) -> str:
    return next((match.group() for match in reversed(list(pattern.finditer(text)))), "")


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")
