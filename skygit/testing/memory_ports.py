"""The engine's other ports in memory: executor, models, scribe, proposer, syntax, sandbox."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from skygit.domain.brief import Brief, Call, GaveUp, Message, Reply, Sketch, Step
from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.domain.draft import Change, Draft, Refusal
from skygit.ports import (
    Command,
    Desk,
    Finished,
    Judgement,
    Models,
    Node,
    Outlined,
    Span,
)
from skygit.testing.memory_store import MemoryRepository


@dataclass(slots=True)
class MemoryExecutor:
    """Judges the text of `program` by a function; None is a crash."""

    repository: MemoryRepository
    score: Callable[[bytes], float | None]
    judged: list[str] = field(default_factory=list)
    closed: int = 0
    stopped: int = 0

    def judge(self, candidate: Candidate) -> Judgement:
        self.judged.append(candidate.commit)
        score = self.score(self.repository.tree(candidate.commit).read("program"))
        if score is None:
            return Judgement(evaluation=Evaluation(verdict=Verdict.CRASHED, message="it crashed"))
        return Judgement(evaluation=Evaluation(verdict=Verdict.PASSED, score=score, metrics={"score": score}))

    def stop(self) -> None:
        self.stopped += 1

    def close(self) -> None:
        self.closed += 1


@dataclass(slots=True)
class MemoryModels:
    """Replies by a function of the prompt; counts what was paid."""

    reply: Callable[[str], str] | None = None
    cost: float | None = 0.01
    paid: list[str] = field(default_factory=list)
    ceased: bool = False

    def cease(self) -> None:
        self.ceased = True

    def names(self) -> Sequence[str]:
        return ("memory/model",) if self.reply is not None else ()

    def complete(self, call: Call, rng: Random) -> Reply:
        assert self.reply is not None
        prompt = "\n".join(message.text for message in call.messages)
        self.paid.append(prompt)
        return Reply(
            text=self.reply(prompt), model="memory/model", prompt_tokens=3, completion_tokens=2, cost=self.cost
        )


class MemoryScribe:
    """Prompts of one line."""

    def proposal(self, brief: Brief, desk: Desk) -> Sequence[Message]:
        return (Message(role="user", text=f"ticket {brief.ticket} parent {brief.parents[0].candidate.commit}"),)

    def repair(self, brief: Brief, desk: Desk, replies: Sequence[Reply], refusal_note: str) -> Sequence[Message]:
        return (*self.proposal(brief, desk), Message(role="user", text=f"again: {refusal_note}"))

    def consult(self, topic: str, facts: Mapping[str, str]) -> Sequence[Message]:
        return (Message(role="user", text=f"consult {topic} best {facts['best_score']}"),)


class MemoryProposer:
    """Appends one letter to the program: drawn by chance, or the first of the model's reply.

    A reply of "?" is refused; one repair is asked for.
    """

    def __init__(self, models: Models) -> None:
        self._models = models

    def step(self, brief: Brief, desk: Desk, replies: Sequence[Reply]) -> Step:
        if self._models.names():
            return self._from(brief, desk, replies)
        return self._sketch(brief, desk, Random(f"{brief.seed}/{brief.ticket}").choice("abc"))

    def _from(self, brief: Brief, desk: Desk, replies: Sequence[Reply]) -> Step:
        if replies and replies[-1].text != "?":
            return self._sketch(brief, desk, replies[-1].text[:1])
        if len(replies) == 2:
            return GaveUp(refusal=Refusal(word="malformed", message="no letter"), summary="a letter")
        return Call(messages=(Message(role="user", text=f"ticket {brief.ticket} turn {len(replies)}"),))

    def _sketch(self, brief: Brief, desk: Desk, letter: str) -> Step:
        text = desk.tree(brief.parents[0].candidate.commit).read("program") + letter.encode()
        change = Change(path="program", content=text)
        return Sketch(draft=Draft(changes=(change,)), summary=f"append {letter}", kinds=(f"append-{letter}",))


class NoSyntax:
    """No grammar covers anything."""

    def language(self, path: str) -> str:
        return ""

    def comments(self, path: str, data: bytes) -> Sequence[Span] | None:
        return None

    def faults(self, path: str, data: bytes) -> Sequence[str]:
        return ()

    def outline(self, path: str, data: bytes) -> Sequence[Outlined]:
        return ()

    def nodes(self, path: str, data: bytes) -> Sequence[Node]:
        return ()


class EchoSandbox:
    """Answers a program with its standard input."""

    name = "echo"
    overlays = False

    def run(self, command: Command) -> Finished:
        return Finished(status=0, stdout=command.stdin)

    def close(self) -> None:
        """Nothing runs."""
