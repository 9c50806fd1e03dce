"""From a candidate to a judgement: slots, sandbox, evaluator, executor; and who watches."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from skygit.domain.candidate import Candidate, Evaluation
from skygit.domain.history import History
from skygit.domain.value import Value
from skygit.ports.run import Recorded


class Layers(Value, frozen=True, kw_only=True):
    """An overlay the sandbox shall mount over `Slot.folder`: lower read-only, upper the change."""

    lower: str
    upper: str
    work: str
    removed: tuple[str, ...] = ()


class Slot(Value, frozen=True, kw_only=True):
    """A folder holding a candidate's evaluation tree. With `layers` it is empty until mounted."""

    folder: str
    layers: Layers | None = None


class Slots(Protocol):
    """Folders outside the user's checkout in which candidates are measured."""

    def lease(self, commit: str) -> AbstractContextManager[Slot]:
        """A slot that holds the commit's files, protected ones from bundle or base."""
        ...

    def close(self) -> None:
        """Remove every slot. Idempotent."""
        ...

    def tampered(self, slot: Slot) -> Sequence[str]:
        """The laid paths that changed or vanished since the slot was leased and that are protected."""
        ...


class Command(Value, frozen=True, kw_only=True):
    """A program to run in a sandbox. Zero limits are no limits.

    `seconds` is the deadline of the whole process tree; `output` the most bytes kept of
    stdout and of stderr each; `channel` opens the result channel: the environment variable
    SKYGIT_RESULT then holds "FD:NONCE", and one line "NONCE JSON" written there is the result.
    """

    argv: tuple[str, ...]
    slot: Slot
    env: dict[str, str] = {}
    stdin: bytes = b""
    seconds: float = 60.0
    memory_mb: int = 0
    file_mb: int = 0
    processes: int = 0
    output: int = 262144
    channel: bool = False


class Finished(Value, frozen=True, kw_only=True):
    """How a command ended. Times in seconds, `peak_kb` the largest process's resident memory.

    `status` is the exit status, negative for a signal. `result` is what came over the
    channel, "" when nothing did; `strays` counts processes that had to be killed.
    """

    status: int
    timed_out: bool = False
    stdout: bytes = b""
    stderr: bytes = b""
    result: str = ""
    wall: float = 0.0
    cpu: float = 0.0
    peak_kb: int = 0
    strays: int = 0
    fault: str = ""


class Sandbox(Protocol):
    """Runs commands that nobody trusts. A frozen dataclass whose fields are its options."""

    @property
    def name(self) -> str:
        """The tier reached, recorded beside each score."""
        ...

    @property
    def overlays(self) -> bool:
        """Whether it mounts `Slot.layers` itself."""
        ...

    def run(self, command: Command) -> Finished:
        """Run to the end or the deadline; on return no process of the command is left."""
        ...

    def close(self) -> None:
        """Kill whatever still runs. Idempotent."""
        ...


class Judgement(Value, frozen=True, kw_only=True):
    """An evaluation with its papers and duration in seconds."""

    evaluation: Evaluation
    papers: dict[str, bytes] = {}
    seconds: float = 0.0


class Evaluator(Protocol):
    """Measures what lies in a slot. A frozen dataclass whose fields are its options."""

    def evaluate(self, slot: Slot, sandbox: Sandbox) -> Judgement: ...


class Executor(Protocol):
    """Where evaluations run."""

    def judge(self, candidate: Candidate) -> Judgement:
        """Lease a slot, evaluate, look for tampering. An outcome is never raised."""
        ...

    def stop(self) -> None:
        """Kill what runs and run nothing more; judgements in flight come back worthless. Idempotent."""
        ...

    def close(self) -> None:
        """Stop, and remove every slot. Idempotent."""
        ...


Observer = Callable[[Recorded, History], None]
"""Called after each event with the event and the history; returns nothing, may not decide."""
