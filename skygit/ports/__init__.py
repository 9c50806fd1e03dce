"""Every protocol of the outside world. The engine knows these and no implementation."""

from skygit.ports.files import Node, Outlined, Span, Syntax, Tree
from skygit.ports.judging import (
    Command,
    Evaluator,
    Executor,
    Finished,
    Judgement,
    Layers,
    Observer,
    Sandbox,
    Slot,
    Slots,
)
from skygit.ports.proposing import Desk, Models, Proposer, Scribe
from skygit.ports.run import Entry, Journal, Recorded, Repository

__all__ = [
    "Command",
    "Desk",
    "Entry",
    "Evaluator",
    "Executor",
    "Finished",
    "Journal",
    "Judgement",
    "Layers",
    "Models",
    "Node",
    "Observer",
    "Outlined",
    "Proposer",
    "Recorded",
    "Repository",
    "Sandbox",
    "Scribe",
    "Slot",
    "Slots",
    "Span",
    "Syntax",
    "Tree",
]
