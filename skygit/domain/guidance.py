"""Tactics in force: which proposal carries which, for how long, and how each one did."""

from collections.abc import Sequence

from msgspec.structs import replace

from skygit.domain.brief import Credit
from skygit.domain.request import Proposal, Tactic
from skygit.domain.value import Value

REMEMBERED = 32
"""How many tactics keep their credit; the longest unused is forgotten first."""

PERSONAL = 4
"""How many directions of a person are in force at once; the newest stay."""


class Guide(Value, frozen=True, kw_only=True):
    """Tactics for the next `window` proposals, of one island or (None) of all.

    A proposal carries one tactic of a guide, so that each is credited by itself. `used`
    counts the closed proposals that carried one. `person`: said by a person, and carried
    beside whatever else is in force.
    """

    tactics: tuple[Tactic, ...]
    window: int
    island: int | None = None
    used: int = 0
    person: bool = False

    def covers(self, island: int) -> bool:
        return self.island is None or self.island == island

    def names(self, name: str) -> bool:
        return any(tactic.name == name for tactic in self.tactics)


def personal(text: str, island: int | None, window: int) -> Guide:
    """A person's direction as a guide."""
    tactic = Tactic(name=f"person: {text[:60]}", text=text)
    return Guide(tactics=(tactic,), window=window, island=island, person=True)


def credited(credits: dict[str, Credit], name: str, *, gained: bool) -> dict[str, Credit]:
    """The credits after one more try of a name, which then stands last."""
    old = credits.get(name, Credit())
    rest = {other: credit for other, credit in credits.items() if other != name}
    return rest | {name: Credit(tries=old.tries + 1, gains=old.gains + gained)}


class Guidance(Value, frozen=True, kw_only=True):
    """The guides in force, the credit of each tactic, and the tactics that came last (not a person's)."""

    guides: tuple[Guide, ...] = ()
    credits: dict[str, Credit] = {}
    recent: tuple[Tactic, ...] = ()

    def started(self, guide: Guide) -> "Guidance":
        """With a guide more. It takes the place of an earlier one of the same reach."""
        persons = [old for old in self.guides if old.person]
        others = [old for old in self.guides if not old.person]
        if guide.person:
            return replace(self, guides=(*persons, guide)[-PERSONAL:] + tuple(others))
        kept = [old for old in others if guide.island is not None and old.island != guide.island]
        # A guide of one island stands before those of all: its island follows it first.
        order = sorted((*kept, guide), key=lambda one: one.island is None)
        return replace(self, guides=(*persons, *order), recent=guide.tactics)

    def choose(self, island: int, pending: Sequence[Proposal]) -> tuple[Tactic, ...]:
        """What a proposal of the island carries: each direction of a person, and one tactic beside them."""
        waiting = [proposal for proposal in pending if proposal.tactics]
        carried: list[Tactic] = []
        served = False
        for place, guide in enumerate(self.guides):
            if not guide.covers(island) or (served and not guide.person):
                continue
            if guide.used + self._open(place, waiting) < guide.window:
                served = served or not guide.person
                carried.append(self._promising(guide, waiting))
        return tuple(carried)

    def led(self, island: int) -> bool:
        """Whether tactics other than a person's are in force for the island."""
        return any(guide.covers(island) and not guide.person for guide in self.guides)

    def closed(self, island: int, tactics: Sequence[Tactic], *, gained: bool) -> "Guidance":
        """After a proposal that carried these tactics was closed."""
        if not tactics:
            return self
        guides = list(self.guides)
        credits = self.credits
        for tactic in tactics:
            place = self._owner(island, tactic.name)
            if place is not None:
                guides[place] = replace(guides[place], used=guides[place].used + 1)
            credits = credited(credits, tactic.name, gained=gained)
        in_force = tuple(guide for guide in guides if guide.used < guide.window)
        kept = dict(list(credits.items())[-REMEMBERED:])
        return replace(self, guides=in_force, credits=kept)

    @property
    def notes(self) -> tuple[str, ...]:
        """The tactics tried and what came of them, a line each."""
        return tuple(f"{name}: {one.gains} of {one.tries} children improved" for name, one in self.credits.items())

    def worth(self, name: str, waiting: int = 0) -> float:
        """How promising a tactic is: its share of gains, with one gain in two tries to begin with."""
        credit = self.credits.get(name, Credit())
        return (credit.gains + 1) / (credit.tries + waiting + 2)

    def _promising(self, guide: Guide, waiting: Sequence[Proposal]) -> Tactic:
        def hope(tactic: Tactic) -> float:
            count = sum(any(one.name == tactic.name for one in proposal.tactics) for proposal in waiting)
            return self.worth(tactic.name, count)

        return max(guide.tactics, key=hope)

    def _open(self, place: int, waiting: Sequence[Proposal]) -> int:
        return sum(
            self._owner(proposal.island, tactic.name) == place for proposal in waiting for tactic in proposal.tactics
        )

    def _owner(self, island: int, name: str) -> int | None:
        for place, guide in enumerate(self.guides):
            if guide.covers(island) and guide.names(name):
                return place
        return None
