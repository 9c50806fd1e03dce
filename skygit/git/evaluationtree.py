"""What a candidate is measured in: its files, with everything protected as the base or the bundle has it."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from skygit.git.difference import difference
from skygit.git.repository import GitRepository
from skygit.git.treeobject import FOLDER, LINK, SUBMODULE, Item, encode

_LAYOUT: Final = b"1"
"""Another number whenever the same ground is written into a folder in another way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How one evaluation tree differs from the ground all of them share.

    `laid` maps a path to its mode and id in git, `removed` are paths of the ground that are not there.
    """

    commit: str
    laid: Mapping[str, Item]
    removed: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """One file (its bytes), link (its target) or submodule (nothing); `mode` as git writes it."""

    mode: bytes
    data: bytes


@dataclass(frozen=True, kw_only=True)
class EvaluationTree:
    """The ground is the base commit with `overrides` and `include` laid over it.

    `overrides` are the bundle's files by path, `include` absolute paths of carried files and
    folders by the path they get. `guarded` says which paths never come from a candidate.
    """

    repository: GitRepository
    base: str
    overrides: Mapping[str, bytes] = field(default_factory=dict)
    include: Mapping[str, Path] = field(default_factory=dict)
    guarded: Callable[[str], bool]

    def plan(self, commit: str) -> Plan:
        """How a candidate's evaluation tree differs from the ground. Cost follows the difference."""
        repository = self.repository
        pairs = difference(repository.trees, repository.tree_id(self.base), repository.tree_id(commit))
        free = [(path, new) for path, _, new in pairs if not self._fixed(path) and not self._below_fixed(path)]
        removed = frozenset(path for path, new in free if new is None)
        laid = {path: new for path, new in free if new is not None and not self._above_fixed(path)}
        return Plan(commit=commit, laid=laid, removed=removed)

    def key(self, commit: str) -> str:
        """Equal for candidates whose evaluation trees are equal."""
        plan = self.plan(commit)
        digest = hashlib.sha256(self._ground)
        for path in sorted(plan.removed):
            digest.update(b"-%s\0" % encode(path))
        for path, (mode, raw) in sorted(plan.laid.items()):
            digest.update(b"+%s %s\0%s" % (mode, encode(path), raw))
        return digest.hexdigest()

    def sealed(self, path: str) -> bool:
        """Whether a run that changes what lies at the path has tampered with its evaluation."""
        return path in self.overrides or self.guarded(path)

    def holds(self, plan: Plan, path: str) -> bool:
        """Whether a file, link or submodule of the evaluation tree lies at the path."""
        if path in plan.laid or path in self.overrides or path in self.carried:
            return True
        return path not in plan.removed and self._base_mode(path) not in (None, "040000")

    def below(self, plan: Plan, folder: str) -> Iterator[str]:
        """The paths of the evaluation tree below a folder."""
        prefix = f"{folder}/"
        named = {path for path in (*plan.laid, *self.overrides, *self.carried) if path.startswith(prefix)}
        yield from named
        for path in self._base_below(folder):
            if path not in plan.removed and path not in named:
                yield path

    def original(self, plan: Plan, path: str) -> Laid:
        """What was laid at a path. Raises KeyError when nothing was."""
        if path in self.overrides:
            return Laid(mode=self._override_mode(path), data=self.overrides[path])
        if path in self.carried:
            return _read(self.carried[path])
        item = plan.laid.get(path) or self.repository.trees.find(self.repository.tree_id(self.base), path)
        if item is None or item[0] == FOLDER:
            raise KeyError(path)
        data = b"" if item[0] == SUBMODULE else self.repository.objects.read(item[1].hex())[1]
        return Laid(mode=item[0], data=data)

    @cached_property
    def carried(self) -> Mapping[str, Path]:
        """Every carried file and link by path."""
        found: dict[str, Path] = {}
        for path, source in self.include.items():
            if source.is_dir() and not source.is_symlink():
                found.update(
                    (f"{path}/{file.relative_to(source)}", file) for file in source.rglob("*") if _is_leaf(file)
                )
            else:
                found[path] = source
        return found

    @cached_property
    def ground_key(self) -> str:
        """Equal for grounds that are the same files: 16 hexadecimal digits."""
        digest = hashlib.sha256(_LAYOUT + self._ground)
        for path, source in sorted(self.carried.items()):
            digest.update(b"%s\0%o" % (encode(path), source.lstat().st_mode))
        return digest.hexdigest()[:16]

    @cached_property
    def _ground(self) -> bytes:
        digest = hashlib.sha256(self.repository.tree_id(self.base).encode())
        for path, data in sorted(self.overrides.items()):
            digest.update(b"=%s\0%s" % (encode(path), hashlib.sha256(data).digest()))
        for path, source in sorted(self.carried.items()):
            about = source.lstat()
            digest.update(b"@%s\0%d %d" % (encode(path), about.st_size, about.st_mtime_ns))
        return digest.digest()

    def _fixed(self, path: str) -> bool:
        """Whether a path comes from the ground whatever the candidate says."""
        return path in self.carried or self.sealed(path)

    def _override_mode(self, path: str) -> bytes:
        """A bundle file can be run when it could be in the base, or when it begins like a script."""
        runs = self._base_mode(path) == "100755" or self.overrides[path].startswith(b"#!")
        return b"100755" if runs else b"100644"

    def _base_mode(self, path: str) -> str | None:
        return self.repository.tree(self.base).mode(path)

    def _below_fixed(self, path: str) -> bool:
        """Whether a file of the ground that must stay lies where the path needs a folder."""
        above = parents(path)
        if any(parent in self.overrides or parent in self.carried for parent in above):
            return True
        return any(self._base_mode(parent) not in (None, "040000") and self.guarded(parent) for parent in above)

    def _above_fixed(self, path: str) -> bool:
        """Whether something of the ground that must stay lies below the path, so that no file can be there."""
        prefix = f"{path}/"
        if any(known.startswith(prefix) for known in (*self.overrides, *self.carried)):
            return True
        return any(self.guarded(below) for below in self._base_below(path))

    def _base_below(self, folder: str) -> Iterator[str]:
        root = self.repository.tree_id(self.base)
        item = self.repository.trees.find(root, folder)
        if item is not None and item[0] == FOLDER:
            for path, _, _ in difference(self.repository.trees, None, item[1].hex()):
                yield f"{folder}/{path}"


def parents(path: str) -> list[str]:
    """The folders above a path, the outermost first."""
    return [path[:at] for at, char in enumerate(path) if char == "/"]


def _is_leaf(file: Path) -> bool:
    return file.is_symlink() or not file.is_dir()


def _read(file: Path) -> Laid:
    if file.is_symlink():
        return Laid(mode=LINK, data=os.fsencode(file.readlink()))
    return Laid(mode=b"100755" if file.stat().st_mode & 0o100 else b"100644", data=file.read_bytes())
