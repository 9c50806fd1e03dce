"""What the pool learned about one model: what it refuses, whether it answers, when to ask again."""

import threading
import time
from collections.abc import Mapping
from typing import Any

from skygit.llm.faults import Fault, Kind
from skygit.llm.settings import ModelSettings

_LONGEST = 60.0
"""Seconds; the longest pause of ours. A server may ask for a longer one."""


class Health:
    """Shared by all threads that ask one model."""

    def __init__(self, settings: ModelSettings, backoff: float) -> None:
        self.settings = settings
        self._backoff = backoff
        self._lock = threading.Lock()
        self._failures = 0
        self._ready = 0.0
        self._denied = ""
        self._swaps: dict[str, str] = {}

    @property
    def denied(self) -> str:
        """Why the model must never be asked again; "" when it may."""
        return self._denied

    def pause(self) -> float:
        """Seconds until the model may be asked again."""
        return max(self._ready - time.monotonic(), 0.0)

    def optional(self) -> Mapping[str, Any]:
        """The parameters to send: those of the settings that the model has not refused."""
        with self._lock:
            swaps = dict(self._swaps)
        given = self.settings.optional
        renamed = {swaps.get(name, name): value for name, value in given.items()}
        return {name: value for name, value in renamed.items() if name}

    def answered(self) -> None:
        """The model works: forget its failures."""
        with self._lock:
            self._failures, self._ready = 0, 0.0

    def failed(self, fault: Fault) -> None:
        """Learn from a fault."""
        with self._lock:
            match fault.kind:
                case Kind.DENIED:
                    self._denied = fault.message
                case Kind.PARAMETER:
                    self._drop(fault)
                case Kind.BUSY | Kind.DOWN:
                    self._cool(fault)
                case Kind.REFUSED:
                    pass

    def _drop(self, fault: Fault) -> None:
        originals = [name for name, now in self._swaps.items() if now == fault.parameter] or [fault.parameter]
        for name in originals:
            self._swaps[name] = fault.replacement

    def _cool(self, fault: Fault) -> None:
        own = min(self._backoff * 2.0**self._failures, _LONGEST)
        self._failures = min(self._failures + 1, 16)
        pause = own if fault.wait is None else max(fault.wait, 0.0)
        self._ready = max(self._ready, time.monotonic() + pause)
