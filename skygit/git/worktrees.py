"""Which branches are somebody's checkout."""

from pathlib import Path
from typing import Final

_SYMBOLIC: Final = "ref: "


def checked_out(common: Path) -> frozenset[str]:
    """The refs that the HEAD of a working tree follows. Reads files: it is asked at every append."""
    heads = [common / "HEAD", *common.glob("worktrees/*/HEAD")]
    return frozenset(ref for ref in map(_followed, heads) if ref)


def _followed(head: Path) -> str:
    try:
        word = head.read_bytes().decode("utf-8", "surrogateescape").strip()
    except FileNotFoundError:
        return ""
    return word.removeprefix(_SYMBOLIC) if word.startswith(_SYMBOLIC) else ""
