"""An edit not yet committed, and the reason why a reply did not become one."""

from typing import Final, Literal

from skygit.domain.value import Value

Mode = Literal["100644", "100755"]
PLAIN: Final = "100644"
FILES: Final = ("100644", "100755")
"""Modes of plain files: what an edit may write."""

Word = Literal[
    "frozen-region",
    "marker-tamper",
    "marker-invalid",
    "syntax-error",
    "ambiguous",
    "no-match",
    "noop",
    "empty-diff",
    "malformed",
    "truncated",
    "elided",
    "exists",
    "binary",
    "mode-change",
    "path-escape",
    "git-internal",
    "symlink-escape",
    "protected-path",
    "too-large",
]
"""The machine word of a refusal."""


class Change(Value, frozen=True, kw_only=True):
    """One file after the edit. `content` None deletes it.

    `path` is relative to the repository root, `/`-separated; bytes that are not UTF-8
    are carried by surrogateescape.
    """

    path: str
    content: bytes | None
    mode: Mode = PLAIN


class Draft(Value, frozen=True, kw_only=True):
    """All files one edit changes, sorted by path; never empty, never two of one path."""

    changes: tuple[Change, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(change.path for change in self.changes)


class Refusal(Value, frozen=True, kw_only=True):
    """Why a reply is no draft: a word for machines, a sentence for people, help for a repair.

    `message` names file, line and the first thing that did not fit. `help` is what a
    repair turn shows beside it: the nearest real region verbatim, the block boundaries,
    or the definitions that enclose equal candidates; "" when there is nothing to show.
    """

    word: Word
    message: str
    path: str = ""
    help: str = ""
