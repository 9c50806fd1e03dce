"""A desk in memory, with real diffs and trees that count their reads, for tests of proposers and prompts."""

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from skygit.domain.draft import Draft
from skygit.ports import Syntax, Tree
from skygit.testing.memory_ports import NoSyntax


@dataclass(slots=True)
class CountedTree:
    """Implements `ports.Tree` over a mapping; counts what was listed and read."""

    files: Mapping[str, bytes]
    listed: int = 0
    reads: list[str] = field(default_factory=list)

    def paths(self) -> Collection[str]:
        self.listed += 1
        return self.files.keys()

    def mode(self, path: str) -> str | None:
        if path in self.files:
            return "100644"
        return "040000" if any(name.startswith(f"{path}/") for name in self.files) else None

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        return self.files[path]


@dataclass(slots=True)
class MemoryDesk:
    """Implements `ports.Desk`: `commits` maps a commit to its files, `seen` holds the trees made so far."""

    commits: Mapping[str, Mapping[str, bytes]]
    syntax: Syntax = field(default_factory=NoSyntax)
    seen: list[Mapping[str, bytes]] = field(default_factory=list)
    trees: dict[str, CountedTree] = field(default_factory=dict)

    def tree(self, commit: str) -> Tree:
        return self.trees.setdefault(commit, CountedTree(self.commits[commit]))

    def diff(self, old: str, new: str) -> str:
        before, after = self.commits[old], self.commits[new]
        changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        return "".join(_file_diff(path, before.get(path), after.get(path)) for path in changed)

    def known(self, parent: str, draft: Draft) -> bool:
        return drafted(self.commits[parent], draft) in self.seen


def drafted(files: Mapping[str, bytes], draft: Draft) -> dict[str, bytes]:
    """The files after a draft."""
    changed = {change.path: change.content for change in draft.changes}
    after = {**files, **changed}
    return {path: content for path, content in after.items() if content is not None}


def _file_diff(path: str, before: bytes | None, after: bytes | None) -> str:
    old = f"a/{path}" if before is not None else "/dev/null"
    new = f"b/{path}" if after is not None else "/dev/null"
    note = "new file mode 100644\n" if before is None else "deleted file mode 100644\n" if after is None else ""
    lines = difflib.unified_diff(_lines(before), _lines(after), old, new)
    return f"diff --git a/{path} b/{path}\n{note}" + "".join(_ended(line) for line in lines)


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
