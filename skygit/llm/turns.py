"""One call to the pool: whose turn it is, how long to wait, what it all came to."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from skygit.domain.brief import Message, Reply
from skygit.llm.answer import Answer
from skygit.llm.faults import Fault, Kind
from skygit.llm.health import Health
from skygit.llm.secrets import scrub
from skygit.llm.waiting import rest, within

_LATE = 2.0
"""Seconds a request may overrun its timeout before it is left behind: LiteLLM's own should come first."""


@dataclass(slots=True, kw_only=True)
class Turns:
    """The requests of one call. `faults` holds the last fault of each model, by place in `order`."""

    order: Sequence[Health]
    messages: Sequence[Message]
    stop: threading.Event
    cease: threading.Event
    tries: int
    patience: float
    grace: float
    secrets: Sequence[str]
    faults: dict[int, Fault] = field(default_factory=dict)
    asked: dict[int, int] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)

    @property
    def only_refused(self) -> bool:
        """Whether nothing but the request itself stands in the way."""
        kinds = {fault.kind for fault in self.faults.values()}
        return Kind.REFUSED in kinds and kinds <= {Kind.REFUSED, Kind.DENIED}

    def reply(self) -> Reply | None:
        """Ask until someone answers; None when everyone's tries or the patience are used up."""
        end = time.monotonic() + self.patience
        while (place := self._next()) is not None:
            pause = self.order[place].pause()
            if time.monotonic() + pause > end:
                return None
            rest(pause, self.stop, self.cease)
            reply = self._ask(place)
            if reply is not None:
                return reply
        return None

    def story(self) -> str:
        """In one line: each model that was asked, and its last fault."""
        parts = (f"{self.order[place].settings.model}: {self._told(place)}" for place in sorted(self.faults))
        return scrub("; ".join(parts), self.secrets)

    def _next(self) -> int | None:
        """The model to ask: the first in order that is ready, else the one that is ready soonest."""
        able = [place for place in range(len(self.order)) if self._able(place)]
        return min(able, key=lambda place: (self.order[place].pause(), self.asked.get(place, 0), place), default=None)

    def _able(self, place: int) -> bool:
        denied = self.order[place].denied
        if denied:
            self.faults.setdefault(place, Fault(kind=Kind.DENIED, message=denied))
            return False
        if place in self.faults and self.faults[place].kind is Kind.REFUSED:
            return False
        return self.asked.get(place, 0) < self.tries

    def _ask(self, place: int) -> Reply | None:
        health = self.order[place]
        for _ in range(2 * len(health.settings.optional) + 1):
            answer = self._request(place)
            if isinstance(answer, Reply):
                return answer
            health.failed(answer)
            self.faults[place] = answer
            if answer.kind is not Kind.PARAMETER:
                break
            self.dropped.append(f"{health.settings.model} refuses {answer.parameter}")
        self.asked[place] = self.asked.get(place, 0) + 1
        return None

    def _request(self, place: int) -> Reply | Fault:
        from skygit.llm.door import library, request

        library()  # its import takes seconds that are not the model's
        health = self.order[place]
        settings, optional = health.settings, health.optional()
        answer = within(
            settings.timeout + _LATE,
            lambda: request(settings, self.messages, optional),
            stop=self.stop,
            grace=self.grace,
        )
        if answer is None:
            return Fault(kind=Kind.DOWN, message=f"no answer within {settings.timeout:g} s")
        if isinstance(answer, Fault):
            return replace(answer, message=scrub(answer.message, self.secrets))
        return self._reply(health, answer)

    def _reply(self, health: Health, answer: Answer) -> Reply:
        health.answered()
        return Reply(
            text=answer.text,
            model=health.settings.model,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            cost=answer.cost,
            truncated=answer.truncated,
            note=self._note(answer),
        )

    def _note(self, answer: Answer) -> str:
        failed = any(fault.kind is not Kind.PARAMETER for fault in self.faults.values())
        parts = [f"after {self.story()}"] if failed else []
        parts += self.dropped
        parts += ["the tokens are estimates"] if answer.estimated else []
        return "; ".join(parts)

    def _told(self, place: int) -> str:
        asked, pause = self.asked.get(place, 0), self.order[place].pause()
        often = f" ({asked} requests)" if asked > 1 else ""
        again = f", again in {pause:.0f} s" if pause >= 1 else ""
        return f"{self.faults[place].message}{often}{again}"
