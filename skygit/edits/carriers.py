"""Every edit in a reply, in the order of the reply, whatever each was written in."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from skygit.edits.fences import dangling
from skygit.edits.formats import envelope, listing, search_replace, unified
from skygit.edits.named import in_info, named
from skygit.edits.neutral import Hunk, Section
from skygit.edits.refusals import refuse
from skygit.edits.segments import Segment, segments

_DIFFS: Final = frozenset({"diff", "patch", "udiff"})
_SHELLS: Final = frozenset({"bash", "sh", "shell", "zsh", "console", "shell-session", "powershell", "cmd"})
_MARKDOWN: Final = (".md", ".markdown", ".mdx", ".rst")
_STRAY: Final = re.compile(r"[-+](?![-+]|$| \S)")
"""A removed or an added line, not an item of a list."""
MOST_SECTIONS: Final = 1_000
MOST_SEGMENTS: Final = 5_000
_UNTYPED: Final = frozenset({"", "text", "txt", "plaintext"})


def sections(lines: Sequence[str]) -> list[Section]:
    """The sections of a reply. Listings count only when the reply holds nothing else."""
    cut = segments(lines)
    if len(cut) > MOST_SEGMENTS:
        refuse("too-large", f"the reply has more than {MOST_SEGMENTS} fences")
    found: list[Section] = []
    before = 0
    for segment in cut:
        before = len(found)
        found += _edits(segment, open_ended=lines[-1] != "")
        if segment.fence is None:
            _cut_off(segment, found)
    barren = len(found) == before
    if not found and _unpaired(cut):
        refuse("malformed", "the fences of the reply do not pair up")
    found = _inherited(found) if found else [listed for one in cut if (listed := _listing(one)) is not None]
    if found and barren and _begun(cut[-1]):
        refuse("truncated", "the reply ends inside a fence that holds no whole edit")
    return found


def _begun(last: Segment) -> bool:
    """Whether a reply ends in a fence of a named language."""
    return last.fence is not None and last.fence.info != "" and not last.closed


def _unpaired(cut: Sequence[Segment]) -> bool:
    """Whether the reply ends with a fence line that closes nothing, prose before it."""
    if len(cut) < 3 or cut[-2].fence is not None:
        return False
    last = cut[-1]
    return last.fence is not None and not (last.fence.info or last.closed or any(map(str.strip, last.lines)))


def _edits(segment: Segment, *, open_ended: bool) -> list[Section]:
    found = _scan(segment)
    if segment.fence is None:
        return found
    if not segment.closed and found:
        _finished(found[-1], open_ended=open_ended)
    if segment.closed and found:
        _continued(found[-1], segment.below)
    return found


def _scan(segment: Segment) -> list[Section]:
    """All edits in one stretch of lines."""
    lines, found, at, stray = segment.lines, list[Section](), 0, ""
    fenced = segment.fence is not None
    if fenced and not _carries(segment):
        return []
    stretch = unified.Stretch(fenced=fenced, path=_path(segment))
    while at < len(lines):
        if search_replace.starts(lines, at):
            block, at = search_replace.read(lines, at, cut=not segment.closed or not fenced)
            found.append(_in_stretch(block, stretch.path, found))
        elif envelope.starts(lines, at):
            several, at = envelope.read(lines, at)
            found += several
        elif unified.starts(lines, at, stretch):
            section, after = unified.read(lines, at, _here(lines, at, stretch))
            found.append(section)
            at = max(after, at + 1)
        else:
            stray = stray or (lines[at] if _STRAY.match(lines[at]) else "")
            at += 1
        if len(found) > MOST_SECTIONS:
            refuse("too-large", f"the reply has more than {MOST_SECTIONS} sections")
    return _whole(segment, stretch.path, found, stray) if fenced else found


def _whole(segment: Segment, path: str | None, found: list[Section], stray: str) -> list[Section]:
    """What a fence holds: what was found, or one hunk without header. No changed line may be left over."""
    lines, diff = segment.lines, _language(segment) in _DIFFS
    if found and stray and diff:
        refuse("malformed", f"a line of the diff belongs to no hunk: {stray[:80]!r}")
    if not found and any(map(str.strip, lines)) and (diff or listing.signed(lines)):
        return [unified.whole(lines, path)]
    return found


def _carries(segment: Segment) -> bool:
    """Whether a fence may hold edits: a listing with a path may quote a diff without being one."""
    if _language(segment) in _DIFFS | _SHELLS | _UNTYPED or _path(segment) is None:
        return True
    rows = [row for row, line in enumerate(segment.lines) if line.strip()]
    if listing.signed(segment.lines):
        return True
    return bool(rows) and (_begins(segment, rows[0]) or _marked(segment))


def _begins(segment: Segment, row: int) -> bool:
    """Whether an edit begins on a line of a fence."""
    stretch = unified.Stretch(fenced=True)
    return (
        search_replace.starts(segment.lines, row)
        or envelope.starts(segment.lines, row)
        or unified.starts(segment.lines, row, stretch)
    )


def _here(lines: Sequence[str], at: int, stretch: unified.Stretch) -> unified.Stretch:
    """In prose or after a path line, a hunk without header is about the file named just above it."""
    above = next((line for line in reversed(lines[max(at - 2, 0) : at]) if line.strip()), "")
    path = named(above)
    return unified.Stretch(fenced=stretch.fenced, path=path) if path else stretch


def _in_stretch(block: Section, path: str | None, before: list[Section]) -> Section:
    """A block without a path of its own is about the file its neighbour, or its fence, is about."""
    if block.old is not None:
        return block
    near = before[-1].new if before else path
    return _about(block, near)


def _inherited(found: list[Section]) -> list[Section]:
    """Sections that name no file are about the file named last."""
    last: str | None = None
    filled: list[Section] = []
    for section in found:
        filled.append(_about(section, last) if section.old is None and section.new is None else section)
        last = filled[-1].new or last
    return filled


def _about(section: Section, path: str | None) -> Section:
    return replace(section, old=path, new=path)


def _listing(segment: Segment) -> Section | None:
    fence, path = segment.fence, _path(segment)
    if fence is None or (path is None and _language(segment) in _SHELLS | _DIFFS):
        return None
    if not segment.closed:
        if not any(line.strip() for line in segment.lines):
            return None
        refuse("truncated", "the reply ends inside a fence", path or "")
    if dangling(segment.lines) or (segment.below.strip() and (path or "").endswith(_MARKDOWN)):
        refuse("malformed", "the listing was closed by a fence that is part of it; use a longer fence", path or "")
    return listing.read(segment.lines, path)


def _path(segment: Segment) -> str | None:
    """The file a fence is about: named in its info string, or alone on the line above."""
    if segment.fence is None:
        return None
    inside = next((line for line in segment.lines if line.strip()), "")
    return in_info(segment.fence.info) or named(segment.above) or (named(inside) if _marked(segment) else None)


def _marked(segment: Segment) -> bool:
    """Whether a fence begins with a path and, below it, an edit."""
    rows = [row for row, line in enumerate(segment.lines) if line.strip()][:2]
    return len(rows) == 2 and named(segment.lines[rows[0]]) is not None and _begins(segment, rows[1])


def _language(segment: Segment) -> str:
    info = segment.fence.info if segment.fence else ""
    return info.split()[0].partition(":")[0].lower() if info.split() else ""


def _finished(last: Section, *, open_ended: bool) -> None:
    """An unclosed fence is whole only when its last edit shows that it is."""
    if last.carrier in ("blocks", "envelope"):
        return
    hunk: Hunk | None = last.hunks[-1] if last.hunks else None
    if open_ended or hunk is None or not hunk.exact:
        refuse("truncated", "the reply ends inside a fence, before the last hunk is complete", last.new or "")


def _cut_off(segment: Segment, found: Sequence[Section]) -> None:
    """A bare diff that ends with the reply, or at a fence, must have the lines its header promises."""
    hunk = found[-1].hunks[-1] if found and found[-1].carrier == "unified" and found[-1].hunks else None
    last = segment.lines[-1] if segment.lines else ""
    ends = hunk is not None and hunk.rows and last in (hunk.rows[-1].kind + hunk.rows[-1].text, hunk.rows[-1].literal)
    if hunk and ends and hunk.counts and not hunk.complete:
        refuse("truncated", "the bare diff ends inside a hunk", found[-1].new or "")


def _continued(last: Section, below: str) -> None:
    """Lines with a diff's prefix right below a fence: the fence was closed by a line of the edit."""
    hunk = last.hunks[-1] if last.carrier == "unified" and last.hunks else None
    if hunk is None:
        return
    short = hunk.counts is not None and not hunk.complete
    signed = _STRAY.match(below) or (short and below.startswith(("+", "-")))
    kept = below.startswith("\\ No newline") or (below.startswith(" ") and not hunk.complete)
    if signed or kept or (short and not hunk.rows):
        refuse("malformed", "the diff goes on below its fence; use a longer fence", last.new or "")
