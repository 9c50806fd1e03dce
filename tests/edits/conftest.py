"""An in-memory tree and a short way to apply a reply to it."""

from collections.abc import Callable, Collection, Mapping

import pytest

from skygit.domain.draft import Draft, Refusal
from skygit.domain.scope import Scope
from skygit.edits.reply import apply_reply
from skygit.languages.syntax import TreeSitterSyntax

OPEN = Scope(
    evolvable=("**",),
    protected=("evaluate.py", ".github/**", ".gitattributes", ".gitmodules", ".skydiscover.yaml"),
    new_files=("**",),
    allow_delete=True,
    allow_rename=True,
)
SYNTAX = TreeSitterSyntax()


class MemoryTree:
    """`ports.Tree` over a mapping; `modes` for what is not a plain file."""

    def __init__(self, files: Mapping[str, str | bytes], modes: Mapping[str, str] | None = None) -> None:
        self.files = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        self.modes = dict(modes or {})

    def paths(self) -> Collection[str]:
        return sorted(self.files)

    def mode(self, path: str) -> str | None:
        if path in self.files:
            return self.modes.get(path, "100644")
        return "040000" if any(known.startswith(path + "/") for known in self.files) else None

    def read(self, path: str) -> bytes:
        return self.files[path]


Applied = dict[str, bytes | None] | str


def outcome(result: Draft | Refusal) -> Applied:
    """Path to bytes, or the word of the refusal."""
    if isinstance(result, Refusal):
        return result.word
    return {change.path: change.content for change in result.changes}


def apply(
    files: Mapping[str, str | bytes],
    reply: str | bytes,
    *,
    scope: Scope = OPEN,
    modes: Mapping[str, str] | None = None,
) -> Applied:
    """What a reply does to some files."""
    return outcome(apply_reply(reply, MemoryTree(files, modes), scope, SYNTAX))


@pytest.fixture
def run() -> Callable[..., Applied]:
    return apply


@pytest.fixture
def tree() -> type[MemoryTree]:
    return MemoryTree


@pytest.fixture
def syntax() -> TreeSitterSyntax:
    return SYNTAX


@pytest.fixture
def scope() -> Scope:
    return OPEN
