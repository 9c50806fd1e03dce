"""Writes loose objects as git does: deflated into a temporary file, then renamed into place."""

import errno
import hashlib
import itertools
import os
import zlib
from pathlib import Path
from typing import Final

from skygit.errors import DiskFull

_LEVEL: Final = 1
"""zlib level: packing deflates again, so speed wins here."""


class ObjectWriter:
    """Writes into one object folder. Safe to use from several threads and processes.

    `durable` waits until each object is on the disk (git's core.fsyncObjectFiles).
    """

    def __init__(self, folder: Path, hash_name: str, *, durable: bool, shared: bool) -> None:
        self._folder = str(folder)
        self._hash_name = hash_name
        self._durable = durable
        self._shared = shared
        self._numbers = itertools.count()
        self.written = 0

    def write(self, kind: str, data: bytes) -> str:
        """The id of the object, which is in the repository on return."""
        header = b"%s %d\0" % (kind.encode(), len(data))
        digest = hashlib.new(self._hash_name, header, usedforsecurity=False)
        digest.update(data)
        oid = digest.hexdigest()
        path = f"{self._folder}/{oid[:2]}/{oid[2:]}"
        if not _freshened(path):
            packer = zlib.compressobj(_LEVEL)
            self._store(path, packer.compress(header) + packer.compress(data) + packer.flush())
            self.written += 1
        return oid

    def _store(self, path: str, deflated: bytes) -> None:
        folder = os.path.dirname(path)  # noqa: PTH120 - the hot path: a Path costs more than the write
        temporary = f"{folder}/tmp_obj_{os.getpid()}_{next(self._numbers)}"
        try:
            self._fill(temporary, folder, deflated)
            os.rename(temporary, path)  # noqa: PTH104
        except OSError as error:
            Path(temporary).unlink(missing_ok=True)
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(f"no space left for the objects of {self._folder}") from error
            raise

    def _fill(self, temporary: str, folder: str, deflated: bytes) -> None:
        try:
            handle = _create(temporary)
        except FileNotFoundError:
            self._make(folder)
            handle = _create(temporary)
        try:
            _write_all(handle, deflated)
            if self._durable:
                os.fsync(handle)
        finally:
            os.close(handle)

    def _make(self, folder: str) -> None:
        """The fan-out folder; in a repository shared by a group, open to the group as git makes it."""
        Path(folder).mkdir(exist_ok=True)
        if self._shared:
            Path(folder).chmod(0o2775)


def _freshened(path: str) -> bool:
    """Whether the object lies there already; if so it counts as new again, so that no prune takes it."""
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    except PermissionError:
        return True
    return True


def _create(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
