"""Which files matter for a proposal, most important first. Lazily: a prompt takes what fits."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from random import Random

from skygit.domain.brief import Brief
from skygit.prompts.paths import Shelf

_FILE_NAME = re.compile(r"[\w.+-]+(?:/[\w.+-]+)*\.\w{1,10}")
_IMPORTS = re.compile(
    rb"^[ \t]*(?:from|import|#[ \t]*include|use|pub use|mod|require|export)\b[^\n]*|require\([^)\n]*\)", re.M
)
_WORD = re.compile(r"[\w-]+")
_MOST_NEIGHBOURS = 40
_FIRST = 5
"""Files whose neighbours count while no file is hot yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The order for one proposal. `hot` are the files the lineage changed or something names."""

    hot: tuple[str, ...]
    neighbours: tuple[str, ...]
    shelf: Shelf
    seed: int

    def near(self) -> Iterator[str]:
        """Files that may change and bear on the proposal: hot ones, marked ones, neighbours, new ones."""
        first = (*self.hot, *self.shelf.index.marked, *self.neighbours, *self.shelf.created)
        return _once(path for path in first if self.shelf.may_change(path))

    def far(self) -> Iterator[str]:
        """Every file that may change, from a drawn start.

        So in a repository larger than a prompt each comes to be seen by some proposal.
        """
        return _turned(self.shelf.index.editable, self.seed)

    def in_order(self) -> Iterator[str]:
        """Near files, then every file that may change in the order of paths: alike for all proposals."""
        return _once(chain(self.near(), self.shelf.index.editable))

    def readable(self) -> Iterator[str]:
        """Files that may not change and are near: hot ones and neighbours."""
        return _once(path for path in (*self.hot, *self.neighbours) if not self.shelf.may_change(path))


def rank(brief: Brief, shelf: Shelf) -> Ranked:
    """The order of files for a brief."""
    hot = tuple(_once(_hot(brief, shelf)))
    near = hot or shelf.index.marked[:_FIRST]
    neighbours = tuple(islice(_once(_neighbours(near, shelf, brief.seed)), _MOST_NEIGHBOURS))
    return Ranked(hot=hot, neighbours=neighbours, shelf=shelf, seed=brief.seed)


def words(brief: Brief) -> str:
    """What the brief says in free text: file names and functions in it matter."""
    tactics = (f"{tactic.name} {tactic.text}" for tactic in brief.proposal.tactics)
    return "\n".join((brief.problem, *brief.artifacts.values(), *tactics))


def _hot(brief: Brief, shelf: Shelf) -> Iterator[str]:
    for judged in brief.parents:
        yield from judged.candidate.paths
    yield from _mentioned(words(brief), shelf)
    for judged in (brief.best, *brief.inspirations):
        yield from judged.candidate.paths
    for attempt in brief.attempts:
        yield from attempt.paths


def _mentioned(text: str, shelf: Shelf) -> Iterator[str]:
    for name in _FILE_NAME.findall(text):
        for path in shelf.index.by_name.get(name.rpartition("/")[2], ()):
            if path == name or path.endswith(f"/{name}") or name.endswith(f"/{path}"):
                yield path


def _neighbours(hot: Iterable[str], shelf: Shelf, seed: int) -> Iterator[str]:
    for path in hot:
        data = shelf.read(path)
        if data is not None:
            yield from _imported(data, shelf)
    for path in hot:
        yield from islice(_turned(shelf.index.by_folder.get(path.rpartition("/")[0], ()), seed), _MOST_NEIGHBOURS)


def _imported(data: bytes, shelf: Shelf) -> Iterator[str]:
    for line in _IMPORTS.findall(data):
        for word in _WORD.findall(line.decode("utf-8", "ignore")):
            near = shelf.index.by_stem.get(word, ())
            if len(near) <= 3:  # a name that many files bear points to none of them
                yield from near


def _turned(paths: Sequence[str], seed: int) -> Iterator[str]:
    """All of them, from a drawn start."""
    start = Random(seed).randrange(len(paths)) if paths else 0
    for place in range(len(paths)):
        yield paths[(start + place) % len(paths)]


def _once(paths: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for path in paths:
        if path not in seen:
            seen.add(path)
            yield path
