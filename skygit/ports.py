"""Every protocol of the outside world. The engine knows these and no implementation."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from random import Random
from typing import Protocol

from skygit.domain.brief import Brief, Call, Message, Reply, Step
from skygit.domain.candidate import Candidate, Evaluation
from skygit.domain.draft import Draft
from skygit.domain.event import Event
from skygit.domain.history import History
from skygit.domain.value import Value

# ---------------------------------------------------------------- files of a commit


class Tree(Protocol):
    """The files of one commit. Paths are `/`-separated, surrogateescape for what is not UTF-8."""

    def paths(self) -> Collection[str]:
        """Every path in the tree (files, symbolic links, submodules)."""
        ...

    def mode(self, path: str) -> str | None:
        """ "100644", "100755", "120000" (link), "160000" (submodule), "040000" (folder); None: not there."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of a file, or the target of a link. Raises KeyError when it is not there."""
        ...


class Span(Value, frozen=True, kw_only=True):
    """A range of bytes; `row` is the line it starts on, from 0."""

    start: int
    end: int
    row: int


class Node(Value, frozen=True, kw_only=True):
    """A node of a syntax tree. `parent` and `children` are positions in the sequence of nodes.

    `kind` is the grammar's name, `field` the role in the parent ("" when it has none).
    """

    kind: str
    start: int
    end: int
    row: int
    parent: int
    children: tuple[int, ...]
    named: bool = True
    field: str = ""


class Outlined(Value, frozen=True, kw_only=True):
    """A definition: its kind ("class", "function"), name, first line as written, rows from 0, nesting."""

    kind: str
    name: str
    line: str
    row: int
    end_row: int
    depth: int


class Syntax(Protocol):
    """What a file's language says about its text. Never raises on any bytes."""

    def language(self, path: str) -> str:
        """The name of the language, "" when no grammar covers the file."""
        ...

    def comments(self, path: str, data: bytes) -> Sequence[Span] | None:
        """Single-line comments standing alone on their line; None when no grammar covers the file."""
        ...

    def faults(self, path: str, data: bytes) -> Sequence[str]:
        """Syntax errors as "line N: what"; empty when there are none or no grammar covers the file."""
        ...

    def outline(self, path: str, data: bytes) -> Sequence[Outlined]:
        """Definitions in order of their rows; empty without a grammar."""
        ...

    def nodes(self, path: str, data: bytes) -> Sequence[Node]:
        """The syntax tree in pre-order, node 0 the root (its parent is -1); empty without a grammar."""
        ...


# ---------------------------------------------------------------- the run in git


class Entry(Value, frozen=True, kw_only=True):
    """One event to append, and its papers: name to bytes. Names hold no `/` except `bundle/...`."""

    event: Event
    papers: dict[str, bytes] = {}


class Recorded(Value, frozen=True, kw_only=True):
    """One event as it stands in the journal: `at` is the journal commit, which holds its papers."""

    event: Event
    at: str


class Journal(Protocol):
    """The chain of events of one run. One writer at a time; every append is all or nothing."""

    def events(self) -> Sequence[Recorded]:
        """All events in order."""
        ...

    def append(
        self, entries: Sequence[Entry], *, keep: Sequence[str] = (), refs: Mapping[str, str] | None = None
    ) -> str:
        """Append the entries as one journal commit and move the refs, in one ref transaction.

        `keep` are candidate commits the journal must keep alive; `refs` maps a short name
        ("island-0", "best") to the commit its branch shall name. Returns the journal commit.
        Raises Conflict when someone else wrote (nothing is written), ValueError when two
        entries have a paper of the same name.
        """
        ...

    def paper(self, at: str, name: str) -> bytes:
        """A paper of a journal commit. Raises KeyError when there is none."""
        ...


class Repository(Protocol):
    """Candidates in git. Objects only: no index, no working tree, no hook is ever touched."""

    def tree(self, commit: str) -> Tree:
        """The files of a commit. Cheap: reads happen when asked for."""
        ...

    def tree_id(self, commit: str) -> str:
        """The id of a commit's tree."""
        ...

    def write_tree(self, parent: str, draft: Draft) -> str:
        """The id of the tree that results from a draft on a commit. Writes blobs and trees."""
        ...

    def commit(self, tree: str, parents: Sequence[str], message: str, *, clock: int) -> str:
        """Write a commit. `clock` counts seconds after the base's date, so ids repeat exactly."""
        ...

    def diff(self, old: str, new: str) -> str:
        """The unified diff between two commits, a/ and b/ prefixes, no colour, no filters."""
        ...

    def changed(self, old: str, new: str) -> Sequence[str]:
        """The paths that differ between two commits, sorted. Cost follows the difference."""
        ...

    def pack(self) -> None:
        """Put the run's loose objects into a kept pack. Called now and then; cheap to skip."""
        ...


# ---------------------------------------------------------------- proposing


class Desk(Protocol):
    """What lies before a proposer: the repository read-only, and the way to a draft."""

    @property
    def syntax(self) -> Syntax: ...

    def tree(self, commit: str) -> Tree:
        """The files of a commit."""
        ...

    def diff(self, old: str, new: str) -> str:
        """The unified diff between two commits."""
        ...

    def known(self, parent: str, draft: Draft) -> bool:
        """Whether the tree this draft gives was already made in this run."""
        ...


class Proposer(Protocol):
    """Makes a child out of a brief. A frozen dataclass whose fields are its options.

    A function of (brief, replies so far): it is called with no replies, and again after each
    reply, until it returns a Sketch or GaveUp. So a proposer needs no memory, and a reply
    that the journal holds is never paid again.
    """

    def step(self, brief: Brief, desk: Desk, replies: Sequence[Reply]) -> Step: ...


class Models(Protocol):
    """A pool of models."""

    def names(self) -> Sequence[str]:
        """The models in the pool, as configured; empty: no model can be asked."""
        ...

    def complete(self, call: Call, rng: Random) -> Reply:
        """One reply. Draws the model by weight unless the call names one; fails over.

        Raises Outage when no model answers, Denied when none ever will.
        """
        ...


class Scribe(Protocol):
    """Writes what models read, within a token budget."""

    def proposal(self, brief: Brief, desk: Desk) -> Sequence[Message]:
        """The messages that ask for an edit."""
        ...

    def repair(self, brief: Brief, desk: Desk, replies: Sequence[Reply], refusal_note: str) -> Sequence[Message]:
        """The messages that ask for the edit again, after a refusal."""
        ...

    def consult(self, topic: str, facts: Mapping[str, str]) -> Sequence[Message]:
        """The messages that ask for advice; `facts` fill the topic's template."""
        ...


# ---------------------------------------------------------------- judging


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

    def close(self) -> None: ...


Observer = Callable[[Recorded, History], None]
"""Called after each event with the event and the history; returns nothing, may not decide."""
