"""Small refactorings: a repeated attribute bound before its loop, a cast or copy removed."""

from typing import Final

from skygit.edits.mutations.ground import Ground, shown
from skygit.edits.mutations.lines import newline, stand
from skygit.edits.mutations.source import Source
from skygit.edits.mutations.splice import Edit, Splice

CASTS: Final = frozenset(b"int float str bool list tuple set dict sorted abs round iter reversed".split())
COPIES: Final = frozenset(b"copy deepcopy array asarray Number String Boolean min max".split())
METHODS: Final = frozenset(b"copy keys tolist slice".split())
_ASSIGNED: Final = ("left", "name", "argument")


def unwrap(ground: Ground) -> Edit | None:
    """`int(x)`, `list(x)`, `x.copy()`, `(int) x` become `x`."""
    source = ground.source
    found = [(at, inner) for at in source.calls + source.casts if (inner := _inner(source, at)) is not None]
    if not found:
        return None
    position, inner = ground.rng.choice(found)
    return ground.replace(position, source.text(inner), "unwrap")


def hoist(ground: Ground) -> Edit | None:
    """An attribute read in a loop is read once before it, under a new name."""
    source, loop = ground.source, ground.pick(ground.source.loops)
    if loop is None or not source.grammar.binding or not stand(source, loop).alone:
        return None
    texts = _steady(source, loop)
    if not texts:
        return None
    text = ground.rng.choice(texts)
    name = b"_" + text.rsplit(b".", 1)[-1]
    return None if name in source.data else _bound(ground, loop, text, name)


def _bound(ground: Ground, loop: int, text: bytes, name: bytes) -> Edit:
    source, lines = ground.source, stand(ground.source, loop)
    binding = source.grammar.binding.format(name=name.decode("latin-1"), value=text.decode("latin-1")).encode("latin-1")
    new = lines.indent + binding + newline(source.data)
    before = Splice(path=source.path, start=lines.start, end=lines.start, new=new)
    uses = tuple(ground.put(at, name) for at in _inside(source, loop) if source.text(at) == text)
    what = f"{source.where(loop)} {shown(text)} bound before the loop (hoist)"
    return Edit(splices=(before, *uses), what=what, kind="hoist")


def _steady(source: Source, loop: int) -> list[bytes]:
    """Dotted names read in a loop, none of whose parts is assigned in it, in order, each once."""
    inside = _inside(source, loop)
    changed = _changed(source, loop)
    texts = dict.fromkeys(source.text(at) for at in inside if not _called(source, at))
    return [text for text in texts if _dotted(text) and not _prefixes(text) & changed]


def _inside(source: Source, loop: int) -> list[int]:
    node = source.nodes[loop]
    return [at for at in source.attributes if node.start <= source.nodes[at].start and source.nodes[at].end <= node.end]


def _called(source: Source, position: int) -> bool:
    """Whether a call needs the object before the dot (in a language without bound methods)."""
    node = source.nodes[position]
    return source.grammar.braces and node.field == "function"


def _dotted(text: bytes) -> bool:
    return all(part.isidentifier() for part in text.decode("latin-1").split("."))


def _prefixes(text: bytes) -> set[bytes]:
    parts = text.split(b".")
    return {b".".join(parts[:length]) for length in range(1, len(parts) + 1)}


def _changed(source: Source, loop: int) -> set[bytes]:
    """What is assigned in a loop: the texts of all assigned names and attributes."""
    changed: set[bytes] = set()
    end = source.nodes[loop].end
    for position in range(loop + 1, len(source.nodes)):
        node = source.nodes[position]
        if node.start >= end:
            break
        if node.kind in ("identifier", "attribute", "member_expression") and _is_assigned(source, position):
            changed.add(source.text(position))
    return changed


def _is_assigned(source: Source, position: int) -> bool:
    """Whether a node stands on the left of an assignment or of a loop, alone or in a pattern."""
    while position > 0:
        node = source.nodes[position]
        kind = source.nodes[node.parent].kind
        if node.field in _ASSIGNED and ("assignment" in kind or "for" in kind or "declarator" in kind):
            return True
        if "update" in kind or kind == "as_pattern_target":
            return True
        if not kind.endswith(("pattern", "pattern_list", "tuple", "list", "clause")):
            return False
        position = node.parent
    return False


def _inner(source: Source, position: int) -> int | None:
    """What a cast or a copying call wraps."""
    if position in source.casts:
        return source.field(position, "value")
    function, arguments = source.field(position, "function"), source.field(position, "arguments")
    if function is None or arguments is None:
        return None
    given = [at for at in source.nodes[arguments].children if source.nodes[at].named]
    last = source.text(function).rsplit(b".", 1)[-1]
    if len(given) == 1 and last in CASTS | COPIES:
        return None if "argument" in source.nodes[given[0]].kind else given[0]
    return source.field(function, "object") if not given and last in METHODS else None
