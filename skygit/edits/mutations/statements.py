"""Statements deleted, swapped, copied, moved and replaced by their like."""

from collections.abc import Sequence

from skygit.edits.mutations.ground import Ground
from skygit.edits.mutations.ground import shown as _shown
from skygit.edits.mutations.lines import newline, reindented, stand
from skygit.edits.mutations.source import Place, Source
from skygit.edits.mutations.splice import Edit, Splice

NEAR = 0.7
"""How often the second place is looked for in the same function first."""


def delete(ground: Ground) -> Edit | None:
    """A statement removed; a block that would be empty keeps an empty statement."""
    position = ground.pick(ground.source.statements)
    if position is None:
        return None
    what = f"{ground.source.where(position)} deleted {_shown(ground.source.text(position))} (delete)"
    return Edit(splices=(removal(ground.source, position),), what=what, kind="delete")


def swap(ground: Ground) -> Edit | None:
    """Two statements of one block change places."""
    source, first = ground.source, ground.pick(ground.source.statements)
    if first is None:
        return None
    block = source.nodes[first].parent
    mates = [at for at in source.statements if source.nodes[at].parent == block and at != first]
    second = ground.pick(mates)
    if second is None or source.text(first) == source.text(second):
        return None
    splices = (ground.put(first, source.text(second)), ground.put(second, source.text(first)))
    lines = sorted(source.nodes[at].row + 1 for at in (first, second))
    return Edit(splices=splices, what=f"{source.path}:{lines[0]} swapped with line {lines[1]} (swap)", kind="swap")


def copy(ground: Ground) -> Edit | None:
    """A statement, of this file or another, written once more elsewhere."""
    donor = _donor(ground)
    origin, target = ground.pick(donor.statements), ground.pick(ground.source.statements)
    if origin is None or target is None:
        return None
    splice = insertion(ground, target, donor, origin)
    return None if splice is None else _told(ground, (splice,), target, (donor, origin), "copy")


def move(ground: Ground) -> Edit | None:
    """A statement taken out and put before or after another one."""
    source, origin = ground.source, ground.pick(ground.source.statements)
    if origin is None:
        return None
    target = ground.pick([at for at in _mates(ground, origin) if not _within(source, at, origin)])
    splice = None if target is None else insertion(ground, target, source, origin)
    if target is None or splice is None:
        return None
    return _told(ground, (removal(source, origin), splice), target, (source, origin), "move")


def replace(ground: Ground) -> Edit | None:
    """A statement replaced by another of the same kind, from this file, another, or an inspiration."""
    source, donor = ground.source, _donor(ground)
    target = ground.pick(source.statements)
    if target is None:
        return None
    sort = source.sort(target)
    origin = ground.pick([at for at in donor.statements if donor.sort(at) == sort])
    if origin is None or donor.text(origin) == source.text(target):
        return None
    text = _carried(donor, origin, source, stand(source, target).indent)
    return None if text is None else ground.replace(target, text, "replace")


def removal(source: Source, position: int) -> Splice:
    """The splice that removes a statement with its lines, or leaves an empty statement in its place."""
    node, lines = source.nodes[position], stand(source, position)
    siblings = [at for at in source.nodes[node.parent].children if source.nodes[at].named]
    real = [at for at in siblings if source.nodes[at].kind != "comment"]
    if lines.alone and (len(real) > 1 or source.grammar.braces):
        return Splice(path=source.path, start=lines.start, end=lines.end, new=b"")
    return Splice(path=source.path, start=node.start, end=node.end, new=source.grammar.empty.encode())


def insertion(ground: Ground, target: int, donor: Source, origin: int) -> Splice | None:
    """The splice that writes a donor's statement on lines of its own before or after a statement."""
    source, lines = ground.source, stand(ground.source, target)
    text = _carried(donor, origin, source, lines.indent)
    if text is None or not lines.alone:
        return None
    end = newline(source.data)
    if ground.rng.random() < 0.5:
        return Splice(path=source.path, start=lines.start, end=lines.start, new=lines.indent + text + end)
    stop = source.nodes[target].end
    return Splice(path=source.path, start=stop, end=stop, new=end + lines.indent + text)


def _carried(donor: Source, origin: int, source: Source, indent: bytes) -> bytes | None:
    """A donor's statement as it would be written in this file; None when it cannot be carried safely."""
    text, old = donor.text(origin), stand(donor, origin).indent
    if old.strip() or indent.strip() or (donor.path != source.path and not text.isascii()):
        return text if b"\n" not in text and text.isascii() else None
    if old != indent and b"\n" in text and (b'"""' in text or b"'''" in text or b"`" in text):
        return None
    return reindented(text, old, indent, newline(source.data))


def _donor(ground: Ground) -> Source:
    """Mostly the file itself, now and then another in scope or an inspiration's."""
    chance, path = ground.rng.random(), ground.source.path
    if chance < NEAR:
        return ground.source
    find = ground.around.neighbour if chance < (1 + NEAR) / 2 else ground.around.muse
    other = find(path, ground.rng)
    return other if other is not None and other.grammar is ground.source.grammar else ground.source


def _mates(ground: Ground, origin: int) -> Sequence[int]:
    source = ground.source
    home = source.scope(origin)
    mates = [at for at in source.statements if source.scope(at) == home and at != origin]
    return mates if mates and ground.rng.random() < NEAR else [at for at in source.statements if at != origin]


def _within(source: Source, position: int, outer: int) -> bool:
    one, other = source.nodes[position], source.nodes[outer]
    return other.start <= one.start and one.end <= other.end


def _told(ground: Ground, splices: tuple[Splice, ...], target: int, origin: Place, kind: str) -> Edit:
    donor, at = origin
    what = f"{ground.source.where(target)} {kind} of {_shown(donor.text(at))} from {donor.where(at)} ({kind})"
    return Edit(splices=splices, what=what, kind=kind)
