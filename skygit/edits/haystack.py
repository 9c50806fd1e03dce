"""The lines of a file, searched for runs of lines in linear time."""

from collections.abc import Collection, Sequence
from typing import Final

from skygit.edits.folding import Key, loose
from skygit.edits.refusals import refuse

MOST_LINES: Final = 1_000_000
MOST_HITS: Final = 2_000
"""Hits after which counting more would not change the answer."""
_BUDGET: Final = 4_000_000


class Haystack:
    """A file's lines. Each line becomes one character, so a run of lines is a substring."""

    def __init__(self, lines: Sequence[str], skippable: Collection[int] = ()) -> None:
        """`skippable` are rows of marker lines; blank lines may be skipped as well."""
        if len(lines) > MOST_LINES:
            refuse("too-large", f"the file has more than {MOST_LINES} lines")
        self.lines = lines
        self.marker_rows = frozenset(skippable)
        self.steps = 0
        self._spelled: dict[tuple[Key, bool], _Spelled] = {}

    def runs(self, wanted: Sequence[str], key: Key) -> list[int]:
        """Where these lines stand one after the other, by the line of the first."""
        return self._spelling(key, dense=False).find(wanted)

    def dense_runs(self, wanted: Sequence[str]) -> list[int]:
        """The same with blank and marker lines of the file left out; trailing blanks do not count."""
        return self._spelling(loose, dense=True).find(wanted)

    def holds(self, text: str) -> bool:
        """Whether a line stands anywhere in the file, trailing blanks aside."""
        return self._spelling(loose, dense=False).knows(text)

    def positions(self, text: str, key: Key) -> list[int]:
        """Every line that counts as this one."""
        return self._spelling(key, dense=False).find([text])

    def skips(self, row: int) -> bool:
        """Whether a line may be passed over between two lines of context."""
        return row in self.marker_rows or not self.lines[row].strip()

    def spend(self, steps: int) -> None:
        """Count comparisons that are made line by line; an endless number is refused."""
        self.steps += steps
        if self.steps > _BUDGET:
            refuse("too-large", "the edit fits too many places almost; there is no end to comparing")

    def _spelling(self, key: Key, *, dense: bool) -> "_Spelled":
        found = self._spelled.get((key, dense))
        if found is None:
            rows = [row for row in range(len(self.lines)) if not dense or not self.skips(row)]
            found = self._spelled[key, dense] = _Spelled(key, self.lines, rows)
        return found


class _Spelled:
    """Some rows of a file as a text of one character per row."""

    def __init__(self, key: Key, lines: Sequence[str], rows: list[int]) -> None:
        self._key = key
        self._rows = rows
        self._letters: dict[str, str] = {}
        self._text = "".join(self._letters.setdefault(key(lines[row]), chr(len(self._letters) + 1)) for row in rows)

    def knows(self, text: str) -> bool:
        return self._key(text) in self._letters

    def find(self, wanted: Sequence[str]) -> list[int]:
        letters = [self._letters.get(self._key(text)) for text in wanted]
        if not letters or None in letters:
            return []
        needle = "".join(letter for letter in letters if letter)
        hits: list[int] = []
        at = self._text.find(needle)
        while at >= 0 and len(hits) < MOST_HITS:
            hits.append(self._rows[at])
            at = self._text.find(needle, at + 1)
        return hits
