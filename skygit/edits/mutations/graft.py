"""Crossover: a difference to an inspiration taken over."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Final

from skygit.edits.mutations.ground import Ground, shown
from skygit.edits.mutations.splice import Edit, Splice

ALONE = 0.7
"""How often one difference is taken alone; else each one with probability one half."""
LONGEST = 4000
"""Lines of the longest file whose differences are sought."""

_LINE: Final = re.compile(rb"[^\n]*\n|[^\n]+")

Hunk = tuple[int, int, bytes]
"""The bytes `start:end` of the file, and what the inspiration has in their place."""


def graft(ground: Ground) -> Edit | None:
    """One or some of the stretches of lines where an inspiration's file differs, as it has them."""
    source = ground.source
    muse = ground.around.muse(source.path, ground.rng)
    if muse is None or muse.data == source.data:
        return None
    hunks = differing(source.data, muse.data)
    if not hunks:
        return None
    chosen = [ground.rng.choice(hunks)]
    if ground.rng.random() >= ALONE:
        chosen = [hunk for hunk in hunks if ground.rng.random() < 0.5] or chosen
    splices = tuple(Splice(path=source.path, start=start, end=end, new=new) for start, end, new in chosen)
    row = source.data.count(b"\n", 0, chosen[0][0]) + 1
    more = f" and {len(chosen) - 1} more" if len(chosen) > 1 else ""
    what = f"{source.path}:{row} {shown(chosen[0][2]) or 'nothing'}{more} from an inspiration (graft)"
    return Edit(splices=splices, what=what, kind="graft")


def differing(mine: bytes, theirs: bytes) -> Sequence[Hunk]:
    """Where two texts differ, by whole lines."""
    old, new = _LINE.findall(mine), _LINE.findall(theirs)
    if max(len(old), len(new)) > LONGEST:
        return ()
    offsets = [0, *accumulate(len(line) for line in old)]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    stretches = (stretch for stretch in matcher.get_opcodes() if stretch[0] != "equal")
    return [(offsets[start], offsets[end], b"".join(new[first:last])) for _, start, end, first, last in stretches]
