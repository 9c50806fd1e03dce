"""Carrying out what the sections of a reply ask for, file by file, on the parent's bytes."""

from collections.abc import Sequence
from typing import Final

from skygit.domain.draft import Draft, Refusal
from skygit.edits.blocks import Regions, regions
from skygit.edits.compose import Sheet
from skygit.edits.files import Files
from skygit.edits.haystack import Haystack
from skygit.edits.listings import block_of, rewritten
from skygit.edits.locate import Ground, locate, missing
from skygit.edits.neutral import Hunk, Section
from skygit.edits.refusals import Refused, refuse
from skygit.edits.target import Target
from skygit.edits.text import encoded, split
from skygit.ports import Syntax, Tree

MOST_HUNKS: Final = 1_000
"""Hunks of one reply; each may cost a walk through its file."""


class Deeds:
    """The edits of one reply on their way into the files."""

    def __init__(self, tree: Tree, syntax: Syntax) -> None:
        self._tree = tree
        self._syntax = syntax
        self._files = Files(tree)
        self._seen: dict[str, list[Hunk]] = {}
        self._listed: dict[str, tuple[str, ...]] = {}
        self._grounds: dict[str, Ground] = {}
        self._count = 0

    def carry_out(self, targets: Sequence[Target]) -> None:
        """Everything, or a refusal."""
        for target in targets:
            self._carry_out(target)

    def draft(self) -> Draft:
        """The files that differ now. Refuses when none does."""
        return self._files.draft()

    @property
    def moved(self) -> frozenset[str]:
        """The paths that went away because their files were renamed."""
        return self._files.moved

    def _carry_out(self, target: Target) -> None:
        section, path = target.section, target.path
        if target.deed == "create":
            self._files.create(path, _content(section, path))
        elif target.deed == "delete":
            self._delete(path, section)
        elif section.listing is not None:
            self._rewrite(path or self._found(section.listing), section.listing)
        else:
            if target.deed == "rename":
                self._files.move(path, target.to)
            for hunk in section.hunks:
                self._place(path, hunk, section)
        for mode in section.modes if target.deed != "delete" else ():
            self._files.set_mode(target.to or path, mode)

    def _delete(self, path: str, section: Section) -> None:
        """The file goes; what the reply says it held must be what it holds, line for line."""
        said = [row.text.rstrip() for hunk in section.hunks for row in hunk.rows if row.kind == "-"]
        if any(row.kind == "+" for hunk in section.hunks for row in hunk.rows):
            refuse("malformed", f"{path} is deleted and has new lines", path)
        if said and said != [line.text.rstrip() for line in split(self._files.read(path)).lines]:
            refuse("no-match", f"{path} does not hold the lines that the deletion lists", path)
        self._files.delete(path)

    def _found(self, listing: tuple[str, ...]) -> str:
        """The file whose block a listing without a path shows."""
        path = block_of(listing, self._tree, self._syntax)
        if path is None:
            refuse("ambiguous", "the listing names no file")
        return path

    def _rewrite(self, path: str, listing: tuple[str, ...]) -> None:
        current = self._files.sheet(path)
        if self._listed.setdefault(path, listing) != listing:
            refuse("ambiguous", f"{path} is listed twice, with different content", path)
        if current.untouched:
            current.take(rewritten(path, self._files.bytes_of(path), listing, self._syntax), original=True)

    def _place(self, path: str, hunk: Hunk, section: Section) -> None:
        self._count += 1
        if self._count > MOST_HUNKS:
            refuse("too-large", f"the reply has more than {MOST_HUNKS} hunks", path)
        if not hunk.changes or self._repeated(path, hunk):
            return
        current = self._files.sheet(path)
        if section.carrier == "blocks":
            self._in_sequence(current, hunk, section)
        else:
            self._in_original(current, hunk, section)

    def _in_original(self, current: Sheet, hunk: Hunk, section: Section) -> None:
        """Where the original has the old lines; if nowhere, where the text so far has them."""
        ground = self._ground(current, original=True)
        edits = locate(hunk, section.carrier, ground, self._count)
        if edits is not None:
            current.take(edits, original=True)
            return
        later = (
            None
            if current.untouched
            else locate(hunk, section.carrier, self._ground(current, original=False), self._count)
        )
        if later is None:
            missing(hunk, ground, self._count)
        else:
            current.take(later, original=False)

    def _in_sequence(self, current: Sheet, hunk: Hunk, section: Section) -> None:
        """Each block in the text that the blocks before it left."""
        if not hunk.old and current.original:
            refuse("exists", f"{current.path} is there already, and SEARCH is empty", current.path)
        ground = self._ground(current, original=current.untouched)
        edits = locate(hunk, section.carrier, ground, self._count)
        if edits is not None:
            current.take(edits, original=False)
        elif not current.untouched and locate(hunk, section.carrier, self._ground(current, original=True), self._count):
            refuse("ambiguous", f"{current.path}: edit {self._count} changes lines another edit changed", current.path)
        else:
            missing(hunk, ground, self._count)

    def _repeated(self, path: str, hunk: Hunk) -> bool:
        """Whether the same hunk came before, said to stand in the same place or, one of them, in none."""
        seen = self._seen.setdefault(path, [])
        if any(_same(hunk, before) for before in seen):
            return True
        seen.append(hunk)
        return False

    def _ground(self, current: Sheet, *, original: bool) -> Ground:
        path = current.path
        if original and path in self._grounds:
            return self._grounds[path]
        data = self._files.bytes_of(path) if original else current.encoded()
        found = regions(path, data, self._syntax)
        if isinstance(found, Refusal):
            if original:
                raise Refused(found)
            found = Regions(marked=False, blocks=(), size=len(data))
        ground = Ground(
            path=path,
            hay=Haystack(current.original if original else current.lines(), found.rows),
            regions=found,
            numbered=original,
        )
        if original:
            self._grounds[path] = ground
        return ground


def _same(hunk: Hunk, before: Hunk) -> bool:
    numbered = before.start is None or hunk.start in (None, before.start)
    anchored = not (before.anchors and hunk.anchors) or hunk.anchors == before.anchors
    return numbered and anchored and hunk.body() == before.body()


def _content(section: Section, path: str) -> bytes:
    """The bytes of a new file. Its lines end with LF, and so does its last one unless the reply says no."""
    if section.listing is not None:
        return encoded("\n".join(section.listing) + "\n")
    rows = [row for hunk in section.hunks for row in hunk.rows]
    stray = next((row.text for row in rows if row.kind != "+" and row.literal), None)
    if stray is not None:
        refuse("malformed", f"a line of the new file {path} has no +: {stray[:80]!r}", path)
    text = "".join(row.text + "\n" for row in rows)
    return encoded(text[:-1] if rows and rows[-1].bare else text)
