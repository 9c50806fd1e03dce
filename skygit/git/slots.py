"""Slots outside the user's checkout: `OverlaySlots` for sandboxes that mount, else `FollowingSlots`."""

from skygit.git.followingslots import FollowingSlots
from skygit.git.overlayslots import OverlaySlots
from skygit.git.session import cache_folder

__all__ = ["FollowingSlots", "OverlaySlots", "cache_folder"]
