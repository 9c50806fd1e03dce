"""The files of a prompt: in full while they fit, then excerpts, then outlines, then a count."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from skygit.domain.brief import Brief
from skygit.ports import Desk
from skygit.prompts.budget import tokens
from skygit.prompts.paths import Shelf
from skygit.prompts.ranking import Ranked, rank, words
from skygit.prompts.sources import Source, Sources, excerpt

_OUTLINES = 0.15
"""The share of the room kept for outlines of what is not shown in full."""
_FAR = 0.4
"""The share of the room left that files without any known bearing may take, when others have one."""
_MOST_READ = 150
"""Files read for one prompt at most."""
_FULL = 60
"""Tokens below which the room counts as full."""
_NOTE = 40
"""Tokens kept for the last line, which counts the files that are not shown."""


@dataclass(slots=True, kw_only=True)
class Listing:
    """Fills a room of `limit` tokens with the files of a brief. Used once."""

    brief: Brief
    desk: Desk
    shelf: Shelf
    sources: Sources
    limit: int
    _left: int = 0
    _read: int = 0
    _withheld: int = 0
    _full: dict[str, str] = field(default_factory=dict)
    _outlined: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The listings. Files that the parent did not change come first: they stay alike from prompt to prompt."""
        ranked = rank(self.brief, self.shelf)
        self._left = max(self.limit - _NOTE, 0)
        outlines = int(self._left * _OUTLINES)
        self._show(ranked.near(), keep=outlines)
        far = int(self._left * (1 - _FAR)) if self._full else outlines
        self._show(ranked.far(), keep=max(far, outlines))
        self._outline(ranked)
        changed = set(self.brief.parents[0].candidate.paths)
        shown = sorted(self._full, key=lambda path: (path in changed, path))
        texts = [*(self._outlined[path] for path in sorted(self._outlined)), *(self._full[path] for path in shown)]
        return "\n".join([*texts, *self._count()])

    def _show(self, paths: Iterable[str], *, keep: int) -> None:
        """Whole files, else excerpts, until only `keep` tokens are left."""
        for file in self._files(paths, editable=True):
            room = self._left - keep
            shown = file.whole if file.cost < room else excerpt(file, room - 1, words(self.brief), self.brief.seed)
            if shown:
                self._full[file.path] = shown
                self._left -= tokens(shown) + 1
            if self._left - keep < _FULL:
                return

    def _outline(self, ranked: Ranked) -> None:
        """Outlines of what is not shown: nearest first, then in the order of paths, read-only neighbours last."""
        self._outline_each(self._files(ranked.in_order(), editable=True))
        self._outline_each(self._files(ranked.readable(), editable=False))

    def _outline_each(self, files: Iterator[Source]) -> None:
        while self._left >= _FULL and (file := next(files, None)) is not None:
            if file.outlined and tokens(file.outlined) < self._left:
                self._outlined[file.path] = file.outlined
                self._left -= tokens(file.outlined) + 1

    def _files(self, paths: Iterable[str], *, editable: bool) -> Iterator[Source]:
        for path in paths:
            if self._read >= _MOST_READ:
                return
            if path in self._full:
                continue
            data = self.shelf.read(path)
            self._read += 1
            file = None if data is None else self.sources.open(path, data, self.desk.syntax, editable=editable)
            if file is None:
                self._withheld += editable
            else:
                yield file

    def _count(self) -> list[str]:
        known = len(self.shelf.index.editable) + len(self.shelf.created)
        shown = sum(1 for path in (*self._full, *self._outlined) if self.shelf.may_change(path))
        more = known - shown - self._withheld
        return [f"({more} more files may change; they are not shown this time.)"] if more > 0 else []
