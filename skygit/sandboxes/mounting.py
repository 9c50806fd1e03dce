"""An overlay over a folder, seen by one process and what it starts. Linux, through libc."""

# ruff: noqa: PTH108, PTH118, PTH123 - pathlib would fatten the process that is forked for every command

import ctypes
import os

from skygit.sandboxes.family import libc
from skygit.sandboxes.order import Overlay

_CLONE_NEWNS = 0x00020000
_CLONE_NEWUSER = 0x10000000
_MS_REC_PRIVATE = 0x4000 | 0x40000
_MNT_DETACH = 2


def mount(overlay: Overlay, folder: str) -> None:
    """Enter a private mount namespace and mount the overlay there. Raises OSError.

    An ordinary user gets a user namespace too, mapped to the same ids: programs started
    afterwards have no privilege in it. The layers are hidden: what wrote to the lower one by its
    path would change what every later candidate is measured with.
    """
    owned = os.geteuid() == 0
    _enter(_CLONE_NEWNS if owned else _CLONE_NEWNS | _CLONE_NEWUSER)
    _check(libc().mount(b"none", b"/", None, ctypes.c_ulong(_MS_REC_PRIVATE), None), "make mounts private")
    layers, held = _held(overlay)
    _hide(os.path.commonpath((overlay.lower, overlay.upper, folder)), folder)
    options = os.fsencode(_options(layers)) + (b"" if owned else b",userxattr")
    _check(libc().mount(b"overlay", os.fsencode(folder), b"overlay", ctypes.c_ulong(0), options), "mount the overlay")
    for handle in held:
        os.close(handle)
    for path in overlay.removed:
        _remove(os.path.join(folder, path))


def unmount(folder: str) -> None:
    """Take the overlay away; the namespace goes with the process anyhow."""
    libc().umount2(os.fsencode(folder), _MNT_DETACH)


def _held(overlay: Overlay) -> tuple[Overlay, list[int]]:
    """The layers by open handles, which still lead there when their paths are hidden. Opened in the new namespace."""
    held = [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in (overlay.lower, overlay.upper, overlay.work)]
    lower, upper, work = (f"/proc/self/fd/{handle}" for handle in held)
    return Overlay(lower, upper, work, overlay.removed), held


def _hide(place: str, folder: str) -> None:
    """An empty place that holds nothing but the folder to mount on."""
    _check(libc().mount(b"none", os.fsencode(place), b"tmpfs", ctypes.c_ulong(0), b"size=64k,mode=700"), "hide layers")
    os.makedirs(folder, exist_ok=True)  # noqa: PTH103


def _enter(flags: int) -> None:
    uid, gid = os.geteuid(), os.getegid()
    _check(libc().unshare(flags), "enter a mount namespace")
    if flags & _CLONE_NEWUSER:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{uid} {uid} 1")
        _write("/proc/self/gid_map", f"{gid} {gid} 1")


def _options(overlay: Overlay) -> str:
    return f"lowerdir={overlay.lower},upperdir={overlay.upper},workdir={overlay.work}"


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def _write(path: str, text: str) -> None:
    with open(path, "wb", buffering=0) as file:
        file.write(text.encode())


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"cannot {what}: {os.strerror(number)}")
