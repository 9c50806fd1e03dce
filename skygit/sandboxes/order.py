"""What goes to a supervisor and what comes back: one frame each way.

A frame is the length of a JSON header, the header, then blobs whose lengths the header
names. Named tuples, not dataclasses: importing `dataclasses` would fatten every fork.
"""

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

_LENGTH = struct.Struct("!I")


class Overlay(NamedTuple):
    """An overlay to mount over the working folder; `removed` paths are deleted in it."""

    lower: str
    upper: str
    work: str
    removed: tuple[str, ...] = ()


class Order(NamedTuple):
    """A command to supervise. Seconds, megabytes, bytes; zero limits are no limits."""

    argv: tuple[str, ...]
    env: dict[str, str]
    folder: str
    cell: str
    seconds: float
    grace: float
    memory_mb: int
    data_mb: int
    file_mb: int
    processes: int
    output: int
    flood: int
    channel: bool
    overlay: Overlay | None


class Outcome(NamedTuple):
    """How it ended. `peak_kb` 0: too small and too short to be told from the supervisor's own."""

    status: int
    timed_out: bool
    wall: float
    cpu: float
    peak_kb: int
    strays: int
    fault: str


def send(link: socket.socket, header: Sequence[Any], blobs: Sequence[bytes]) -> None:
    """Write one frame."""
    text = json.dumps([header, [len(blob) for blob in blobs]]).encode()
    link.sendall(b"".join((_LENGTH.pack(len(text)), text, *blobs)))


def receive(link: socket.socket) -> tuple[list[Any], list[bytes]]:
    """Read one frame. Raises EOFError when the other side has gone."""
    (size,) = _LENGTH.unpack(_exactly(link, _LENGTH.size))
    header, sizes = json.loads(_exactly(link, size))
    return header, [_exactly(link, size) for size in sizes]


def order_of(header: list[Any]) -> Order:
    """The order a header spells."""
    *plain, overlay = header
    return Order._make([*plain, Overlay(*overlay) if overlay else None])


def _exactly(link: socket.socket, size: int) -> bytes:
    parts = []
    while size:
        part = link.recv(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
