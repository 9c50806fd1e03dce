"""Whether a sandbox really mounts overlays: tried once, with real files."""

import threading
from pathlib import Path

from skygit.ports import Command, Layers, Sandbox, Slot

_TRIAL = ("/bin/sh", "-c", "cat kept && echo new > made && test ! -e gone")


class OverlayProbe:
    """Remembers the answer of the first trial."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answer: bool | None = None

    def proven(self, sandbox: Sandbox, root: str) -> bool:
        """Whether a command in an overlay reads below, writes above and sees what was removed as gone.

        Tried below the root, a folder that the sandbox makes for its commands and removes in the end.
        """
        with self._lock:
            if self._answer is None:
                self._answer = _started(sandbox) and _try(sandbox, Path(root) / "probe")
            return self._answer


def _started(sandbox: Sandbox) -> bool:
    return sandbox.run(Command(argv=("/bin/true",), slot=Slot(folder="/"), seconds=10)).status == 0


def _try(sandbox: Sandbox, root: Path) -> bool:
    lower, upper, work, folder = (root / name for name in ("lower", "upper", "work", "folder"))
    for path in (lower, upper, work, folder):
        path.mkdir(parents=True)
    (lower / "kept").write_text("kept")
    (lower / "gone").write_text("gone")
    layers = Layers(lower=str(lower), upper=str(upper), work=str(work), removed=("gone",))
    finished = sandbox.run(Command(argv=_TRIAL, slot=Slot(folder=str(folder), layers=layers), seconds=10))
    below = sorted(path.name for path in lower.iterdir())
    return (
        finished.status == 0
        and finished.stdout == b"kept"
        and (upper / "made").exists()
        and below == ["gone", "kept"]
        and not any(folder.iterdir())
    )
