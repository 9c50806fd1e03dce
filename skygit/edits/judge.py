"""The judgement of a draft: files before against files after, whatever the draft came from."""

from skygit.domain.draft import Change, Draft, Refusal
from skygit.domain.scope import Scope
from skygit.edits.blocks import Regions, regions
from skygit.edits.elision import elided
from skygit.edits.lines import Difference, differences
from skygit.edits.markers import marks
from skygit.edits.paths import check_links, clean
from skygit.edits.permits import creatable, editable, protected
from skygit.edits.refusals import Refused, refuse
from skygit.edits.text import binary, split
from skygit.ports import Syntax, Tree


def check(draft: Draft, tree: Tree, scope: Scope, syntax: Syntax) -> Refusal | None:
    """What is wrong with a draft, None when nothing is. `tree` holds the files before it.

    A file that goes while one with the same bytes comes counts as renamed.
    """
    try:
        judged(draft, tree, scope, syntax, moved=_moved(draft, tree))
    except Refused as refused:
        return refused.refusal
    return None


def judged(draft: Draft, tree: Tree, scope: Scope, syntax: Syntax, *, moved: frozenset[str]) -> None:
    """Refuse a draft that breaks a rule. `moved` are the paths that went because of a rename."""
    for change in draft.changes:
        if clean(change.path) != change.path:
            refuse("path-escape", f"{change.path} is not in its plain form", change.path)
    for change in draft.changes:
        check_links(change.path, tree)
    for change in draft.changes:
        _permitted(change, tree, scope, moved)
    if all(_same(change, tree) for change in draft.changes):
        refuse("noop", "the result equals the files as they are")
    _sizes(draft, tree, scope, len(moved))
    for change in draft.changes:
        _sound(change, tree, syntax)


def _moved(draft: Draft, tree: Tree) -> frozenset[str]:
    come = {change.content for change in draft.changes if change.content is not None and tree.mode(change.path) is None}
    gone = (change.path for change in draft.changes if change.content is None and tree.mode(change.path) is not None)
    return frozenset(path for path in gone if tree.read(path) in come)


def _permitted(change: Change, tree: Tree, scope: Scope, moved: frozenset[str]) -> None:
    path, there = change.path, tree.mode(change.path)
    if protected(scope, path):
        refuse("protected-path", f"{path} is protected", path)
    if there is None and change.content is None:
        refuse("no-match", f"{path} is not there", path)
    if not (creatable(scope, path) if there is None else editable(scope, path)):
        refuse("protected-path", f"{path} may not be {'created' if there is None else 'changed'} in this run", path)
    if change.content is None:
        if not (scope.allow_delete or (path in moved and scope.allow_rename)):
            refuse("protected-path", f"{path}: files may not be deleted in this run", path)
    elif change.mode != (there or "100644") and not scope.allow_mode_change:
        refuse("mode-change", f"{path}: file modes may not change in this run", path)


def _same(change: Change, tree: Tree) -> bool:
    there = tree.mode(change.path)
    return change.content is not None and there == change.mode and tree.read(change.path) == change.content


def _sizes(draft: Draft, tree: Tree, scope: Scope, renamed: int) -> None:
    files = len(draft.changes) - renamed
    if files > scope.max_files:
        refuse("too-large", f"{files} files change, {scope.max_files} may")
    size = sum(_size(change, tree) for change in draft.changes)
    if size > scope.max_change_bytes:
        refuse("too-large", f"the change has {size} bytes, {scope.max_change_bytes} are allowed")


def _size(change: Change, tree: Tree) -> int:
    """Bytes of the lines that go or of those that come, whichever are more."""
    if change.content is None:
        return 0
    old = _lines(_before(change, tree) or b"")
    new = _lines(change.content)
    gone = come = 0
    for start, end, first, last in differences(old, new):
        gone += sum(len(text.encode("utf-8", "surrogateescape")) + 1 for text in old[start:end])
        come += sum(len(text.encode("utf-8", "surrogateescape")) + 1 for text in new[first:last])
    return max(gone, come)


def _sound(change: Change, tree: Tree, syntax: Syntax) -> None:
    """Whether one file may become what it becomes."""
    path, before, after = change.path, _before(change, tree), change.content
    if binary(before or b"") or binary(after or b""):
        refuse("binary", f"{path} is a binary file", path)
    if before is not None:
        structure = regions(path, before, syntax)
        if isinstance(structure, Refusal):
            raise Refused(structure)
        _frozen(path, before, after, structure, syntax)
    elif after is not None:
        _new_markers(path, after, syntax)
    if after is not None:
        _faults(path, before, after, syntax)


def _frozen(path: str, before: bytes, after: bytes | None, structure: Regions, syntax: Syntax) -> None:
    if after is None:
        if structure.marked:
            refuse("frozen-region", f"{path} has EVOLVE-BLOCK markers, so it may not be deleted or renamed", path)
        return
    row = elided(_lines(before), _lines(after))
    if row is not None:
        refuse("elided", f"{path}:{row + 1}: a remark stands in place of code: {_lines(after)[row].strip()}", path)
    found = marks(path, after, syntax)
    lines = [mark.line for mark in marks(path, before, syntax).marks]
    if [mark.line for mark in found.marks] != lines:
        refuse(
            "marker-tamper", f"{path}: the EVOLVE-BLOCK marker lines are not what they were", path, _extent(structure)
        )
    result = regions(path, after, syntax)
    if isinstance(result, Regions) and result.frozen(after) == structure.frozen(before):
        return
    changed = differences(_lines(before), _lines(after))
    if isinstance(result, Refusal) or _markers_moved(changed, structure, result):
        refuse("marker-tamper", f"{path}: an EVOLVE-BLOCK marker line was moved", path, _extent(structure))
    row = changed[0][0] + 1 if changed else 1
    refuse(
        "frozen-region",
        f"{path}: the edit reaches outside the EVOLVE-BLOCKs; its first change is at line {row}",
        path,
        _extent(structure),
    )


def _markers_moved(changed: list[Difference], structure: Regions, result: Regions) -> bool:
    """Whether the marker lines themselves are among what differs."""
    return any(
        any(start <= row < end for row in structure.rows) or any(first <= row < last for row in result.rows)
        for start, end, first, last in changed
    )


def _new_markers(path: str, after: bytes, syntax: Syntax) -> None:
    found = marks(path, after, syntax)
    if found.marks or found.loose is not None:
        refuse("marker-tamper", f"{path}: a new file may not have EVOLVE-BLOCK markers", path)


def _extent(structure: Regions) -> str:
    spans = ", ".join(f"{block.row + 2} to {block.end_row}" for block in structure.blocks)
    return f"Lines that may change: {spans}." if structure.marked else ""


def _faults(path: str, before: bytes | None, after: bytes, syntax: Syntax) -> None:
    now = syntax.faults(path, after)
    if not now:
        return
    then = syntax.faults(path, before) if before is not None else ()
    if len(now) > len(then):
        news = [fault for fault in now if fault not in then]
        refuse("syntax-error", f"{path}: {(news or now)[0]}", path)


def _before(change: Change, tree: Tree) -> bytes | None:
    return tree.read(change.path) if tree.mode(change.path) is not None else None


def _lines(data: bytes) -> list[str]:
    return [line.text for line in split(data).lines]
