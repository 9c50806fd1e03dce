"""Random search: the parent is any survivor, good or bad. The control without selection."""

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from skygit.domain.algorithm import Turn
from skygit.domain.event import Steered
from skygit.domain.request import Proposal, Request
from skygit.domain.ticket import Ticket
from skygit.numeric.bounds import between

State = tuple[tuple[bytes, str], ...]
"""The survivors with the smallest digests, with their digests: a fair sample of all, without chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomSearch:
    """`sample` survivors are kept to draw from: all of them until there are more."""

    sample: int = 1000

    def __post_init__(self) -> None:
        between("sample", self.sample, 1, 1e6)

    def start(self) -> State:
        return ()

    def tell(self, state: State, news: Ticket | Steered) -> State:
        if isinstance(news, Steered) or news.survivor is None:
            return state
        commit = news.survivor.candidate.commit
        digest = blake2b(commit.encode(), digest_size=8).digest()
        if len(state) >= self.sample and (digest, commit) > state[-1]:
            return state
        kept = list(state)
        insort(kept, (digest, commit))
        return tuple(kept[: self.sample])

    def ask(self, state: State, turn: Turn) -> Sequence[Request]:
        if not state:
            return ()
        return [Proposal(parents=(turn.rng.choice(state)[1],)) for _ in range(turn.room)]


PLUGIN = RandomSearch
