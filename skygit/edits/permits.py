"""What the globs of a scope allow. Globs are gitignore's, anchored at the repository root."""

import unicodedata
from functools import lru_cache

from pathspec import GitIgnoreSpec

from skygit.domain.scope import Scope


@lru_cache(maxsize=65536)
def editable(scope: Scope, path: str) -> bool:
    """Whether an existing file may change at all; markers may narrow it further."""
    return _spec(scope.evolvable).match_file(path) and not protected(scope, path)


@lru_cache(maxsize=65536)
def creatable(scope: Scope, path: str) -> bool:
    """Whether a file may be created here, or moved here."""
    return _spec(scope.new_files).match_file(path) and not protected(scope, path)


@lru_cache(maxsize=65536)
def protected(scope: Scope, path: str) -> bool:
    """Whether a file may never change. Spellings that some file system takes for one name count as one."""
    return _spec(tuple(_folded(glob) for glob in scope.protected)).match_file(_folded(path))


@lru_cache(maxsize=64)
def _spec(globs: tuple[str, ...]) -> GitIgnoreSpec:
    return GitIgnoreSpec.from_lines(globs)


@lru_cache(maxsize=4096)
def _folded(path: str) -> str:
    parts = unicodedata.normalize("NFKC", path).casefold().split("/")
    return "/".join(part.rstrip(". ") or part for part in parts)
