"""The protocol of a search algorithm: ask reads, tell writes.

The state is a fold of `tell` over the closed tickets (and what a person steers), so it is
never saved: replaying the journal rebuilds it. What was asked and is not yet closed is
given to `ask`, so `ask` needs no memory. Chance is `turn.rng`, so an ask can be repeated.
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

from skygit.domain.event import Steered
from skygit.domain.request import Request
from skygit.domain.ticket import Ticket
from skygit.domain.value import Value


class Turn(Value, frozen=True, kw_only=True):
    """What `ask` may know beside the state.

    `ticket` is the number the first request will get, `room` how many requests are welcome
    (at least 1), `pending` the open tickets in order of their numbers, `rng` the only chance
    there is (seeded by run seed and ticket), `advised` whether a model can be consulted.
    """

    ticket: int
    room: int
    rng: Random
    pending: tuple[Ticket, ...] = ()
    advised: bool = False


State = TypeVar("State")


class Algorithm(Protocol[State]):
    """One search algorithm; a frozen dataclass whose fields are its options.

    Laws, checked for every algorithm by `skygit.testing.algorithms`:
    - `ask` leaves the state as it was: the same state and turn give the same requests;
    - replaying the closings gives the state that grew live, whatever the order they came in;
    - parents are candidates that passed; ticket 0 (the base) is told first;
    - with nothing pending, `ask` returns at least one request (progress).
    """

    def start(self) -> State:
        """The state before anything was told."""
        ...

    def tell(self, state: State, news: Ticket | Steered) -> State:
        """The state after a closed ticket or a person's word. May reuse the old state's parts."""
        ...

    def ask(self, state: State, turn: Turn) -> Sequence[Request]:
        """At most `turn.room` requests; none means: wait for what is pending."""
        ...
