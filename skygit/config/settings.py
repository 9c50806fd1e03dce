"""`.skydiscover.yaml` -> Settings: everything a run is set up with, checked."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from skygit.config import checks, choice
from skygit.config.document import Document, read
from skygit.config.globs import literal
from skygit.config.reading import convert, plain
from skygit.config.sections import Evaluation, Limits, Llm, Proposals, Search
from skygit.domain.scope import Scope
from skygit.domain.value import Value
from skygit.errors import ConfigError

FILE_NAME: Final = ".skydiscover.yaml"


class Prompt(Value, frozen=True, kw_only=True):
    """Accepted for the sake of older files: the text is shown as the problem."""

    system_message: str = ""


class Settings(Value, frozen=True, kw_only=True):
    """A set-up. `raw` is the file's data as written, overrides included; `notes` are for the user's eyes."""

    evaluation: Evaluation
    llm: Llm = Llm()
    search: Search = Search()
    scope: Scope = Scope()
    proposals: Proposals = Proposals()
    limits: Limits = Limits()
    problem: str = ""
    seed: int = 0
    raw: dict[str, Any] = {}
    notes: tuple[str, ...] = ()

    @property
    def proposer(self) -> str:
        """The proposer by name: `auto` resolved."""
        if self.proposals.proposer != "auto":
            return self.proposals.proposer
        return "llm" if self.llm.models else "mutate"

    def law(self) -> dict[str, Any]:
        """What must stay as it is for the life of a run, as plain data; defaults left out."""
        search = {"algorithm": self.search.algorithm, "options": self.search.options}
        parts = {"scope": self.scope, "evaluation": self.evaluation, "search": search}
        return {**{key: plain(part) for key, part in parts.items()}, "problem": self.problem, "seed": self.seed}

    def changeable(self) -> dict[str, Any]:
        """What may change while a run goes on, as plain data; defaults left out."""
        parts = {"llm": self.llm, "limits": self.limits, "proposals": self.proposals}
        return {key: plain(part) for key, part in parts.items()}


class _Root(Value, frozen=True, kw_only=True):
    """The file as it is laid out."""

    evaluation: Evaluation
    problem: str = ""
    llm: Llm = Llm()
    prompt: Prompt = Prompt()
    search: Search = Search()
    scope: Scope = Scope()
    proposals: Proposals = Proposals()
    limits: Limits = Limits()
    seed: int = 0


def load(path: Path, overrides: Mapping[str, Any] | None = None) -> Settings:
    """The settings of a file. Raises ConfigError with file, line and a suggestion.

    `overrides` replace values before they are checked, by dotted key:
    `{"search.algorithm": "topk", "llm.models": [{"model": "openai/gpt-5"}]}`.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ConfigError(f"there is no {path}; `skygit init` writes one") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    return parse(text, path.name, overrides, root=path.parent)


def parse(text: str, where: str, overrides: Mapping[str, Any] | None = None, *, root: Path = Path()) -> Settings:
    """The settings of a text; `where` names it in errors, plugins given as paths are relative to `root`."""
    return _assembled(read(text, where).with_overrides(overrides or {}), root)


def restore(raw: Mapping[str, Any], where: str = "the journal", *, root: Path = Path()) -> Settings:
    """The settings of a run from what its journal says (`Settings.raw`)."""
    return _assembled(Document(where=where, data=dict(raw)), root)


def _assembled(document: Document, root: Path) -> Settings:
    data = _prepared(document)
    _refuse(document, checks.secrets(data.get("llm"), ("llm",)))
    file = convert(document, (), data, _Root)
    _refuse(document, _complaints(file))
    _sandbox(document, file.evaluation.sandbox, root)
    search, search_notes = _search(document, file, root)
    settings = Settings(
        evaluation=file.evaluation,
        llm=file.llm,
        search=search,
        scope=_scope(file),
        proposals=file.proposals,
        limits=file.limits,
        problem="\n\n".join(text.strip() for text in (file.problem, file.prompt.system_message) if text.strip()),
        seed=file.seed,
        raw=document.data,
    )
    proposals, proposal_notes = _proposals(document, settings, root)
    notes = (*search_notes, *proposal_notes, *_notes(document, settings))
    return msgspec.structs.replace(settings, proposals=proposals, notes=notes)


def _prepared(document: Document) -> dict[str, Any]:
    """The data with plugin options gathered and `name:` read as `model:`."""
    if document.data is None or document.data == {}:
        raise document.error((), "the set-up is empty: at least `evaluation:` is needed")
    if not isinstance(document.data, dict):
        raise document.error((), "expected sections: `evaluation:`, `scope:`, `llm:` ...")
    data = dict(document.data)
    if "evaluation" not in data or data["evaluation"] is None:
        raise document.error((), "`evaluation:` is missing: say how to measure, by `command:` or `python:`")
    for section, kind in (("search", Search), ("proposals", Proposals)):
        if section in data:
            data[section] = choice.split(data[section], kind)
    if isinstance(data.get("llm"), dict):
        data["llm"] = _models_named(data["llm"])
    return data


def _models_named(llm: dict[str, Any]) -> dict[str, Any]:
    models = llm.get("models")
    if not isinstance(models, list):
        return llm
    return {**llm, "models": [_model_named(model) for model in models]}


def _model_named(model: Any) -> Any:
    if not isinstance(model, dict) or "name" not in model or "model" in model:
        return model
    return {"model": model["name"], **{key: value for key, value in model.items() if key != "name"}}


def _complaints(file: _Root) -> Iterator[checks.Complaint]:
    yield from checks.llm(file.llm)
    yield from checks.scope(file.scope)
    yield from checks.evaluation(file.evaluation)


def _refuse(document: Document, complaints: Iterator[checks.Complaint]) -> None:
    for complaint in complaints:
        raise document.error(complaint.path, complaint.message)


def _sandbox(document: Document, name: str, root: Path) -> None:
    if name not in {"auto", Evaluation().sandbox}:
        choice.found(document, choice.Choice(section="evaluation", key="sandbox", family="sandboxes", name=name), root)


def _search(document: Document, file: _Root, root: Path) -> tuple[Search, tuple[str, ...]]:
    """Nothing is looked up while nothing is said."""
    if file.search == Search():
        return file.search, ()
    chosen = choice.Choice(
        section="search",
        key="algorithm",
        family="algorithms",
        name=file.search.algorithm,
        given=file.search.options,
    )
    options, notes = choice.sift(document, chosen, root)
    return msgspec.structs.replace(file.search, options=options), notes


def _proposals(document: Document, settings: Settings, root: Path) -> tuple[Proposals, tuple[str, ...]]:
    section = settings.proposals
    if section.proposer == "auto" and not section.options:
        return section, ()
    chosen = choice.Choice(
        section="proposals",
        key="proposer",
        family="proposers",
        name=settings.proposer,
        given=section.options,
    )
    options, notes = choice.sift(document, chosen, root)
    return msgspec.structs.replace(section, options=options), notes


def _scope(file: _Root) -> Scope:
    """Without globs the measured program may change, if it is one file."""
    program = file.evaluation.program
    if file.scope.evolvable or program.rstrip("/") in {"", "."}:
        return file.scope
    return msgspec.structs.replace(file.scope, evolvable=(literal(program),))


def _notes(document: Document, settings: Settings) -> Iterator[str]:
    if not settings.scope.evolvable:
        yield f"{document.at(('scope',))}: scope.evolvable is empty: no file may change"
    for name in settings.evaluation.pass_env:
        if name.upper().endswith(("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")):
            yield f"{document.at(('evaluation', 'pass_env'))}: candidates will be able to read {name}"
