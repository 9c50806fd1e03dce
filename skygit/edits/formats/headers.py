"""The header lines of a file section of a unified diff."""

import re
from collections.abc import Sequence
from typing import Final

from skygit.edits.neutral import NOWHERE, Hunk, Section
from skygit.edits.quoting import unquoted

_EXTENDED: Final = re.compile(
    r"(index [0-9a-fA-F]{4,}\.\.|(?:dis)?similarity index \d|old mode |new mode |new file mode |deleted file mode "
    r"|rename (?:from|to) |copy (?:from|to) |GIT binary patch|Binary files |Index: |={10,}$)"
)
_MODE = re.compile(r"(?:old|new|new file|deleted file) mode (\d{5,6})\s*$")
_STAMP = re.compile(
    r"(\t.*|\s+\d{4}-\d\d-\d\d[ T]\d\d:.*|\s+\((?:revision \d+|working copy|nonexistent|original|modified|new)\)\s*)$"
)
_DIFFER = re.compile(r"Binary files (.+) and (.+) differ\s*$")
_HUNK = re.compile(r"@@(?:\s|-|$)")


def is_header(lines: Sequence[str], at: int, *, fenced: bool, within: bool = False) -> bool:
    """Whether a file section begins here. `within` a hunk, "--- x" is a removed line unless "+++ y" follows."""
    line, after = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
    if line.startswith("diff --git "):
        return True
    if line.startswith("--- "):
        return after.startswith("+++ ") or (not within and _HUNK.match(after) is not None)
    if line.startswith("+++ "):
        return _HUNK.match(after) is not None if not within else _second(line, after)
    if line.startswith("Index: "):
        return after.startswith("=====") or not within
    return not within and fenced and line.startswith(("rename from ", "old mode ", "GIT binary patch", "Binary files "))


def plain(line: str) -> bool:
    """Whether a line may be the first of a hunk that lacks its @@ line."""
    return not _EXTENDED.match(line) and line.strip() != "" and not line.startswith("*** ")


class Headers:
    """The header of one file section, read line by line."""

    def __init__(self) -> None:
        self.old: str | None = None
        self.new: str | None = None
        self.binary = False
        self._flags: set[str] = set()
        self._modes: list[str] = []
        self._mentions: list[str] = []
        self._pair: tuple[str, str] | None = None

    @property
    def named(self) -> bool:
        """Whether a file was named by --- or +++ lines."""
        return self.old is not None or self.new is not None

    def read(self, lines: Sequence[str], at: int, *, fenced: bool) -> int:
        """Take the header lines at a place and return where they end."""
        while at < len(lines):
            line = lines[at]
            if line.startswith("diff --git ") and self._pair is None and not self.named:
                self._pair = _both(line.removeprefix("diff --git "))
            elif line.startswith(("--- ", "+++ ")) and is_header(lines, at, fenced=fenced) and not self.named:
                return self._files(lines, at)
            elif line.startswith("+++ ") and self.named and self.new is None:
                self.new = _path(line[4:])
            elif not self._extended(line):
                return at
            at += 1
        return at

    def section(self, hunks: tuple[Hunk, ...], path: str | None) -> Section:
        """The section these headers begin."""
        old, new = self._ends(path)
        return Section(
            carrier="unified",
            old=old,
            new=new,
            hunks=hunks,
            renames="rename" in self._flags,
            copies="copy" in self._flags,
            deletes="deletes" in self._flags or new == NOWHERE,
            creates="creates" in self._flags or old == NOWHERE,
            binary=self.binary,
            modes=tuple(self._modes),
            mentions=tuple(self._mentions),
            headline=self._pair if self._pair and self.named else (),
        )

    def _files(self, lines: Sequence[str], at: int) -> int:
        if lines[at].startswith("--- "):
            self.old = _path(lines[at][4:])
            at += 1
        if at < len(lines) and lines[at].startswith("+++ "):
            self.new = _path(lines[at][4:])
            at += 1
        return at

    def _extended(self, line: str) -> bool:
        """Take an extended header line; False when it is none."""
        if not _EXTENDED.match(line):
            return False
        self.binary = self.binary or line.startswith(("GIT binary patch", "Binary files "))
        mode = _MODE.match(line)
        if mode and not line.startswith("old"):
            self._modes.append(mode[1])
        for start, flag in (
            ("new file", "creates"),
            ("deleted file", "deletes"),
            ("rename", "rename"),
            ("copy", "copy"),
        ):
            if line.startswith(start):
                self._flags.add(flag)
        if line.startswith(("rename ", "copy ")):
            self._mentions.append(_path(line.split(" ", 2)[2]))
        if line.startswith("Index: "):
            self._pair = (_path(line[7:]), _path(line[7:]))
        differ = _DIFFER.match(line)
        if differ and self._pair is None:
            self._pair = (_path(differ[1]), _path(differ[2]))
        return True

    def _ends(self, path: str | None) -> tuple[str | None, str | None]:
        if len(self._mentions) >= 2 and not self.named:
            return self._mentions[0], self._mentions[1]
        if self.named:
            return self.old if self.old is not None else self.new, self.new if self.new is not None else self.old
        if self._pair:
            old, new = self._pair
            return (NOWHERE if "creates" in self._flags else old), (NOWHERE if "deletes" in self._flags else new)
        return path, path


def _second(line: str, after: str) -> bool:
    """Within a hunk, whether "+++ b/x" before @@ names the next file rather than adds "++ b/x"."""
    return _HUNK.match(after) is not None and re.match(r"\+\+\+ (?:b/\S+|\"b/)", line) is not None


def _path(text: str) -> str:
    """The path of a header line, without time stamp, quotes decoded."""
    if text.startswith('"'):
        return unquoted(text)[0]
    return _STAMP.sub("", text).strip()


def _both(text: str) -> tuple[str, str]:
    """The two paths of a "diff --git" line. Unquoted ones may hold blanks, so equal halves are looked for."""
    if text.startswith('"'):
        old, rest = unquoted(text)
        return old, _path(rest.strip())
    half = len(text) // 2
    if text[half : half + 1] == " " and text[:half].split("/", 1)[1:] == text[half + 1 :].split("/", 1)[1:]:
        return text[:half], text[half + 1 :]
    at = text.find(" b/") if " b/" in text else text.find(' "')
    at = at if at >= 0 else text.find(" ")
    return (text[:at], _path(text[at + 1 :])) if at >= 0 else (text, text)
