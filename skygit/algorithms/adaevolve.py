"""AdaEvolve: one signal of improvement steers three levels of adaptation (arXiv:2602.20133).

Level 1, within an island: its intensity decides between the leader and a draw from the
population, and how broad an edit may be. Level 2, across islands: a bandit decides which is
visited. Level 3, when all stand still: tactics (from a model, else built in) and new islands.
`signal="paper"` and `bandit="paper"` are the published equations to the digit; docs/adaevolve.md has the reasons.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from msgspec.structs import replace

from skygit.domain.algorithm import Turn
from skygit.domain.brief import Credit
from skygit.domain.draw import drawn_breadth, drawn_parent, inspirations
from skygit.domain.event import Answered, Steered
from skygit.domain.guidance import Guidance, Guide, credited, personal
from skygit.domain.habit import Habit, habit_of, promising
from skygit.domain.island import Island, Islands, migrated, put, split
from skygit.domain.population import Member, Population, member, settled
from skygit.domain.request import Consult, Proposal, Request, Tactic
from skygit.domain.tactics import parse_tactics
from skygit.domain.ticket import Ticket
from skygit.domain.value import Value
from skygit.numeric.bandit import Arms, Bandit, DiscountedBandit, PaperBandit, RoundRobin
from skygit.numeric.bounds import between, ordered
from skygit.numeric.maximin import farthest, mismatch
from skygit.numeric.patience import Waits
from skygit.numeric.signal import Gauge, Reading, difference, improvement

SEEDS: Final = 5  # members a spawned island starts with
PATIENCE: Final = 5  # a new island waits for so many times the usual wait for a gain (scaled signal)
FAILURES: Final = 10  # tickets without a gain that a consulted model is shown


class State(Value, frozen=True, kw_only=True):
    """The fold of all that was told. Bounded: populations, tactics and failures have caps.

    `scale` is the running maximum of the signals; `intervened` the number of closings at the
    last intervention, `intervention` its kind ("" before the first); `breadths` are credited
    with children that beat their parents.
    """

    islands: Islands = ()
    arms: Arms = Arms()
    guidance: Guidance = Guidance()
    best: Member | None = None
    scale: float = 0.0
    closings: int = 0
    intervened: int = 0
    intervention: Literal["", "meta", "spawn"] = ""
    failed: tuple[int, ...] = ()
    breadths: dict[str, Credit] = {}
    waits: Waits = Waits()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaEvolve:
    """The options; the names of the first seven are those of the published configuration.

    `rho` decay of the signal (and of the paper's bandit), `I_min I_max` bounds of the intensity,
    `C` exploration constant (the discounted bandit takes C/sqrt(32): 0.25), thresholds compared with the
    signal, `tactic_window` proposals that carry a tactic. `bandit_rho` belongs to the discounted
    bandit, `scale_decay` to the scaled signal, `decay` to the paper's bandit. `warm_up` closings
    per island before any intervention, `cooldown` closings between two (None: `tactic_window`),
    `migration` closings between two (0: never). The three levels can be switched off one by
    one; `max_islands` equal to `islands` switches off spawning.
    """

    rho: float = 0.9
    I_min: float = 0.1
    I_max: float = 0.7
    C: float = 1.414
    meta_guidance_threshold: float = 0.12
    spawn_threshold: float = 0.02
    tactic_window: int = 20
    signal: Literal["scaled", "paper"] = "scaled"
    bandit: Literal["discounted", "paper"] = "discounted"
    decay: Literal["visited", "all"] = "visited"
    bandit_rho: float = 0.98
    scale_decay: float = 0.99
    epsilon: float = 1e-8
    islands: int = 2
    max_islands: int = 6
    population: int = 20
    inspirations: int = 2
    warm_up: int = 10
    cooldown: int | None = None
    migration: int = 10
    local_level: bool = True
    global_level: bool = True
    meta_level: bool = True

    def __post_init__(self) -> None:
        for names, low, high in _RANGES:
            for name in names:
                between(name, getattr(self, name), low, high)
        ordered("I_min", self.I_min, "I_max", self.I_max)
        ordered("islands", self.islands, "max_islands", self.max_islands)

    def start(self) -> State:
        return State()

    def tell(self, state: State, news: Ticket | Steered) -> State:
        if isinstance(news, Steered):
            return self._steered(state, news)
        if isinstance(news.request, Consult):
            return self._advised(state, news)
        if not isinstance(news.request, Proposal):
            return state
        if not news.request.parents:
            return self._founded(state, news)
        return self._spawned(self._closed(state, news, news.request))

    def ask(self, state: State, turn: Turn) -> Sequence[Request]:
        if not state.islands:
            return ()
        still = _stands_still(self, state, turn.pending)
        asked: list[Request] = [_consult(state)] if still and turn.advised else []
        habit = promising(state.guidance) if still and not turn.advised else None
        pending = [ticket.request for ticket in turn.pending if isinstance(ticket.request, Proposal)]
        while len(asked) < turn.room:
            pending.append(_proposal(self, state, pending, turn.rng, habit))
            asked.append(pending[-1])
        return asked

    def readings(self, state: State) -> tuple[Reading, ...]:
        """What steers each island now, for those who watch."""
        gauge = self._gauge()
        values = [gauge.read(island.signal, state.scale) for island in state.islands]
        return tuple(
            Reading(signal=one.signal, reading=value, intensity=gauge.intensity(value), visits=visits)
            for one, value, visits in zip(state.islands, values, state.arms.visits, strict=True)
        )

    def _founded(self, state: State, ticket: Ticket) -> State:
        base = ticket.survivor
        if base is None or state.islands:
            return state
        island = Island(population=Population(members=(member(base),)))
        arms = Arms().grown(self.islands)
        return replace(state, islands=(island,) * self.islands, arms=arms, best=member(base))

    def _closed(self, state: State, ticket: Ticket, proposal: Proposal) -> State:
        assert state.best is not None
        child = member(ticket.survivor) if ticket.survivor else None
        goal = state.islands[proposal.island].population.leader.score
        delta = improvement(child.score, goal, self.epsilon) if child else 0.0
        best = child if child and child.score > state.best.score else state.best
        reward = difference(child.score, goal, best.score, self.epsilon) if child else 0.0
        parent = state.islands[proposal.island].population.score(proposal.parents[0], goal)
        islands = self._grown(state.islands, proposal, child, delta)
        state = self._followed(state, proposal)
        closings = state.closings + 1
        if self.migration and closings % self.migration == 0:
            islands = migrated(islands, self.population, 2 * self.warm_up)
        return replace(
            state,
            islands=islands,
            arms=_rule(self).update(state.arms, proposal.island, reward),
            guidance=state.guidance.closed(proposal.island, proposal.tactics, gained=delta > 0),
            best=best,
            breadths=credited(state.breadths, proposal.breadth, gained=child is not None and child.score > parent),
            waits=state.waits.closed(gained=delta > 0),
            scale=self._gauge().rescaled(state.scale, [one.signal for one in islands]),
            closings=closings,
            failed=state.failed if delta > 0 else (*state.failed, ticket.number)[-FAILURES:],
        )

    def _grown(self, islands: Islands, proposal: Proposal, child: Member | None, delta: float) -> Islands:
        signal = self._gauge().stepped(islands[proposal.island].signal, delta)
        grown = islands[proposal.island].grown(proposal.parents[0], child, signal, self.population)
        return put(islands, proposal.island, grown)

    def _spawned(self, state: State) -> State:
        """With a new island, when all stand still in spite of tactics; it takes the tactics along."""
        early = self.meta_level and state.intervention != "meta"
        early = early or (self.signal == "scaled" and not state.waits.longer(PATIENCE))
        if early or len(state.islands) >= self.max_islands or not _quiet(self, state, self.spawn_threshold):
            return state
        leaders, others = split(state.islands)
        seeds = farthest(others, SEEDS, _distance, away=leaders)
        if not seeds:
            return state
        guidance = state.guidance
        if guidance.recent:
            carried = Guide(tactics=guidance.recent, window=self.tactic_window, island=len(state.islands))
            guidance = guidance.started(carried)
        return replace(
            state,
            islands=(*state.islands, Island(population=settled(seeds, self.population), spawned=True)),
            arms=state.arms.grown(),
            guidance=guidance,
            intervened=state.closings,
            intervention="spawn",
        )

    def _advised(self, state: State, ticket: Ticket) -> State:
        told = parse_tactics(ticket.closing.text) if isinstance(ticket.closing, Answered) else ()
        return self._guided(state, told or (promising(state.guidance).tactic,))

    def _followed(self, state: State, proposal: Proposal) -> State:
        """A built-in tactic begins when the first proposal that carried it is closed."""
        tactic = habit_of(proposal.tactics).tactic
        if not tactic.name or state.guidance.led(proposal.island) or not _rested(self, state):
            return state
        return self._guided(state, (tactic,))

    def _guided(self, state: State, tactics: tuple[Tactic, ...]) -> State:
        guidance = state.guidance.started(Guide(tactics=tactics, window=self.tactic_window))
        return replace(state, guidance=guidance, intervened=state.closings, intervention="meta")

    def _steered(self, state: State, news: Steered) -> State:
        text = news.text.strip()
        if news.kind != "guide" or not text:
            return state
        guide = personal(text, news.island, news.window or self.tactic_window)
        return replace(state, guidance=state.guidance.started(guide))

    def _gauge(self) -> Gauge:
        return Gauge(
            rho=self.rho,
            low=self.I_min,
            high=self.I_max,
            epsilon=self.epsilon,
            scaled=self.signal == "scaled",
            decay=self.scale_decay,
            steady=None if self.local_level else (self.I_min + self.I_max) / 2,
        )


PLUGIN = AdaEvolve

_RANGES: Final = (
    (("rho", "I_min", "I_max", "bandit_rho", "scale_decay"), 0, 1),
    (("C", "meta_guidance_threshold", "spawn_threshold", "warm_up", "cooldown", "migration", "inspirations"), 0, 1e6),
    (("tactic_window", "islands", "population"), 1, 1e6),
    (("epsilon",), 1e-300, 1),
)


def _rule(options: AdaEvolve) -> Bandit:
    if not options.global_level:
        return RoundRobin()
    if options.bandit == "paper":
        return PaperBandit(rho=options.rho, C=options.C, everyone=options.decay == "all")
    return DiscountedBandit(rho=options.bandit_rho, C=options.C / 32**0.5)


def _proposal(
    options: AdaEvolve, state: State, pending: Sequence[Proposal], rng: Random, habit: Habit | None
) -> Proposal:
    loads = [sum(one.island == place for one in pending) for place in range(len(state.islands))]
    place = _rule(options).select(state.arms, loads)
    population = state.islands[place].population
    tactics = state.guidance.choose(place, pending)
    if habit is not None and not state.guidance.led(place):
        tactics = (*tactics, habit.tactic)
    shift = habit_of(tactics)
    intensity = options.readings(state)[place].intensity
    parent = drawn_parent(population, pending, rng, intensity if shift.explore is None else shift.explore)
    return Proposal(
        parents=(parent.commit,),
        island=place,
        breadth=shift.breadth or drawn_breadth(intensity, state.breadths, rng),
        inspirations=inspirations(state.islands, place, parent, options.inspirations, rng),
        tactics=tactics,
    )


def _stands_still(options: AdaEvolve, state: State, pending: Sequence[Ticket]) -> bool:
    """Whether tactics are due and nobody is asked for them yet."""
    if not options.meta_level or any(isinstance(ticket.request, Consult) for ticket in pending):
        return False
    return _quiet(options, state, options.meta_guidance_threshold)


def _quiet(options: AdaEvolve, state: State, threshold: float) -> bool:
    warm = all(island.closings >= options.warm_up for island in state.islands)
    return warm and _rested(options, state) and all(value.reading <= threshold for value in options.readings(state))


def _rested(options: AdaEvolve, state: State) -> bool:
    cooldown = options.tactic_window if options.cooldown is None else options.cooldown
    return not state.intervention or state.closings - state.intervened >= cooldown


def _consult(state: State) -> Consult:
    assert state.best is not None
    return Consult(topic="meta_guidance", best=state.best.commit, failed=state.failed, notes=state.guidance.notes)


def _distance(one: Member, other: Member) -> float:
    """By fingerprint, else by score."""
    if one.sketch and other.sketch:
        return mismatch(one.sketch, other.sketch)
    return abs(one.score - other.score)
