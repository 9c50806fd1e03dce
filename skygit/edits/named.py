"""A line, or a fence's info string, that holds a path and nothing else."""

import re

_LEAD = re.compile(r"(?:#{1,6}\s+|[-*+]\s+|\d{1,3}[.)]\s+)")
_LABEL = re.compile(r"(?:file ?name|file|path)\s*[:=]\s*", re.IGNORECASE)
_KNOWN = frozenset({"Makefile", "Dockerfile", "Justfile", "Rakefile", "Gemfile", "Procfile", "Jenkinsfile", "LICENSE"})
_SUFFIX = re.compile(r"\.[A-Za-z0-9_+-]{1,16}$")
_KEY = re.compile(r"(?:title|file(?:name)?|path|name)=(\"[^\"]*\"|'[^']*'|\S+)", re.IGNORECASE)
_LONGEST = 500
_WORD = re.compile(r"[\w+#.-]+$")


def named(line: str) -> str | None:
    """The path a line consists of, its decoration removed; None when it says anything else."""
    if len(line) > _LONGEST:
        return None
    text = _LEAD.sub("", line.strip(), count=1) if _LEAD.match(line.strip()) else line.strip()
    text = _bare(_LABEL.sub("", _bare(text), count=1))
    return text if _pathlike(text, spaced=_quoted(line)) else None


def in_info(info: str) -> str | None:
    """The path in a fence's info string: "js web/x.js", "py:x.py", "python title=x.py", "x.py"."""
    if len(info) > _LONGEST:
        return None
    keyed = _KEY.search(info)
    if keyed:
        return keyed[1].strip("\"'")
    language, colon, rest = info.partition(":")
    if colon and _WORD.match(language) and not rest.isdigit():
        return rest.strip() if _pathlike(rest.strip(), spaced=False) else None
    for word in re.split(r"[ \t]+", info):
        if _pathlike(word, spaced=False):
            return word
    return None


def _bare(text: str) -> str:
    """Without emphasis, quotes, a colon or a remark in brackets around."""
    before = None
    while text != before:
        before = text
        text = text.strip().removesuffix(":")
        for mark in ("**", "__", "`", '"', "'", "*"):
            if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
                text = text[len(mark) : -len(mark)]
    return text


def _quoted(line: str) -> bool:
    return line.count("`") == 2


def _pathlike(text: str, *, spaced: bool) -> bool:
    if not text or "://" in text or (not spaced and re.search(r"\s", text)):
        return False
    if text in _KNOWN or text.rpartition("/")[2] in _KNOWN:
        return True
    if re.search(r"[<>|?*=;,`{}]", text) or text.endswith(("/", ".", ")")) or re.fullmatch(r"[\d.]+", text):
        return False
    return bool(_SUFFIX.search(text)) or "/" in text.strip("/") or "\\" in text or text.startswith(("/", "~"))
