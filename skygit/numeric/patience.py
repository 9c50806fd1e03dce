"""How long a wait for a gain is, beside what is usual."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """Closings since the last gain, and the usual number between two (0 before the first gain)."""

    since: int = 0
    usual: float = 0.0

    def closed(self, *, gained: bool) -> "Waits":
        """After one more closing. A new gap counts for a fifth of what is usual."""
        since = self.since + 1
        if not gained:
            return Waits(since=since, usual=self.usual)
        return Waits(usual=0.8 * self.usual + 0.2 * since if self.usual else since)

    def longer(self, times: float) -> bool:
        """Whether the wait is so many times the usual one or longer."""
        return self.since >= times * self.usual
