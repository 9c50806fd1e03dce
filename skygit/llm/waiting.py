"""One request under a deadline that holds, and waits that end when the run is stopped."""

import queue
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from skygit.errors import Outage

Result = TypeVar("Result")
_GLANCE = 0.2
"""Seconds between two looks at the stop signal and at the thread."""


class Stopped(Outage):
    """The run was stopped while it waited for a model."""


def within(seconds: float, work: Callable[[], Result], *, stop: threading.Event, grace: float) -> Result | None:
    """The result of `work`, None when it took longer.

    A library's timeout counts from byte to byte, so a trickling server outlasts it; this one
    counts the whole call. After a stop the work has `grace` seconds left, because its reply
    may be paid already. What is late is left behind in a thread that nobody waits for.
    """
    box: queue.SimpleQueue[Result] = queue.SimpleQueue()
    thread = threading.Thread(target=lambda: box.put(work()), name="skygit-model-call", daemon=True)
    thread.start()
    end, stopped = time.monotonic() + seconds, False
    while (left := end - time.monotonic()) > 0:
        try:
            return box.get(timeout=min(left, _GLANCE))
        except queue.Empty:
            _still_working(thread, box)
        if stop.is_set() and not stopped:
            end, stopped = min(end, time.monotonic() + grace), True
    if stopped:
        raise Stopped("stopped while a model was answering")
    return None


def rest(seconds: float, *ends: threading.Event) -> None:
    """Sleep. Raises Stopped as soon as one of the ends is set, also when there is nothing to wait for."""
    until = time.monotonic() + seconds
    while not any(end.is_set() for end in ends):
        left = until - time.monotonic()
        if left <= 0:
            return
        ends[0].wait(min(left, _GLANCE))
    raise Stopped("stopped while waiting for a model")


def _still_working(thread: threading.Thread, box: "queue.SimpleQueue[Result]") -> None:
    if not thread.is_alive() and box.empty():
        raise RuntimeError("a model call ended without an answer; its traceback is above")
