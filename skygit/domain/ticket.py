"""A ticket: everything that happened to one request."""

from skygit.domain.candidate import Candidate, Evaluation, Judged
from skygit.domain.event import Closing, Evaluated, Replied
from skygit.domain.request import Request
from skygit.domain.value import Value


class Ticket(Value, frozen=True, kw_only=True):
    """A request and what came of it so far. Closed when `closing` is there."""

    number: int
    request: Request
    replies: tuple[Replied, ...] = ()
    candidate: Candidate | None = None
    closing: Closing | None = None

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation that closed the ticket, if one did."""
        return self.closing.evaluation if isinstance(self.closing, Evaluated) else None

    @property
    def judged(self) -> Judged | None:
        """The child with its evaluation, if the ticket got that far."""
        evaluation = self.evaluation
        if self.candidate is None or evaluation is None:
            return None
        return Judged(ticket=self.number, candidate=self.candidate, evaluation=evaluation)

    @property
    def survivor(self) -> Judged | None:
        """The child if it passed: the only kind that may become a parent."""
        judged = self.judged
        return judged if judged is not None and judged.evaluation.passed else None
