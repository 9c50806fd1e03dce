"""Runs: started with a sealed bundle, or found again."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from skygit.config.settings import FILE_NAME, Settings
from skygit.domain.event import SCHEMA, Seen, Started
from skygit.errors import ConfigError
from skygit.ports import Entry
from skygit.wire.parts import secrets
from skygit.wire.site import Site, bundle

if TYPE_CHECKING:
    from skygit.git.journal import GitJournal


def start_run(site: Site, settings: Settings, *, name: str, base: str, typed: Mapping[str, Any] | None = None) -> None:
    """A new run: its first event, with the bundle sealed beside it. `typed` are options that hold for the run."""
    from skygit.git.journal import create

    sealed = bundle(site, settings)
    journal = create(site.repository, name, secrets=secrets(settings))
    started = _opening(settings, sealed, name, base)
    told = {**started.settings, "typed": dict(typed or {})}
    started = msgspec.structs.replace(started, settings=told)
    journal.append([Entry(event=started, papers={f"bundle/{path}": data for path, data in sealed.items()})])


def preview(site: Site, settings: Settings) -> "Opened":
    """What a run started now would open with; nothing is written."""
    from skygit.git.journal import GitJournal

    sealed = bundle(site, settings)
    started = _opening(settings, sealed, "preview", site.repository.head())
    return Opened(journal=GitJournal(site.repository, "preview", tip=""), started=started, sealed=sealed)


def _opening(settings: Settings, sealed: Mapping[str, bytes], name: str, base: str) -> Started:
    return Started(
        schema=SCHEMA,
        run=name,
        base=base,
        seed=settings.seed,
        settings=recorded(settings, sealed),
        bundle=tuple(sorted(sealed)),
        seen=Seen(at=time.time()),
    )


def recorded(settings: Settings, sealed: Mapping[str, bytes]) -> dict[str, Any]:
    """The settings as the journal holds them: `law` may not change in a run, `changeable` may."""
    return {"raw": settings.raw, "law": law(settings, sealed), "changeable": settings.changeable()}


def law(settings: Settings, sealed: Mapping[str, bytes]) -> dict[str, Any]:
    """What two sessions of one run must agree on: scope, measure, search, and the evaluator's bytes."""
    digest = hashlib.sha256()
    for path, data in sorted(sealed.items()):
        if path != FILE_NAME:
            digest.update(f"{path}\0{len(data)}\0".encode() + data)
    return {**settings.law(), "seal": digest.hexdigest()}


def sealed_files(journal: "GitJournal", started: Started, at: str) -> dict[str, bytes]:
    """The bundle of a run, path to bytes. `at` is the journal's first commit."""
    return {path: journal.paper(at, f"bundle/{path}") for path in started.bundle}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A run's journal with its opening and bundle."""

    journal: "GitJournal"
    started: Started
    sealed: Mapping[str, bytes]


def open_run(site: Site, settings: Settings, name: str) -> Opened:
    """A run that is there."""
    from skygit.git.journal import open_journal

    journal = open_journal(site.repository, name, secrets=secrets(settings))
    first = journal.opening()
    if not isinstance(first.event, Started):
        raise ConfigError(f"the run {name} has no first event")
    return Opened(journal=journal, started=first.event, sealed=sealed_files(journal, first.event, first.at))
