"""A winner without what it does not need: pieces of its change that earn nothing are put back.

Evolution leaves neutral edits behind, and a reviewer has to read every line. One piece after
the other is put back; it stays so when the score does not fall (the clean-up step of genetic
improvement tools). That needs a measure without noise.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from skygit.domain.candidate import Candidate
from skygit.domain.draft import FILES, PLAIN, Change, Draft, Mode
from skygit.domain.value import Value
from skygit.edits.lines import differences
from skygit.ports import Executor, Repository, Tree

MOST: Final = 60
"""Pieces above which a change is left as it is: each costs a measurement."""


class Piece(Value, frozen=True, kw_only=True):
    """One stretch of a change: lines `start` to `stop` of the old file become `low` to `high` of the new one.

    A file that comes, goes or is no text is one piece, with `whole`.
    """

    path: str
    start: int = 0
    stop: int = 0
    low: int = 0
    high: int = 0
    whole: bool = False


class Minimised(Value, frozen=True, kw_only=True):
    """The smaller candidate, how many pieces the change had, and how many were put back."""

    candidate: Candidate
    pieces: int
    dropped: int


def minimise(repository: Repository, executor: Executor, base: str, winner: Candidate) -> Minimised | None:
    """The winner with every piece put back that its score does not need.

    None when the change is too large for it, or when two measurements of the winner differ.
    """
    change = pieces(repository.tree(base), repository.tree(winner.commit), repository.changed(base, winner.commit))
    goal = executor.judge(winner).evaluation.score
    if goal is None or len(change) > MOST or executor.judge(winner).evaluation.score != goal:
        return None
    kept, slim, before = list(change), winner, len(change) + 1
    while len(kept) < before:  # what only a dropped piece needed can go in the next round
        before = len(kept)
        for piece in tuple(kept):
            fewer = [one for one in kept if one != piece]
            trial = _candidate(repository, base, winner, fewer)
            score = executor.judge(trial).evaluation.score if trial is not None else None
            if trial is not None and score is not None and score >= goal:
                kept, slim = fewer, trial
    return Minimised(candidate=slim, pieces=len(change), dropped=len(change) - len(kept))


def pieces(old: Tree, new: Tree, paths: Iterable[str]) -> tuple[Piece, ...]:
    """The pieces of a change, in the order of paths and lines."""
    return tuple(piece for path in paths for piece in _pieces(old, new, path))


def assembled(old: Tree, new: Tree, kept: Sequence[Piece]) -> Draft | None:
    """The draft on the old tree that holds just these pieces; None when it changes nothing."""
    paths = sorted({piece.path for piece in kept})
    changes = tuple(_change(old, new, path, [piece for piece in kept if piece.path == path]) for path in paths)
    return Draft(changes=changes) if changes else None


def _pieces(old: Tree, new: Tree, path: str) -> Iterator[Piece]:
    if old.mode(path) not in FILES or new.mode(path) != old.mode(path):
        yield Piece(path=path, whole=True)
        return
    for start, stop, low, high in differences(_lines(old.read(path)), _lines(new.read(path))):
        yield Piece(path=path, start=start, stop=stop, low=low, high=high)


def _change(old: Tree, new: Tree, path: str, kept: Sequence[Piece]) -> Change:
    mode: Mode = "100755" if (new.mode(path) or old.mode(path)) == "100755" else PLAIN
    if kept[0].whole:
        content = new.read(path) if new.mode(path) in FILES else None
        return Change(path=path, content=content, mode=mode)
    before, after = _lines(old.read(path)), _lines(new.read(path))
    lines, at = [], 0
    for piece in kept:
        lines += [*before[at : piece.start], *after[piece.low : piece.high]]
        at = piece.stop
    text = "".join([*lines, *before[at:]])
    return Change(path=path, content=text.encode("latin-1"), mode=mode)


def _candidate(repository: Repository, base: str, winner: Candidate, kept: Sequence[Piece]) -> Candidate | None:
    draft = assembled(repository.tree(base), repository.tree(winner.commit), kept)
    if draft is None:
        return None
    tree = repository.write_tree(base, draft)
    commit = repository.commit(tree, [base], f"{winner.summary}\n", clock=winner.generation)
    return Candidate(
        commit=commit,
        tree=tree,
        parents=(base,),
        island=winner.island,
        generation=winner.generation,
        summary=winner.summary,
        operator=winner.operator,
        paths=draft.paths,
    )


def _lines(data: bytes) -> list[str]:
    """Lines with their ends, a character for each byte, so that nothing is lost in between."""
    parts = data.decode("latin-1").split("\n")
    return [*(f"{part}\n" for part in parts[:-1]), *([parts[-1]] if parts[-1] else [])]
