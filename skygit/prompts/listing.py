"""The files of a prompt: in full while they fit, then excerpts, then outlines, then a count."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from skygit.domain.brief import Brief
from skygit.ports import Desk
from skygit.prompts.budget import tokens
from skygit.prompts.paths import Shelf
from skygit.prompts.ranking import rank, words
from skygit.prompts.sources import Source, excerpt, outlined, source, whole
from skygit.prompts.text import is_secret

_OUTLINES = 0.15
"""The share of the room kept for outlines of what is not shown in full."""
_MOST_READ = 150
"""Files read for one prompt at most."""
_FULL = 60
"""Tokens below which the room counts as full."""
_NOTE = 40
"""Tokens kept for the last line, which counts the files that are not shown."""


@dataclass(slots=True, kw_only=True)
class Listing:
    """Fills a room of `limit` tokens with the files of a brief, used once."""

    brief: Brief
    desk: Desk
    shelf: Shelf
    secrets: Sequence[str]
    limit: int
    _read: int = 0
    _full: dict[str, str] = field(default_factory=dict)
    _outlined: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The listings. Files that the parent did not change come first: they stay alike from prompt to prompt."""
        ranked = rank(self.brief, self.shelf)
        room = self.limit - _NOTE
        left, rest = self._show(self._files(ranked.editable(), editable=True), room - int(room * _OUTLINES))
        left += int(room * _OUTLINES)
        left = self._outline(rest, left)
        self._outline(self._files(ranked.readable(), editable=False), left)
        changed = set(self.brief.parents[0].candidate.paths)
        shown = sorted(self._full, key=lambda path: (path in changed, path))
        texts = [*(self._outlined[path] for path in sorted(self._outlined)), *(self._full[path] for path in shown)]
        return "\n".join([*texts, *self._count()])

    def _show(self, files: Iterator[Source], left: int) -> tuple[int, Iterator[Source]]:
        """Whole files, else excerpts, until the room is full; what is left of room and files."""
        passed: list[Source] = []
        for file in files:
            shown = self._fitting(file, left)
            if shown:
                self._full[file.path] = shown
                left -= tokens(shown) + 1
            else:
                passed.append(file)
            if left < _FULL:
                break
        return left, _after(passed, files)

    def _fitting(self, file: Source, left: int) -> str:
        shown = whole(file)
        if tokens(shown) < left:
            return shown
        return excerpt(file, left - 1, words(self.brief), self.brief.seed)

    def _outline(self, files: Iterable[Source], left: int) -> int:
        for file in files:
            shown = outlined(file) if left >= _FULL else ""
            if shown and tokens(shown) < left:
                self._outlined[file.path] = shown
                left -= tokens(shown) + 1
            if left < _FULL:
                break
        return left

    def _files(self, paths: Iterable[str], *, editable: bool) -> Iterator[Source]:
        for path in paths:
            if self._read >= _MOST_READ:
                return
            data = self.shelf.read(path)
            self._read += 1
            if data is None or is_secret(path, data, self.secrets):
                continue
            file = source(path, data, self.desk.syntax, editable=editable)
            if file is not None:
                yield file

    def _count(self) -> list[str]:
        known = len(self.shelf.index.editable) + len(self.shelf.created)
        shown = sum(1 for path in (*self._full, *self._outlined) if self.shelf.may_change(path))
        more = known - shown
        return [f"({more} more files may change; they are not shown this time.)"] if more > 0 else []


def _after(passed: Iterable[Source], files: Iterable[Source]) -> Iterator[Source]:
    yield from passed
    yield from files
