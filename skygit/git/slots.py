"""Slots outside the user's checkout, in the form the sandbox can use."""

from collections.abc import Callable, Mapping
from pathlib import Path

from skygit.git.followingslots import FollowingSlots
from skygit.git.overlayslots import OverlaySlots
from skygit.git.repository import GitRepository
from skygit.git.session import cache_folder

__all__ = ["FollowingSlots", "OverlaySlots", "cache_folder", "open_slots"]


def open_slots(
    repository: GitRepository,
    *,
    base: str,
    overlays: bool,
    guarded: Callable[[str], bool],
    overrides: Mapping[str, bytes] | None = None,
    include: Mapping[str, Path] | None = None,
    cache: Path | None = None,
) -> OverlaySlots | FollowingSlots:
    """Slots for the candidates of a base; `overlays` says whether the sandbox mounts layers itself.

    The other words are those of `GroundOptions`; `cache` is the user's cache folder unless given.
    """
    kind = OverlaySlots if overlays else FollowingSlots
    return kind(
        repository=repository,
        base=base,
        guarded=guarded,
        overrides=overrides or {},
        include=include or {},
        cache=cache or cache_folder(),
    )
