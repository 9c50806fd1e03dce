"""Canonical unified diffs: what `git apply` accepts, written from bytes and read back with `unidiff`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skygit.domain.draft import Draft
from skygit.edits.lines import Difference, differences
from skygit.edits.neutral import NOWHERE
from skygit.edits.quoting import quoted
from skygit.edits.text import binary, split
from skygit.ports import Tree

CONTEXT: Final = 3
_NO_NEWLINE = "\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patched:
    """One file of a canonical diff: its paths ("" for not there), and how many lines come and go."""

    old: str
    new: str
    added: int
    removed: int
    hunks: int


def unified(old: bytes | None, new: bytes | None, path: str) -> str:
    """The diff that makes one file of another; None is a file that is not there. "" when they are equal.

    Bytes that are not UTF-8 are carried by surrogateescape; lines end as they do in the files.
    """
    return _diff(old, new, path, "100644", "100644")


def draft_diff(draft: Draft, tree: Tree) -> str:
    """The diff a draft makes on a tree, files in the order of their paths."""
    parts: list[str] = []
    for change in draft.changes:
        mode = tree.mode(change.path)
        old = tree.read(change.path) if mode is not None else None
        parts.append(_diff(old, change.content, change.path, mode or change.mode, change.mode))
    return "".join(parts)


def read(diff: str) -> tuple[Patched, ...]:
    """The files of a canonical diff. Raises ValueError for text that is none; replies are not."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        files = PatchSet.from_string(diff)
    except UnidiffParseError as error:
        raise ValueError(f"not a canonical diff: {error}") from error
    return tuple(
        Patched(
            old="" if file.is_added_file else file.path,
            new="" if file.is_removed_file else file.path,
            added=file.added,
            removed=file.removed,
            hunks=len(file),
        )
        for file in files
    )


def _diff(old: bytes | None, new: bytes | None, path: str, before: str, after: str) -> str:
    if old == new and (before == after or new is None):
        return ""
    left, right = quoted("a/" + path), quoted("b/" + path)
    head = f"diff --git {left} {right}\n{_modes(old, new, before, after)}"
    if binary(old or b"") or binary(new or b""):
        return f"{head}Binary files {_end(old, left)} and {_end(new, right)} differ\n"
    body = "".join(_hunks(_lines(old), _lines(new)))
    if not body:
        return head
    return f"{head}--- {_header(_end(old, left))}\n+++ {_header(_end(new, right))}\n{body}"


def _modes(old: bytes | None, new: bytes | None, before: str, after: str) -> str:
    if old is None:
        return f"new file mode {after}\n"
    if new is None:
        return f"deleted file mode {before}\n"
    return f"old mode {before}\nnew mode {after}\n" if before != after else ""


def _end(data: bytes | None, path: str) -> str:
    return NOWHERE if data is None else path


def _header(path: str) -> str:
    """A path with blanks ends with a tab, so that no reader takes the rest of it for a time."""
    return path + "\t" if " " in path and not path.startswith('"') else path


def _lines(data: bytes | None) -> list[str]:
    text = split(data or b"")
    lines = [line.text + line.end for line in text.lines]
    return [text.bom + "".join(lines[:1]), *lines[1:]] if text.bom else lines


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    for group in _groups(differences(old, new)):
        yield _hunk(group, old, new)


def _groups(changed: Sequence[Difference]) -> Iterator[list[Difference]]:
    """Differences so near that their context would touch."""
    group: list[Difference] = []
    for one in changed:
        if group and one[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _hunk(group: Sequence[Difference], old: Sequence[str], new: Sequence[str]) -> str:
    first, last = max(group[0][0] - CONTEXT, 0), min(group[-1][1] + CONTEXT, len(old))
    lead, tail = group[0][0] - first, last - group[-1][1]
    begin, end = group[0][2] - lead, group[-1][3] + tail
    body: list[str] = []
    at = first
    for start, stop, low, high in group:
        body += [_row(" ", text) for text in old[at:start]]
        body += [_row("-", text) for text in old[start:stop]]
        body += [_row("+", text) for text in new[low:high]]
        at = stop
    body += [_row(" ", text) for text in old[at:last]]
    return f"@@ -{_span(first, last)} +{_span(begin, end)} @@\n{''.join(body)}"


def _row(kind: str, text: str) -> str:
    return kind + text if text.endswith("\n") else f"{kind}{text}\n{_NO_NEWLINE}"


def _span(start: int, end: int) -> str:
    """A range of lines as a hunk header has it: an empty one names the line before it."""
    count = end - start
    return f"{start + (count > 0)},{count}" if count != 1 else f"{start + 1}"
