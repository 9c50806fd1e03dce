"""Refusing, and the note that tells a model why."""

from typing import NoReturn

from skygit.domain.draft import Refusal, Word


class Refused(Exception):
    """Leaves the ladder at any rung. Caught where this package is entered, never seen outside."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def refuse(word: Word, message: str, path: str = "", help: str = "") -> NoReturn:
    """Leave the ladder with a reason."""
    raise Refused(Refusal(word=word, message=message, path=path, help=help))


def note(refusal: Refusal) -> str:
    """The machine-written note of a repair turn: the word, the sentence, what helps, what to send."""
    parts = [f"The edit was refused: {refusal.word}.", refusal.message]
    if refusal.help:
        parts.append(refusal.help)
    parts.append(_ADVICE[refusal.word])
    parts.append("Nothing was applied. Send the whole change again, all files in it.")
    return "\n".join(parts)


_ADVICE: dict[Word, str] = {
    "frozen-region": "Change only lines between EVOLVE-BLOCK-START and EVOLVE-BLOCK-END.",
    "marker-tamper": "Keep every marker line exactly as it is; add none.",
    "marker-invalid": "This file cannot be edited; leave it out.",
    "syntax-error": "The file must still parse after the edit.",
    "ambiguous": "Quote more unchanged lines, or name the enclosing definition after @@, so that one place fits.",
    "no-match": "Copy unchanged and removed lines character for character from the file.",
    "noop": "The result must differ from the file.",
    "empty-diff": "The answer must hold an edit, in one fenced block.",
    "malformed": "Keep to the format asked for.",
    "truncated": "The answer was cut off; make a smaller change.",
    "elided": "Write every line out, no remark in place of code.",
    "exists": "That path is taken; edit the file or choose another path.",
    "binary": "Only text files can be edited.",
    "mode-change": "File modes, links and submodules stay as they are.",
    "path-escape": "Use plain paths relative to the repository root.",
    "git-internal": "Nothing of git itself may be touched.",
    "symlink-escape": "Paths may not lead through a symbolic link.",
    "protected-path": "Leave this file as it is.",
    "too-large": "Make a smaller change.",
}
