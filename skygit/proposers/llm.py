"""A language model writes the edit; the edit ladder decides what it is worth.

A refused reply is answered once (`repairs` times) with the reason and the place, then the
proposal is given up with the last refusal, which the next prompts show as a failure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from skygit.domain.brief import Brief, Call, GaveUp, Reply, Sketch, Step
from skygit.domain.draft import Draft, Refusal
from skygit.edits.refusals import note
from skygit.edits.reply import apply_reply
from skygit.ports import Desk, Scribe

_SUMMARY: Final = 72
"""Characters of a summary: the subject line of the candidate's commit."""
_BODY: Final = 2000
_THINKING: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_EDIT: Final = re.compile(r"^\s*(?:`{3,}|~{3,}|<{5,}|--- |\+\+\+ |@@|diff --git |\*\*\* Begin Patch)", re.MULTILINE)
_FORMS: Final = (
    ("patch", re.compile(r"^\s*\*\*\* Begin Patch", re.MULTILINE)),
    ("search_replace", re.compile(r"^\s*<{5,9} ?SEARCH", re.MULTILINE)),
    ("diff", re.compile(r"^\s*(?:\+\+\+ |@@)", re.MULTILINE)),
)
_DECORATION: Final = re.compile(r"^[\s#>*+\-]+|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_EMPTY_TALK: Final = re.compile(r"^(?:sure|certainly|okay|ok|great|of course|here(?: is|'s| are))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmProposer:
    """`repairs` is how often a refused reply is sent back with its reason, 0 to 2."""

    scribe: Scribe
    repairs: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.repairs <= 2:
            raise ValueError(f"repairs is {self.repairs}; it must be 0, 1 or 2")

    def step(self, brief: Brief, desk: Desk, replies: Sequence[Reply]) -> Step:
        """Ask; then make of the last reply a sketch, a repair, or the end."""
        wanted = brief.proposal.model
        if not replies:
            return Call(messages=tuple(self.scribe.proposal(brief, desk)), model=wanted)
        last = replies[-1]
        result = _sketch(brief, desk, last)
        if isinstance(result, Sketch):
            return result
        if len(replies) > self.repairs:
            return GaveUp(refusal=result, summary=_said(last.text) or "an edit that could not be read")
        messages = self.scribe.repair(brief, desk, replies, note(result))
        return Call(messages=tuple(messages), model=wanted or last.model)


PLUGIN = LlmProposer


def _sketch(brief: Brief, desk: Desk, reply: Reply) -> Sketch | Refusal:
    parent = brief.parents[0].candidate.commit
    draft = apply_reply(reply.text, desk.tree(parent), brief.scope, desk.syntax)
    if isinstance(draft, Refusal):
        return _cut_short(draft) if reply.truncated else draft
    if desk.known(parent, draft):
        return _repeated(draft)
    summary = _said(reply.text) or _changed(draft)
    return Sketch(draft=draft, summary=summary, body=_prose(reply.text)[:_BODY], kinds=(_form(reply.text),))


def _cut_short(refusal: Refusal) -> Refusal:
    """The model stopped at its length limit: that, not what the stump looks like, is the reason."""
    message = f"the answer stopped at the length limit of the model; write a shorter edit ({refusal.message})"
    return Refusal(word="truncated", message=message, path=refusal.path, help=refusal.help)


def _repeated(draft: Draft) -> Refusal:
    where = ", ".join(draft.paths)
    message = f"this edit of {where} gives code that was already tried in this run; propose something else"
    return Refusal(word="noop", message=message, path=draft.paths[0])


def _form(text: str) -> str:
    """The form the edit came in, by its tell-tale line; credited by what it gains."""
    return next((form for form, sign in _FORMS if sign.search(text)), "block")


def _said(text: str) -> str:
    """The first line of the prose that says something, as a subject line."""
    for line in _prose(text).splitlines():
        plain = " ".join(_DECORATION.sub("", line).split())
        if len(plain) > 3 and not plain.endswith(":") and not _EMPTY_TALK.match(plain):
            return plain if len(plain) <= _SUMMARY else f"{plain[: _SUMMARY - 3].rstrip()}..."
    return ""


def _prose(text: str) -> str:
    """What stands before the edit; a model's thinking aloud left out."""
    spoken = _THINKING.sub("", text)
    edit = _EDIT.search(spoken)
    return (spoken[: edit.start()] if edit else spoken).strip()


def _changed(draft: Draft) -> str:
    first, more = draft.paths[0].rpartition("/")[2], len(draft.paths) - 1
    summary = f"change {first} and {more} more files" if more else f"change {first}"
    return summary.encode("utf-8", "replace").decode()[:_SUMMARY]
