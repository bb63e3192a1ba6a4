"""What this process may do: user id 0 may do little in a container without capabilities."""

import ctypes
import os
import struct
from pathlib import Path

_CHOWN, _SETGID, _SETUID = 0, 6, 7  # include/uapi/linux/capability.h
_VERSION_3 = 0x2008_0522
_PR_CAPBSET_DROP = 24  # include/uapi/linux/prctl.h


def give_up_capabilities(*, for_good: bool = False) -> None:
    """Drop this process's capabilities; its programs have none either if it is for good."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(64 if for_good else 0):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails beyond the kernel's last
    head = struct.pack("=Ii", _VERSION_3, 0)
    if libc.capset(head, bytes(24)) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def can_give_to(user: int) -> bool:
    """Return if this process can give its files to a user."""
    return _has(_CHOWN) and _is_mapped(user, "uid_map") and _is_mapped(user, "gid_map")


def can_become(user: int) -> bool:
    """Return if this process can take a user's id and group id, and leave its other groups."""
    return (
        _has(_SETGID, _SETUID)
        and _is_mapped(user, "uid_map")
        and _is_mapped(user, "gid_map")
        and Path("/proc/self/setgroups").read_text() == "allow\n"
    )


def _has(*capabilities: int) -> bool:
    lines = Path("/proc/self/status").read_text().splitlines()
    effective = next(int(line.split()[1], 16) for line in lines if line.startswith("CapEff:"))
    return all(effective >> each & 1 for each in capabilities)


def _is_mapped(number: int, name: str) -> bool:
    """Return if the user namespace has the id."""
    ranges = (map(int, line.split()) for line in Path("/proc/self", name).read_text().splitlines())
    return any(first <= number < first + count for first, _, count in ranges)
