"""Carrying out what the sections of a reply ask for, file by file, on the parent's bytes."""

from collections.abc import Sequence
from typing import Final

from skygit.domain.draft import PLAIN, Change, Draft, Mode, Refusal
from skygit.edits.blocks import Regions, regions
from skygit.edits.compose import Sheet, sheet
from skygit.edits.haystack import Haystack
from skygit.edits.listings import block_of, rewritten
from skygit.edits.locate import Ground, locate, missing
from skygit.edits.neutral import Hunk, Section
from skygit.edits.refusals import Refused, refuse
from skygit.edits.target import Target
from skygit.edits.text import binary, encoded, split
from skygit.ports import Syntax, Tree

MOST_HUNKS: Final = 1_000
"""Hunks of one reply; each may cost a walk through its file."""


class Deeds:
    """The files of one reply on their way from the parent's bytes to the draft's."""

    def __init__(self, tree: Tree, syntax: Syntax) -> None:
        self._tree = tree
        self._syntax = syntax
        self._sheets: dict[str, Sheet] = {}
        self._created: dict[str, bytes] = {}
        self._deleted: set[str] = set()
        self._moves: dict[str, str] = {}
        self._modes: dict[str, str] = {}
        self._seen: dict[str, list[tuple[object, int | None]]] = {}
        self._grounds: dict[str, Ground] = {}
        self._count = 0

    def carry_out(self, targets: Sequence[Target]) -> None:
        """Everything, or a refusal."""
        for target in targets:
            self._carry_out(target)

    def draft(self) -> Draft:
        """The files that differ now. Refuses when none does."""
        changes = [*self._written(), *(Change(path=path, content=None) for path in self._gone())]
        if not changes:
            refuse("noop", "the result equals the files as they are")
        return Draft(changes=tuple(sorted(changes, key=lambda change: change.path)))

    @property
    def moved(self) -> frozenset[str]:
        """The paths that went away because their files were renamed."""
        return frozenset(self._moves)

    def _carry_out(self, target: Target) -> None:
        section, path = target.section, target.path
        if target.deed == "create":
            self._create(path, _content(section, path))
        elif target.deed == "delete":
            self._delete(path, section)
        elif section.listing is not None:
            self._rewrite(path, section.listing)
        else:
            if target.deed == "rename":
                self._move(path, target.to)
            for hunk in section.hunks:
                self._place(path, hunk, section)
        for mode in section.modes:
            self._modes[target.to or path] = mode

    def _create(self, path: str, content: bytes) -> None:
        if self._created.setdefault(path, content) != content or path in self._moves.values():
            refuse("ambiguous", f"{path} is created twice, with different content", path)

    def _move(self, path: str, to: str) -> None:
        if self._moves.setdefault(path, to) != to or list(self._moves.values()).count(to) > 1 or to in self._created:
            refuse("ambiguous", f"{path} is renamed in two ways", path)
        self._sheet(path)

    def _delete(self, path: str, section: Section) -> None:
        """The file goes; what the reply says it held must be what it holds, line for line."""
        said = [row.text.rstrip() for hunk in section.hunks for row in hunk.rows if row.kind == "-"]
        if any(row.kind == "+" for hunk in section.hunks for row in hunk.rows):
            refuse("malformed", f"{path} is deleted and has new lines", path)
        if said and said != [line.text.rstrip() for line in split(self._read(path)).lines]:
            refuse("no-match", f"{path} does not hold the lines that the deletion lists", path)
        self._deleted.add(path)

    def _rewrite(self, path: str, lines: tuple[str, ...]) -> None:
        if not path:
            found = block_of(lines, self._tree, self._syntax)
            refuse("ambiguous", "the listing names no file") if found is None else self._rewrite(found, lines)
            return
        self._text_of(path)
        current = self._sheet(path)
        if not current.untouched:
            refuse("ambiguous", f"{path} is listed twice", path)
        edits = rewritten(path, self._read(path), lines, self._syntax)
        current.take(edits, original=True)

    def _place(self, path: str, hunk: Hunk, section: Section) -> None:
        self._count += 1
        if self._count > MOST_HUNKS:
            refuse("too-large", f"the reply has more than {MOST_HUNKS} hunks", path)
        if not hunk.changes or self._repeated(path, hunk):
            return
        current = self._sheet(path)
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
        """Whether the same hunk came before, with the same number or one of them without."""
        seen = self._seen.setdefault(path, [])
        body = hunk.body()
        if any(body == other and (start is None or hunk.start in (None, start)) for other, start in seen):
            return True
        seen.append((body, hunk.start))
        return False

    def _ground(self, current: Sheet, *, original: bool) -> Ground:
        path = current.path
        if original and path in self._grounds:
            return self._grounds[path]
        data = self._bytes_of(path) if original else current.encoded()
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

    def _sheet(self, path: str) -> Sheet:
        source = next((old for old, new in self._moves.items() if new == path), path)
        if source in self._deleted:
            refuse("ambiguous", f"{path} is deleted and edited", path)
        if source not in self._sheets:
            self._sheets[source] = sheet(source, self._text_of(source))
        return self._sheets[source]

    def _bytes_of(self, path: str) -> bytes:
        return self._created[path] if path in self._created else self._read(path)

    def _text_of(self, path: str) -> bytes:
        data = self._bytes_of(path)
        if binary(data):
            refuse("binary", f"{path} is a binary file", path)
        return data

    def _read(self, path: str) -> bytes:
        try:
            return self._tree.read(path)
        except KeyError:
            refuse("no-match", f"{path} is not there", path)

    def _written(self) -> list[Change]:
        contents = {path: content for path, content in self._created.items() if path not in self._sheets}
        contents |= {self._moves.get(path, path): one.encoded() for path, one in self._sheets.items()}
        return [
            Change(path=path, content=content, mode=self._mode(path))
            for path, content in contents.items()
            if self._differs(path, content)
        ]

    def _differs(self, path: str, content: bytes) -> bool:
        there = self._tree.mode(path)
        return there is None or self._tree.read(path) != content or self._mode(path) != there

    def _mode(self, path: str) -> Mode:
        source = next((old for old, new in self._moves.items() if new == path), path)
        mode = self._modes.get(path) or self._tree.mode(source)
        return "100755" if mode == "100755" else PLAIN

    def _gone(self) -> list[str]:
        clash = self._deleted & (self._created.keys() | self._sheets.keys() | self._moves.keys())
        clash |= self._moves.keys() & self._created.keys()
        if clash:
            path = min(clash)
            refuse("ambiguous", f"{path} is removed and edited", path)
        return [*self._deleted, *self._moves]


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
