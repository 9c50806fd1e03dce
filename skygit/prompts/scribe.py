"""Writes the messages of proposals, repairs and consults, never above the budget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from skygit.domain.brief import Brief, Message, Reply, Role
from skygit.errors import ConfigError
from skygit.ports import Desk
from skygit.prompts import sections
from skygit.prompts.budget import clip, tokens, total
from skygit.prompts.listing import Listing
from skygit.prompts.paths import Shelves
from skygit.prompts.sources import Sources
from skygit.prompts.templates import Templates
from skygit.prompts.text import speakable

_MASK: Final = "***"  # never longer than a secret, so a budget kept before masking is kept after
_SLACK: Final = 24
"""Tokens lost to rounding when texts are measured apart and joined."""
_LEAST_ROOM: Final = 400
"""Tokens that must be left for the code."""
_SHARES: Final = {"artifacts": 0.15, "partner": 0.15, "inspirations": 0.15, "attempts": 0.12, "tactics": 0.06}
"""Of what the fixed texts leave; the files get all that these do not use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateScribe:
    """Implements `ports.Scribe`. The same brief on the same repository gives the same messages, byte for byte.

    `budget` is the most tokens of one prompt by our estimate, repairs included; `system_prompt`
    replaces the role in `role.md`; `measure` says how the score comes about, in an eighth of the budget
    at most; `templates` is a folder with templates of the user's; `formats` maps a model to the format it writes
    (`diff`, `search_replace`, `block`), `format` holds for every other; `secrets` are never shown.
    """

    budget: int = 32000
    system_prompt: str = ""
    measure: str = ""
    templates: str = ""
    format: str = "diff"
    formats: Mapping[str, str] = field(default_factory=dict)
    secrets: Sequence[str] = ()
    _shelves: Shelves = field(init=False, default_factory=Shelves)
    _sources: Sources = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_sources", Sources(self.secrets))

    def check(self) -> None:
        """Raises ConfigError when a template cannot be used or the budget cannot hold them."""
        self._texts.check()
        needed = tokens(self._texts.fill(f"format_{self.format}", {})) + 4 * _LEAST_ROOM
        if self.budget < needed:
            raise ConfigError(
                f"proposals.context_tokens is {self.budget}; a prompt needs at least {needed} with these templates"
            )

    def proposal(self, brief: Brief, desk: Desk) -> Sequence[Message]:
        """The messages that ask for an edit. What never changes in a run stands first."""
        return self._proposal(brief, desk, self.budget - self._reserve)

    def repair(self, brief: Brief, desk: Desk, replies: Sequence[Reply], refusal_note: str) -> Sequence[Message]:
        """The same messages, the last reply, and why it was refused."""
        asked = tuple(self.proposal(brief, desk))
        left = self.budget - total(asked) - _SLACK
        note = self._texts.fill("repair", {"refusal": clip(self._clean(refusal_note), left // 2)})
        last = replies[-1].text if replies else ""
        answer = clip(self._clean(last), left - tokens(note)) or "(no answer)"
        return (*asked, _message("assistant", answer), _message("user", note))

    def consult(self, topic: str, facts: Mapping[str, str]) -> Sequence[Message]:
        """The messages that ask for advice: one, from the topic's template, the facts cut to fit."""
        empty = self._texts.fill(topic, dict.fromkeys(facts, "-"))
        room = self.budget - tokens(empty) - _SLACK
        fitted = _fitted({name: self._clean(text) for name, text in facts.items()}, room)
        return (_message("user", self._texts.fill(topic, fitted)),)

    @property
    def _texts(self) -> Templates:
        return Templates(folder=self.templates)

    @property
    def _reserve(self) -> int:
        """What a proposal leaves free for the reply and the note of a repair."""
        return min(self.budget // 6, 6000)

    def _proposal(self, brief: Brief, desk: Desk, budget: int) -> Sequence[Message]:
        system = self._system(brief, budget)
        values = {
            "standing": sections.standing(brief),
            "breadth": self._texts.fill(f"breadth_{brief.proposal.breadth}", {}),
            "score": sections.number(brief.parents[0].score),
        }
        frame = self._texts.fill("proposal", values)
        room = budget - total((_message("system", system), _message("user", frame))) - _SLACK
        values |= self._sections(brief, desk, room)
        room -= sum(tokens(values[name]) + 2 for name in _SHARES)
        values["files"] = self._files(brief, desk, max(room, 0))
        return (_message("system", system), _message("user", self._clean(self._texts.fill("proposal", values))))

    def _system(self, brief: Brief, budget: int) -> str:
        values = {
            "role": clip(self.system_prompt, budget // 5) or self._texts.fill("role", {}),
            "problem": clip(brief.problem, budget // 4),
            "measure": clip(self.measure, budget // 8),
            "scope": clip(self._texts.fill("scope", sections.scope_values(brief.scope)), budget // 5),
            "format": self._texts.fill(f"format_{self._format(brief)}", {}),
        }
        return self._clean(self._texts.fill("system", values))

    def _sections(self, brief: Brief, desk: Desk, room: int) -> dict[str, str]:
        limits = {name: max(int(room * share), 0) for name, share in _SHARES.items()}
        entries = {
            "artifacts": sections.artifacts(brief, limits["artifacts"] - _SLACK),
            "partner": sections.partner(brief, desk, limits["partner"] - _SLACK * 2),
            "inspirations": sections.inspirations(brief, desk, limits["inspirations"] - _SLACK * 2),
            "attempts": sections.attempts(brief, desk, limits["attempts"] - _SLACK * 2),
            "tactics": sections.tactics(brief, limits["tactics"] - _SLACK * 2),
        }
        filled = {name: self._texts.fill(name, {"entries": text}) if text else "" for name, text in entries.items()}
        return {name: text if tokens(text) <= limits[name] else "" for name, text in filled.items()}

    def _files(self, brief: Brief, desk: Desk, room: int) -> str:
        shelf = self._shelves.shelf(desk, brief.parents[0].candidate.commit, brief.scope)
        return Listing(brief=brief, desk=desk, shelf=shelf, sources=self._sources, limit=room).text()

    def _format(self, brief: Brief) -> str:
        return self.formats.get(brief.proposal.model, self.format)

    def _clean(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, _MASK)
        return speakable(text)


def _message(role: Role, text: str) -> Message:
    return Message(role=role, text=text)


def _fitted(facts: Mapping[str, str], room: int) -> dict[str, str]:
    """The facts within the room: short ones whole, the long ones share what is left equally."""
    left, fitted = room, {}
    order = sorted(facts, key=lambda name: (tokens(facts[name]), name))
    for place, name in enumerate(order):
        share = max(left // (len(order) - place), 0)
        fitted[name] = clip(facts[name], share)
        left -= tokens(fitted[name])
    return fitted
