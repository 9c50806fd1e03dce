"""Remarks that stand for code: "... rest unchanged ..."."""

import re
from collections.abc import Sequence

from skygit.edits.lines import differences


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text))


_COMMENT = re.compile(r"\s*(?:#|//|--|;|%|/\*|<!--|\{/\*|\"\"\"|''')\s*(.*?)\s*(?:\*/\}?|-->)?\s*$")
_DOTS = re.compile(r"(\.{3}|…)")
_KEPT = re.compile(
    r"\b(rest|remain(s|ing|der)?|existing|unchanged|same|previous|other|omitted|original|as before|as is|elided"
    r"|implementation|methods?|functions?|code|lines?|frozen|truncated|skipped"
    r"|stays?|kept|keep|untouched|unmodified|as it is|as they are|no changes?)\b",
    re.IGNORECASE,
)
_THING = r"(?:code|file|class|function|methods?|functions?|implementation|module|program|lines?|everything)"
_PLAIN = re.compile(
    rf"\b(?:(?:rest|remainder) of (?:the |this |your )?(?:\w+ )?{_THING}"
    rf"|{_THING}(?: \w+)? (?:is |are |remains? |stays? )?(?:unchanged|the same|as before|omitted)"
    r"|(?:keep|leave)s? (?:(?:the )?(?:rest|existing|remaining)|(?:it |this )?as (?:it )?is)"
    r"|no changes? (?:here|below|needed))\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"[\[(<]?\s*(?:\.{3}|…)\s*[A-Za-z]")
"""Dots and words, without a comment's prefix, as in texts."""
_BRACKETED = re.compile(r"\(.*\)$|\[.*\]$|<[^!].*>$")
_STUB = re.compile(r"^(?:pass|\.{3}|return(?: None)?;?)(?=\s*(?:#|//))")
"""Code that only holds a remark's place."""
_SAYS = _words(
    "existing unchanged omitted elided rest remainder remaining remain remains same before previous previously"
    " original kept untouched snip snipped shown skipped abbreviated truncated continues"
)
_ALONE = _words("unchanged unmodified omitted elided snip snipped truncated abbreviated")
_FILLS = _words(
    "the a of this that as is are be it its in for and not no here above below code logic body file class function"
    " functions method methods implementation implementations lines line other others all everything stays stay"
    " brevity clarity keep leave unmodified changes change needed goes etc exactly identical to"
)
_LONGEST = 400
"""Characters beyond which a line is no remark."""


def elided(old: Sequence[str], new: Sequence[str]) -> int | None:
    """The row of a new line that stands for removed ones; None when there is none."""
    before = {text.strip() for text in old}
    for start, end, first, last in differences(old, new):
        gone = sum(bool(text.strip()) for text in old[start:end])
        if not gone:
            continue
        come = sum(bool(text.strip()) for text in new[first:last])
        for row in range(first, last):
            if new[row].strip() not in before and _remark(new[row], more=gone > come):
                return row
    return None


def _remark(line: str, *, more: bool) -> bool:
    """Whether a line says that something is left out. Bare dots count when more goes than comes."""
    text = line.strip()
    if text in ("...", "…"):
        return more
    if len(text) > _LONGEST:
        return False
    if _BARE.match(text):
        return _KEPT.search(text) is not None
    if _BRACKETED.match(text):
        return more and _PLAIN.search(text) is not None
    said = _COMMENT.match(_STUB.sub("", text, count=1))
    if said is None:
        return False
    inner = said[1]
    return bool(
        (_DOTS.search(inner) and (_KEPT.search(inner) or _DOTS.fullmatch(inner)))
        or _PLAIN.search(inner)
        or (more and _only_points(inner))
    )


def _only_points(inner: str) -> bool:
    """Whether a remark has no words but those that point to what was there: "same as before"."""
    words = _words(inner.lower())
    if len(words) == 1:
        return words <= _ALONE
    return bool(words & _SAYS) and words <= _SAYS | _FILLS
