"""A weighted pool of models: draws one, waits, fails over, counts tokens and cost.

A call makes at most `tries` requests to each model; nothing beneath this module repeats a
request. What a model taught (a wrong key, a parameter it refuses, a pause it wants) is
remembered for all threads.
"""

import threading
from collections.abc import Sequence
from random import Random

from skygit.domain.brief import Call, Message, Reply
from skygit.errors import Denied, Outage
from skygit.llm.health import Health
from skygit.llm.secrets import secret_values
from skygit.llm.settings import ModelSettings
from skygit.llm.turns import Turns

_REFUSALS_IN_A_ROW = 3


class ModelPool:
    """The models of a run; implements `skygit.ports.Models`. Safe to share between threads.

    `stop` ends waits; `tries` bounds the requests per model and call, `patience` the seconds a
    call may wait in all, `backoff` is the first pause after a failure (then doubled), `grace`
    the seconds a running request has left after a stop.
    """

    def __init__(
        self,
        models: Sequence[ModelSettings],
        *,
        stop: threading.Event | None = None,
        tries: int = 3,
        patience: float = 300.0,
        backoff: float = 1.0,
        grace: float = 10.0,
    ) -> None:
        for settings in models:
            settings.check()
        self._models = tuple(Health(settings, backoff) for settings in models)
        self._stop = stop or threading.Event()
        self._cease = threading.Event()
        self._tries, self._patience, self._grace = tries, patience, grace
        self._refusals = Refusals()

    def names(self) -> Sequence[str]:
        """The models in the pool, as configured."""
        return tuple(health.settings.model for health in self._models)

    def complete(self, call: Call, rng: Random) -> Reply:
        """One reply, from the model the call names or from one drawn by weight; else from the next.

        A request that every model refuses as such (too long, against a policy) gives an
        empty reply that says so in its note, so that one bad prompt does not stop a run; after a
        few in a row it raises Denied. Raises Outage when no model answers.
        """
        order = _order(self._models, call.model, rng)
        turns = self._turns(order, call.messages)
        reply = turns.reply()
        if reply is not None:
            self._refusals.clear()
            return reply
        if turns.only_refused:
            return self._refused(turns, order)
        raise _outage(order, turns)

    def cease(self) -> None:
        """Send no further request; those in flight go on."""
        self._cease.set()

    def check(self, model: str) -> Reply:
        """One tiny question to exactly this model. Raises Outage or Denied with the reason in one line."""
        chosen = [health for health in self._models if health.settings.model == model][:1]
        if not chosen:
            raise Denied(f"{model} is not in the pool; there are: {', '.join(self.names()) or 'none'}")
        turns = self._turns(chosen, (Message(role="user", text="Answer with the single word: ready"),), tries=1)
        reply = turns.reply()
        if reply is None:
            raise _outage(chosen, turns)
        return reply

    def windows(self) -> dict[str, int | None]:
        """Each model's window in tokens, None when neither the settings nor LiteLLM know it."""
        from skygit.llm.door import window

        return {health.settings.model: window(health.settings) for health in self._models}

    def secrets(self) -> Sequence[str]:
        """The values to keep out of journal, logs and prompts. Reads the environment anew."""
        return secret_values([health.settings for health in self._models])

    def _turns(self, order: Sequence[Health], messages: Sequence[Message], tries: int = 0) -> Turns:
        return Turns(
            order=order,
            messages=messages,
            stop=self._stop,
            cease=self._cease,
            tries=tries or self._tries,
            patience=self._patience,
            grace=self._grace,
            secrets=self.secrets(),
        )

    def _refused(self, turns: Turns, order: Sequence[Health]) -> Reply:
        if self._refusals.count() > _REFUSALS_IN_A_ROW:
            raise Denied(f"every request is refused: {turns.story()}")
        return Reply(text="", model=order[0].settings.model, cost=0.0, note=f"refused: {turns.story()}")


class Refusals:
    """Counts calls refused since the last answer, over all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0

    def count(self) -> int:
        """Count one more; the number so far."""
        with self._lock:
            self._count += 1
            return self._count

    def clear(self) -> None:
        """Something was answered."""
        with self._lock:
            self._count = 0


def _order(models: Sequence[Health], wanted: str, rng: Random) -> list[Health]:
    """The order in which models are asked: the wanted one, then a weighted shuffle.

    Exactly one number is drawn from `rng`, whatever fails later, so that chance does not
    depend on outages.
    """
    shuffle = Random(rng.getrandbits(64))
    keyed = [(_key(health.settings.weight, shuffle), place) for place, health in enumerate(models)]
    order = [models[place] for _, place in sorted(keyed)]
    return sorted(order, key=lambda health: health.settings.model != wanted) if wanted else order


def _key(weight: float, rng: Random) -> float:
    """Exponential clocks: the first to ring is drawn by weight, and so is each that follows."""
    ring = rng.expovariate(1.0)
    return ring / weight if weight > 0 else float("inf")


def _outage(order: Sequence[Health], turns: Turns) -> Outage:
    if not order:
        return Denied("no model is configured: add one under llm.models")
    kind = Denied if all(health.denied for health in order) else Outage
    return kind(turns.story() if turns.faults else "no model answers")
