"""Moves refs in transactions through one persistent `git update-ref --stdin`."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from skygit.git.command import Git, GitFailed, Running, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One ref to move. `old` is what it must name now: "" nothing at all, None whatever it likes."""

    ref: str
    new: str
    old: str | None = None


class RefWriter:
    """All moves of a transaction happen, or none. Safe to use from several threads."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._lock = threading.Lock()
        self._running: Running | None = None

    def read(self, pattern: str) -> Mapping[str, str]:
        """The refs that are `pattern` or lie below it, with the objects they name."""
        listed = text(self._git.run("for-each-ref", "--format=%(objectname) %(refname)", pattern))
        rows = (line.partition(" ") for line in listed.split("\n") if line)
        return {ref: oid for oid, _, ref in rows}

    def move(self, *moves: Move) -> None:
        """Move the refs in one transaction. Raises GitFailed, with nothing moved, when one cannot be."""
        with self._lock:
            self._say("".join(["start\n", *map(_line, moves), "prepare\n", "commit\n"]), "start", "prepare", "commit")

    def delete(self, *refs: str) -> None:
        """Delete the refs whatever they name."""
        with self._lock:
            lines = [f"option no-deref\ndelete {ref}\n" for ref in refs]
            self._say("".join(["start\n", *lines, "prepare\n", "commit\n"]), "start", "prepare", "commit")

    def close(self) -> None:
        """End the process. A later move starts another."""
        with self._lock:
            if self._running is not None:
                self._running.close()
                self._running = None

    def _say(self, words: str, *answers: str) -> None:
        """Speak the transaction. A process that somebody ended between two of them is replaced once."""
        if self._running is not None and self._running.owner.proc.poll() is not None:
            self._running.close()
            self._running = None
        if self._running is None:
            self._running = self._git.start("update-ref", "--stdin")
        running = self._running
        try:
            running.stdin.write(words.encode("utf-8", "surrogateescape"))
            running.stdin.flush()
        except BrokenPipeError:
            pass
        for answer in answers:
            if running.stdout.readline() != f"{answer}: ok\n".encode():
                self._running = None
                complaint = text(running.stderr.read())
                running.close()
                raise GitFailed(complaint.removeprefix("fatal: ").partition("\n")[0] or "git update-ref ended")


def _line(move: Move) -> str:
    old = "" if move.old is None else f" {move.old or '0' * len(move.new)}"
    return f"option no-deref\nupdate {move.ref} {move.new}{old}\n"
