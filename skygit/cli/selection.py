"""Which run a command is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skygit.domain.event import Started, Stopped
from skygit.domain.history import History, replay
from skygit.errors import UserError
from skygit.git.journal import open_journal, runs
from skygit.ports import Recorded
from skygit.wire.runs import law
from skygit.wire.site import Site, bundle, load_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A run to go on with, or a name for a new one. `why` says what made it new."""

    name: str
    new: bool
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A run as it stands: its events and their fold."""

    name: str
    recorded: tuple[Recorded, ...]
    history: History

    @property
    def started(self) -> Started:
        """The run's first event."""
        event = self.recorded[0].event
        assert isinstance(event, Started)
        return event


def choose(site: Site, typed: Mapping[str, Any], *, wanted: str, base: str) -> Chosen:
    """The run named, else the newest of this base and set-up, else a new one.

    `typed` are the options of this command line; those that a run was started with hold for it
    until they are typed anew. A run that is named goes on from its own base, wherever HEAD is
    now. Raises UserError when it has another set-up.
    """
    found = [run.name for run in runs(site.repository)]
    if wanted:
        if wanted in found:
            _same(site, wanted, typed)
        return Chosen(name=wanted, new=wanted not in found)
    for name in found:
        if _difference(site, name, base, typed) == "" and not _hopeless(site, name):
            return Chosen(name=name, new=False)
    why = _difference(site, found[0], base, typed) if found else ""
    return Chosen(name=_free(found), new=True, why=f"{found[0]} has {why}" if why else "")


def remembered(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The options typed for a run so far, by dotted key."""
    return dict(settings.get("typed", {}))


def tell(site: Site, name: str = "") -> Told:
    """A run's history: the one named, else the newest. Raises UserError when there is none."""
    if not name:
        found = runs(site.repository)
        if not found:
            raise UserError(f"there is no run in {site.repository.root} yet: `skygit evolve` starts one")
        name = found[0].name
    recorded = tuple(open_journal(site.repository, name).events())
    return Told(name=name, recorded=recorded, history=replay(item.event for item in recorded))


def _same(site: Site, name: str, typed: Mapping[str, Any]) -> None:
    difference = _change(site, _started(site, name), typed)
    if difference:
        raise UserError(f"the run {name} has {difference}: name another run, or undo the change to go on with it")


def _difference(site: Site, name: str, base: str, typed: Mapping[str, Any]) -> str:
    """What sets a run apart from what would be started now; "" when nothing does."""
    started = _started(site, name)
    if started.base != base:
        return f"another base ({started.base[:12]}, now {base[:12]})"
    return _change(site, started, typed)


def _started(site: Site, name: str) -> Started:
    event = open_journal(site.repository, name).opening().event
    assert isinstance(event, Started)
    return event


def _change(site: Site, started: Started, typed: Mapping[str, Any]) -> str:
    settings = load_settings(site, {**remembered(started.settings), **typed})
    mine, theirs = law(settings, bundle(site, settings)), started.settings.get("law", {})
    changed = [_told(key, mine, theirs) for key in mine if mine[key] != theirs.get(key)]
    return f"another {', '.join(changed)}" if changed else ""


def _told(key: str, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    if key == "seed":
        return f"seed ({theirs.get(key)}, now {mine[key]})"
    return {"seal": "evaluator"}.get(key, key)


def _hopeless(site: Site, name: str) -> bool:
    """Whether the run ended because its base did not pass."""
    last = open_journal(site.repository, name).last()
    return isinstance(last, Stopped) and last.reason == "base"


def _free(found: list[str]) -> str:
    number = 1
    while f"run-{number}" in found:
        number += 1
    return f"run-{number}"
