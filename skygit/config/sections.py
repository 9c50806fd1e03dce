"""The sections of `.skydiscover.yaml` as values; names and defaults are those of the file."""

import re
import shlex
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from skygit.config.duration import Seconds
from skygit.domain.value import Value

Positive = Annotated[float, Meta(gt=0)]
Count = Annotated[int, Meta(ge=1)]
Amount = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0)]
ReplyFormat = Literal["diff", "search_replace", "block"]
Source = Literal["result", "json", "regex", "metric", "wall", "cpu"]
Direction = Literal["max", "min"]

_FILE_WORD: Final = re.compile(r"[\w./-]+\.\w+")


class Price(Value, frozen=True, kw_only=True):
    """US dollars per million tokens."""

    input: Share
    output: Share


class Model(Value, frozen=True, kw_only=True):
    """One model of the pool. `timeout` in seconds for one call; None: as LiteLLM or the provider says."""

    model: Annotated[str, Meta(min_length=1)]
    weight: Positive = 1.0
    api_base: str = ""
    api_key_env: str = ""
    temperature: Share | None = None
    max_tokens: Count | None = None
    timeout: Seconds = Seconds(600)
    context_tokens: Count | None = None
    price: Price | None = None
    format: ReplyFormat = "diff"
    params: dict[str, Any] = {}


class Llm(Value, frozen=True, kw_only=True):
    """The pool of models; empty: built-in mutation."""

    models: tuple[Model, ...] = ()
    guide_model: str = ""
    system_prompt: str = ""
    max_iterations: Count = 100


class Database(Value, frozen=True, kw_only=True):
    """Accepted for the sake of older files: prompts are always kept."""

    log_prompts: bool = True


class Search(Value, frozen=True, kw_only=True):
    """The algorithm and its options; `options` holds every key of the section that is not named here."""

    algorithm: Annotated[str, Meta(min_length=1)] = "adaevolve"
    database: Database = Database()
    options: dict[str, Any] = {}


class Score(Value, frozen=True, kw_only=True):
    """Where the number comes from. `pattern` is for regex, `key` for result, json and metric."""

    source: Source | None = None
    key: str = "combined_score"
    pattern: str = ""
    direction: Direction | None = None


class Stage(Value, frozen=True, kw_only=True):
    """A gate: a command that must exit 0 before the next stage. `timeout` in seconds."""

    name: Annotated[str, Meta(min_length=1)]
    command: str | tuple[str, ...]
    timeout: Seconds = Seconds(60)

    @property
    def argv(self) -> tuple[str, ...]:
        """The command as the arguments of a process."""
        return argv(self.command)


class Evaluation(Value, frozen=True, kw_only=True):
    """How a candidate is measured: by `command` or by `python`. `timeout` in seconds, whole process tree."""

    command: str | tuple[str, ...] = ()
    python: str = ""
    program: str = "."
    score: Score = Score()
    stages: tuple[Stage, ...] = ()
    timeout: Seconds = Seconds(60)
    repeats: Count = 1
    memory_mb: Amount = 4096
    output_kb: Count = 256
    env: dict[str, str | int | float] = {}
    pass_env: tuple[str, ...] = ()
    sandbox: Annotated[str, Meta(min_length=1)] = "hygiene"
    include: tuple[str, ...] = ()

    @property
    def argv(self) -> tuple[str, ...]:
        """The command as the arguments of a process; empty for a python evaluator."""
        return argv(self.command)

    @property
    def source(self) -> Source:
        """Where the score comes from: `result` for python, `json` for a command, unless said."""
        return self.score.source or ("result" if self.python else "json")

    @property
    def direction(self) -> Direction:
        """Whether more or less is better: less for measured time, more for the rest, unless said."""
        return self.score.direction or ("min" if self.source in {"wall", "cpu"} else "max")

    @property
    def environment(self) -> dict[str, str]:
        """What is set for the candidate, as text."""
        return {name: str(value) for name, value in self.env.items()}

    @property
    def named_files(self) -> tuple[str, ...]:
        """Words of the commands that may be files of the measure, as written: they belong in the bundle."""
        commands = (self.command, *(stage.command for stage in self.stages))
        words = [word for command in commands for word in (*_FILE_WORD.findall(_line(command)), *_split(command))]
        return tuple(dict.fromkeys([self.python, *words] if self.python else words))


class Proposals(Value, frozen=True, kw_only=True):
    """How children are made; `options` holds every key of the section that is not named here."""

    proposer: Annotated[str, Meta(min_length=1)] = "auto"
    repairs: Annotated[int, Meta(ge=0, le=2)] = 1
    context_tokens: Annotated[int, Meta(ge=1000)] = 32_000
    templates: str = ""
    options: dict[str, Any] = {}


class Limits(Value, frozen=True, kw_only=True):
    """What a run may spend. None: no limit. `max_time` in seconds."""

    parallel: Count = 1
    evaluations: Count | None = None
    budget_usd: Positive | None = None
    max_time: Seconds | None = None
    max_model_calls: Amount | None = None
    target: float | None = None
    disk_reserve_mb: Amount = 64

    @property
    def evaluations_in_flight(self) -> int:
        """Evaluations at once: as many as model calls, unless said."""
        return self.evaluations or self.parallel


def argv(command: str | tuple[str, ...]) -> tuple[str, ...]:
    """A command as the arguments of a process: a line of text goes to the shell, a list is taken as it is."""
    if isinstance(command, str):
        return ("/bin/sh", "-c", command) if command.strip() else ()
    return command


def _line(command: str | tuple[str, ...]) -> str:
    return command if isinstance(command, str) else " ".join(command)


def _split(command: str | tuple[str, ...]) -> list[str]:
    """The words of a command that may be files, quotes taken off; none when no shell could split it."""
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError:
        return []
    return [word for word in words if "." in word and not word.startswith("-")]
