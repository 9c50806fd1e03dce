"""What a line encloses, judged by indentation alone."""

from collections.abc import Sequence

from skygit.edits.folding import indent, loose


def owners(text: str, lines: Sequence[str]) -> dict[int, int]:
    """The lines an @@ text names, each with the line where what it encloses ends."""
    wanted = loose(text).strip()
    rows = [row for row, line in enumerate(lines) if loose(line).strip() == wanted]
    if not rows and len(wanted) >= 3:
        rows = [row for row, line in enumerate(lines) if _begins(line.strip(), wanted)]
    return {row: _end(row, lines) for row in rows}


def _begins(line: str, wanted: str) -> bool:
    """Whether a line goes on after the wanted text with something that is no part of a name."""
    if not line.startswith(wanted):
        return False
    return not (line[len(wanted)].isalnum() or line[len(wanted)] == "_") or not wanted[-1].isalnum()


def _end(row: int, lines: Sequence[str]) -> int:
    """The first line after a header that is indented no deeper; lone brackets do not count."""
    depth = len(indent(lines[row]).expandtabs(4))
    for after in range(row + 1, len(lines)):
        text = lines[after].strip()
        shallow = len(indent(lines[after]).expandtabs(4)) <= depth
        if text and shallow and any(letter.isalnum() or letter in "_\"'@#" for letter in text):
            return after
    return len(lines)
