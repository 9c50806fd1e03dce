"""All ports of one session, put together."""

import re
import shutil
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from skygit import plugins
from skygit.config.globs import files
from skygit.config.settings import FILE_NAME, Settings
from skygit.domain.event import Started
from skygit.domain.scope import Scope
from skygit.edits.permits import editable
from skygit.engine.world import World
from skygit.ports import Executor, Observer, Sandbox

if TYPE_CHECKING:
    pass

from skygit.wire.parts import build_evaluator, build_models, build_sandbox, build_scribe
from skygit.wire.runs import Opened
from skygit.wire.site import Site, scope_of


def build_executor(site: Site, settings: Settings, started: Started, sealed: Mapping[str, bytes]) -> "Judging":
    """Slots, sandbox and evaluator together."""
    from skygit.executors.local import LocalExecutor
    from skygit.git.slots import open_slots

    scope = scope_of(settings, sealed)
    sandbox = build_sandbox(settings)
    slots = open_slots(
        site.repository,
        base=started.base,
        overlays=sandbox.overlays,
        overrides={path: data for path, data in sealed.items() if path != FILE_NAME},
        include=_included(site, settings, started.base),
        guarded=lambda path: not editable(scope, path),
    )
    executor = LocalExecutor(slots=slots, evaluator=build_evaluator(settings), sandbox=sandbox)
    return Judging(executor=executor, sandbox=sandbox, scope=scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """What measures, and what may change."""

    executor: Executor
    sandbox: Sandbox
    scope: Scope


def build_world(
    site: Site, settings: Settings, opened: Opened, observers: Sequence[Observer], stop: threading.Event
) -> World:
    """The ports of one session."""
    from skygit.languages.syntax import TreeSitterSyntax

    root, syntax = site.config.parent, TreeSitterSyntax()
    models, scribe = build_models(settings, stop), build_scribe(settings, root, _shown(opened.sealed))
    judging = build_executor(site, settings, opened.started, opened.sealed)
    proposer = plugins.build(
        "proposers",
        settings.proposer,
        settings.proposals.options,
        FILE_NAME,
        supplies={"scribe": scribe, "repairs": settings.proposals.repairs},
        root=root,
    )
    return World(
        run=opened.started.run,
        journal=opened.journal,
        repository=site.repository,
        proposer=proposer,
        models=models,
        scribe=scribe,
        executor=judging.executor,
        sandbox=judging.sandbox,
        syntax=syntax,
        scope=judging.scope,
        clock=time.time,
        free_mb=lambda: shutil.disk_usage(site.repository.common).free / 2**20,
        problem=settings.problem,
        evaluator_text=_evaluator_text(opened.sealed),
        advisor=settings.llm.guide_model,
        observers=observers,
    )


def _included(site: Site, settings: Settings, base: str) -> dict[str, Path]:
    """Files of the checkout that git does not carry, by the globs the user names."""
    root, tree = site.repository.root, site.repository.tree(base)
    found = (path for path in files(settings.evaluation.include, root) if (root / path).is_file())
    return {path: root / path for path in found if tree.mode(path) is None}


def _evaluator_text(sealed: Mapping[str, bytes]) -> str:
    parts = [f"# {path}\n{data.decode('utf-8', 'replace')}" for path, data in sealed.items() if path != FILE_NAME]
    return "\n\n".join(parts)


def _shown(sealed: Mapping[str, bytes]) -> str:
    """The evaluator for a prompt: read-only, in a fence longer than any inside."""
    text = _evaluator_text(sealed)
    if not text:
        return ""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * max(longest + 1, 4)
    return f"This is what measures (read-only):\n{fence}\n{text}\n{fence}"
