"""Space held back for the moment when the disk is full: what was paid for is then still written."""

import os
from pathlib import Path
from types import TracebackType
from typing import Final, Self

SIZE: Final = 8 << 20
"""Bytes held back: more than the largest reply, its prompt and a few objects deflated."""


class Ballast:
    """A file of real blocks that can be let go once. A context manager: it is gone at the end."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __enter__(self) -> Self:
        """Hold the space; on a disk that has none left, nothing is held."""
        try:
            with self._file.open("wb") as handle:
                os.posix_fallocate(handle.fileno(), 0, SIZE)
        except OSError:
            self._file.unlink(missing_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> bool:
        """Let the space go; whether there was any."""
        try:
            self._file.unlink()
        except FileNotFoundError:
            return False
        return True
