"""The whole way from a reply to a draft: the ladder."""

from skygit.domain.draft import Draft, Refusal
from skygit.domain.scope import Scope
from skygit.edits.carriers import sections
from skygit.edits.deeds import Deeds
from skygit.edits.judge import judged
from skygit.edits.neutral import Section
from skygit.edits.refusals import Refused, refuse
from skygit.edits.target import targets
from skygit.edits.transport import lines
from skygit.ports import Syntax, Tree


def apply_reply(reply: bytes | str, tree: Tree, scope: Scope, syntax: Syntax) -> Draft | Refusal:
    """The draft a model's reply asks for, all of it, or the reason why there is none.

    `tree` holds the parent's files. Nothing is written, nothing in the reply is executed.
    """
    try:
        return _draft(reply, tree, scope, syntax)
    except Refused as refused:
        return refused.refusal


def _draft(reply: bytes | str, tree: Tree, scope: Scope, syntax: Syntax) -> Draft:
    found = sections(lines(reply))
    aims = targets(found, tree, scope)
    if not any(_says_something(section) for section in found):
        refuse("empty-diff", "the reply holds no edit")
    deeds = Deeds(tree, syntax)
    deeds.carry_out(aims)
    draft = deeds.draft()
    judged(draft, tree, scope, syntax, moved=deeds.moved)
    return draft


def _says_something(section: Section) -> bool:
    if section.listing is not None or section.renames or section.deletes or section.modes:
        return True
    if section.carrier == "blocks":
        return any(hunk.rows for hunk in section.hunks)
    return section.creates or any(hunk.changes for hunk in section.hunks)
