"""A container's own control group, if this process may read and limit it."""

import os
from pathlib import Path

from steelyard.errors import CellError
from steelyard.sandbox._cgroups import Group, Hierarchy, _cgroup_mounts, _own_groups, detect

_V2_FILES = ("memory.max", "pids.max")


def find_counters(pid: int, accounting: str) -> Hierarchy:
    """Return the control groups of a container's process, if this process may write to them.

    Args:
        pid: The process id outside the container; 0 if it is unknown.
        accounting: `auto`, or the one kind to look for: `cgroup-v1`, `cgroup-v2`, `none`.
    """
    if accounting == "none":
        return detect(accounting)
    if not pid:
        return Hierarchy("none", why_not="the engine's processes are not visible to this process")
    proc_cgroup = Path(f"/proc/{pid}/cgroup")
    found = Hierarchy("none", why_not="the container's group is not writable; run as root")
    if accounting in ("auto", "cgroup-v1"):
        found = detect("cgroup-v1", proc_cgroup=proc_cgroup)
    if found.version == "none" and accounting in ("auto", "cgroup-v2"):
        folder = _find_v2(proc_cgroup)
        if folder:
            return Hierarchy("cgroup-v2", dict.fromkeys(("memory", "cpuacct", "pids"), folder))
    return found


def _find_v2(proc_cgroup: Path) -> Path | None:
    own = dict(_own_groups(proc_cgroup)).get("", "/")
    mounts = _cgroup_mounts(Path("/proc/self/mountinfo"))
    folders = (mount.folder(own) for mount in mounts if mount.version == 2)
    folder = next((folder for folder in folders if folder), None)
    writable = folder and all(os.access(folder / name, os.W_OK) for name in _V2_FILES)
    return folder if writable else None


class ContainerGroup(Group):
    """The group that the engine makes and removes with a container."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.version = hierarchy.version
        self._folders = dict(hierarchy.parents)
        try:
            self._forbid_swap()
        except (KeyError, OSError) as error:
            raise CellError(
                f"a container's control group cannot be used: {error}; "
                "set sandbox.accounting to none"
            ) from error

    def open_files(self) -> tuple[list[int], list[int]]:
        """Return the counters' descriptors; nothing is to join, as the cell is in the group."""
        joins, counters = super().open_files()
        for fd in joins:
            os.close(fd)
        return [], counters

    def remove(self) -> None:
        """Do nothing: the engine removes the group."""
