"""The files of one parent that may be mutated, and their neighbours."""

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from random import Random

from skygit.domain.brief import Brief
from skygit.domain.draft import FILES, Refusal
from skygit.edits.blocks import regions
from skygit.edits.mutations.grammar import Grammar
from skygit.edits.mutations.prose import prose
from skygit.edits.mutations.source import Source, survey
from skygit.edits.mutations.tables import TEXT, grammar
from skygit.edits.permits import editable
from skygit.ports import Desk, Tree
from skygit.proposers.mutation.memory import Memory, digest

TRIED = 4
"""Files looked at to pick one: the larger is the likelier."""
LARGEST = 1_000_000
"""Bytes of the largest file that is mutated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What may be mutated at one commit. `paths` is sorted; `reach` bounds how many neighbours are read."""

    tree: Tree
    paths: tuple[str, ...]
    brief: Brief
    desk: Desk
    memory: Memory
    reach: int

    def pick(self, rng: Random) -> Source | None:
        """One file, drawn by size among a few."""
        if not self.paths:
            return None
        tried = rng.sample(self.paths, min(TRIED, len(self.paths)))
        contents = [self.tree.read(path) for path in tried]
        weights = [min(len(data), LARGEST) + 1 for data in contents]
        chosen = rng.choices(range(len(tried)), weights)[0]
        return self._source(tried[chosen], contents[chosen])

    def near(self, path: str, word: bytes) -> Iterator[Source]:
        """Files close to a path, in order, that hold a word."""
        for other in self._window(path):
            data = self.tree.read(other)
            source = self._source(other, data) if word in data else None
            if source is not None:
                yield source

    def neighbour(self, path: str, rng: Random) -> Source | None:
        """One file close to a path."""
        window = self._window(path)
        if not window:
            return None
        other = rng.choice(window)
        return self._source(other, self.tree.read(other))

    def muse(self, path: str, rng: Random) -> Source | None:
        """The file as one of the inspirations has it."""
        if not self.brief.inspirations:
            return None
        tree = self.desk.tree(rng.choice(self.brief.inspirations).candidate.commit)
        return self._source(path, tree.read(path)) if tree.mode(path) in FILES else None

    def _window(self, path: str) -> tuple[str, ...]:
        at = bisect_left(self.paths, path)
        start = max(0, min(at - self.reach // 2, len(self.paths) - self.reach - 1))
        return tuple(other for other in self.paths[start : start + self.reach + 1] if other != path)

    def _source(self, path: str, data: bytes) -> Source | None:
        key = (path, digest(data))
        known = self.memory.surveys.get(key)
        return known if known is not None else self.memory.surveys.put(key, self._survey(path, data))

    def _survey(self, path: str, data: bytes) -> Source | None:
        syntax = self.desk.syntax
        table = _table(path, self.desk, self.brief)
        if table is None or len(data) > LARGEST or b"\0" in data:
            return None
        found = regions(path, data, syntax)
        if isinstance(found, Refusal):
            return None
        nodes = prose(data) if table is TEXT else syntax.nodes(path, data)
        return survey(path, data, table, nodes, found.spans)


def field_of(brief: Brief, desk: Desk, memory: Memory, reach: int) -> Field:
    """The field of a brief's first parent."""
    commit = brief.parents[0].candidate.commit
    tree = desk.tree(commit)
    return Field(
        tree=tree, paths=_listed(brief, desk, memory, tree), brief=brief, desk=desk, memory=memory, reach=reach
    )


def _listed(brief: Brief, desk: Desk, memory: Memory, tree: Tree) -> tuple[str, ...]:
    """The mutable paths at the parent; from its own parent's list when that is known."""
    candidate, scope = brief.parents[0].candidate, brief.scope
    known = memory.listings.get((candidate.commit, scope))
    if known is not None:
        return known
    before = memory.listings.get((candidate.parents[0], scope)) if candidate.parents else None
    if before is None:
        return memory.listings.put((candidate.commit, scope), _all(brief, desk, memory, tree))
    return memory.listings.put((candidate.commit, scope), _updated(before, brief, desk, memory, tree))


def _all(brief: Brief, desk: Desk, memory: Memory, tree: Tree) -> tuple[str, ...]:
    mutable = (path for path in tree.paths() if _mutable(path, brief, desk, memory))
    return tuple(sorted(path for path in mutable if tree.mode(path) in FILES))


def _updated(before: tuple[str, ...], brief: Brief, desk: Desk, memory: Memory, tree: Tree) -> tuple[str, ...]:
    """The list after a child's changes; the same object when no file came or went."""
    paths: list[str] | None = None
    for path in brief.parents[0].candidate.paths:
        there = _mutable(path, brief, desk, memory) and tree.mode(path) in FILES
        if there != _holds(before, path):
            paths = list(before) if paths is None else paths
            insort(paths, path) if there else paths.remove(path)
    return before if paths is None else tuple(paths)


def _holds(paths: tuple[str, ...], path: str) -> bool:
    at = bisect_left(paths, path)
    return at < len(paths) and paths[at] == path


def _mutable(path: str, brief: Brief, desk: Desk, memory: Memory) -> bool:
    verdicts = memory.verdicts.setdefault(brief.scope, {})
    verdict = verdicts.get(path)
    if verdict is None:
        verdict = _table(path, desk, brief) is not None and editable(brief.scope, path)
        verdicts[path] = verdict
    return verdict


def _table(path: str, desk: Desk, brief: Brief) -> Grammar | None:
    """The operators' table for a file. Plain text is mutated only where the scope names its suffix."""
    language, suffix = desk.syntax.language(path), PurePosixPath(path).suffix
    if not language and suffix and any(glob.endswith(suffix) for glob in brief.scope.evolvable):
        return TEXT
    return grammar(language)
