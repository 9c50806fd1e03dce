"""A repository, its set-up, and what is sealed and protected in a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from skygit.config import settings as config
from skygit.config.settings import FILE_NAME, Settings
from skygit.domain.scope import Scope
from skygit.edits.permits import editable
from skygit.errors import ConfigError

if TYPE_CHECKING:
    from skygit.git.repository import GitRepository

IMPLICIT: Final = (
    FILE_NAME,
    ".gitattributes",
    ".gitmodules",
    ".github/**",
    ".gitlab-ci.yml",
    "conftest.py",
    "pytest.ini",
    "tox.ini",
    "noxfile.py",
    "setup.cfg",
    "setup.py",
    "pyproject.toml",
    "sitecustomize.py",
    "usercustomize.py",
    "*.pth",
    "Makefile",
    "CMakeLists.txt",
    "package.json",
    "build.rs",
    ".cargo/**",
)
"""Run or read without being named: never changed, unless `scope.evolvable` names the very pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A repository and where its set-up lies."""

    repository: "GitRepository"
    config: Path


def open_site(folder: Path) -> Site:
    """The repository around a folder, and the set-up file nearest above it (else at the root)."""
    from skygit.git.repository import open_repository

    repository = open_repository(folder)
    root = repository.root
    here = folder.resolve()
    above = [here, *here.parents]
    inside = above[: above.index(root) + 1] if root in above else [root]
    found = [place / FILE_NAME for place in inside if (place / FILE_NAME).is_file()]
    return Site(repository=repository, config=found[0] if found else root / FILE_NAME)


def load_settings(site: Site, overrides: Mapping[str, Any] | None = None) -> Settings:
    """The set-up as written, with what the command line overrides."""
    return config.load(site.config, overrides)


def bundle(site: Site, settings: Settings) -> dict[str, bytes]:
    """The set-up and the evaluator's files as they lie in the checkout, path to bytes: sealed with the run."""
    root, sealed = site.repository.root, {FILE_NAME: site.config.read_bytes()}
    evaluator = settings.evaluation.python
    if evaluator and not (root / evaluator).is_file():
        raise ConfigError(f"{FILE_NAME}: evaluation.python: there is no file {evaluator} in {root}")
    for name in settings.evaluation.named_files:
        file = (root / name).resolve()
        if file.is_file() and file.is_relative_to(root) and not editable(settings.scope, name):
            sealed[file.relative_to(root).as_posix()] = file.read_bytes()
    return sealed


def scope_of(settings: Settings, sealed: Mapping[str, bytes]) -> Scope:
    """The scope with everything protected that decides the score or runs unasked."""
    named = set(settings.scope.evolvable)
    implicit = tuple(pattern for pattern in IMPLICIT if pattern not in named)
    files = tuple(f"/{path}" for path in sealed)
    return msgspec.structs.replace(settings.scope, protected=(*settings.scope.protected, *implicit, *files))
