"""One step of a ticket: a function of its events, run by a worker.

    Requested (proposal)   ask the proposer: it wants a reply, has a draft, or gives up
    Replied                ask the proposer again, with the replies
    Committed              judge
    Requested (consult)    ask the model; its reply is the answer
    Requested (compute)    run the program
    Requested (remeasure)  judge

Nothing is remembered between two steps, so a ticket left open by a crash goes on from its
last event, and no reply that the journal holds is bought again.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from skygit.domain.brief import Brief, Call, GaveUp, Message, Reply, Sketch
from skygit.domain.candidate import Candidate, sound
from skygit.domain.event import Answered, Committed, Computed, Evaluated, Failed, Replied, Seen
from skygit.domain.request import Compute, Consult
from skygit.domain.ticket import Ticket
from skygit.engine.desk import RunDesk
from skygit.engine.fingerprint import fingerprint
from skygit.engine.message import compose
from skygit.engine.outcome import Happened, Held, Outcome
from skygit.engine.world import World
from skygit.ports import Command, Slot

MayBuy = Callable[[], bool]
"""Whether a reply may still be bought; asked at the last moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draftwork:
    """An open proposal with all a proposer needs: the brief, the desk and the replies so far."""

    ticket: Ticket
    brief: Brief
    desk: RunDesk
    replies: tuple[Reply, ...]


def propose(world: World, work: Draftwork, may_buy: MayBuy) -> Outcome:
    """The next step of an open proposal."""
    start = world.clock()
    step = world.proposer.step(work.brief, work.desk, work.replies)
    match step:
        case Call():
            return _buy(world, work.ticket, step, work.brief.seed, may_buy)
        case Sketch():
            return _commit(world, work, step, start)
        case GaveUp(refusal=refusal, summary=summary):
            paths = (refusal.path,) if refusal.path else ()
            tried = Tried(word=refusal.word, message=refusal.message, paths=paths, summary=summary)
            return _failed(world, work.ticket, tried, start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Why a ticket fails, and what was tried."""

    word: str
    message: str
    paths: tuple[str, ...] = ()
    summary: str = ""


def advise(
    world: World, ticket: Ticket, ask: Callable[[Consult], Sequence[Message]], seed: int, may_buy: MayBuy
) -> Outcome:
    """A consult without a reply yet: buy one."""
    assert isinstance(ticket.request, Consult)
    if not world.models.names():
        return _failed(world, ticket, Tried(word="no-model", message="no model is configured to ask"), world.clock())
    call = Call(messages=tuple(ask(ticket.request)), model=world.advisor)
    return _buy(world, ticket, call, seed, may_buy)


def answer(world: World, ticket: Ticket, reply: Reply) -> Outcome:
    """A consult with its reply: the answer."""
    return Happened(event=Answered(ticket=ticket.number, text=reply.text, seen=Seen(at=world.clock())))


def judge(world: World, ticket: Ticket, candidate: Candidate) -> Outcome:
    """Measure a candidate."""
    judgement = world.executor.judge(candidate)
    seen = Seen(at=world.clock(), seconds=judgement.seconds)
    evaluation = sound(judgement.evaluation)
    event = Evaluated(ticket=ticket.number, commit=candidate.commit, evaluation=evaluation, seen=seen)
    return Happened(event=event, papers=dict(judgement.papers))


def compute(world: World, ticket: Ticket, python: str, folder: str) -> Outcome:
    """Run a program that a model wrote, in the sandbox, with an empty folder."""
    request = ticket.request
    assert isinstance(request, Compute)
    command = Command(
        argv=(python, "-I", "-S", "-c", request.program),
        slot=Slot(folder=folder),
        stdin=request.stdin.encode(),
        seconds=request.seconds,
    )
    done = world.sandbox.run(command)
    error = done.fault or ("timed out" if done.timed_out else "" if done.status == 0 else f"exit status {done.status}")
    output = done.stdout.decode("utf-8", "replace")
    seen = Seen(at=world.clock(), seconds=done.wall)
    return Happened(event=Computed(ticket=ticket.number, output=output, error=error, seen=seen))


def _buy(world: World, ticket: Ticket, call: Call, seed: int, may_buy: MayBuy) -> Outcome:
    if not may_buy():
        return Held(ticket=ticket.number)
    start = world.clock()
    ordinal = len(ticket.replies) + 1
    reply = world.models.complete(call, Random(f"{seed}/{ticket.number}/{ordinal}"))
    now = world.clock()
    event = Replied(
        ticket=ticket.number,
        ordinal=ordinal,
        model=reply.model,
        digest=hashlib.sha256(reply.text.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        truncated=reply.truncated,
        seen=Seen(at=now, seconds=now - start, cost=reply.cost, note=reply.note),
    )
    papers = {"prompt.md": transcript(call.messages), "reply.md": reply.text.encode("utf-8", "surrogatepass")}
    return Happened(event=event, papers=papers, reply=reply)


def transcript(messages: Sequence[Message]) -> bytes:
    """Messages as one text for people."""
    return "\n\n".join(f"<!-- {message.role} -->\n{message.text}" for message in messages).encode("utf-8", "replace")


def _commit(world: World, work: Draftwork, sketch: Sketch, start: float) -> Outcome:
    ticket, proposal, replies = work.ticket, work.brief.proposal, work.replies
    parents = [judged.candidate for judged in work.brief.parents]
    tree = work.desk.tree_of(parents[0].commit, sketch.draft)
    if tree == parents[0].tree:
        paths, summary = sketch.draft.paths, sketch.summary
        tried = Tried(word="noop", message="the edit changes nothing", paths=paths, summary=summary)
        return _failed(world, ticket, tried, start)
    message = compose(world.run, ticket.number, proposal, sketch, replies)
    commits = [parent.commit for parent in parents]
    commit = world.repository.commit(tree, commits, message, clock=ticket.number)
    candidate = Candidate(
        commit=commit,
        tree=tree,
        parents=tuple(commits),
        island=proposal.island,
        generation=1 + max(parent.generation for parent in parents),
        summary=message.splitlines()[0],
        operator=proposal.operator,
        model=replies[-1].model if replies else "",
        paths=sketch.draft.paths,
        kinds=sketch.kinds,
        sketch=fingerprint(sketch.draft, parents[0], work.desk.tree(commits[0])),
    )
    return Happened(event=Committed(ticket=ticket.number, candidate=candidate, seen=_since(world, start)))


def _failed(world: World, ticket: Ticket, tried: Tried, start: float) -> Outcome:
    event = Failed(
        ticket=ticket.number,
        word=tried.word,
        message=tried.message,
        paths=tried.paths,
        summary=tried.summary,
        seen=_since(world, start),
    )
    return Happened(event=event)


def _since(world: World, start: float) -> Seen:
    now = world.clock()
    return Seen(at=now, seconds=now - start)
