"""A container's own control group, where this process may read and bound it."""

import os
from pathlib import Path

from steelyard.errors import CellError
from steelyard.sandbox._cgroups import Group, Hierarchy, _cgroup_mounts, _own_groups, detect

_V2_FILES = ("memory.max", "pids.max")


def find_counters(pid: int, accounting: str) -> Hierarchy:
    """The control groups that a container's process is in, if this process may write to them.

    Args:
        pid: The process, by its number here; 0 where it has none.
        accounting: `auto`, or the one kind to look for: `cgroup-v1`, `cgroup-v2`, `none`.
    """
    if accounting == "none":
        return detect(accounting)
    if not pid:
        return Hierarchy("none", why_not="the engine's processes cannot be seen from here")
    proc_cgroup = Path(f"/proc/{pid}/cgroup")
    found = Hierarchy("none", why_not="the container's group is not writable; that takes root")
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
    """The group that the engine made for a container, and will remove with it."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.version = hierarchy.version
        self._folders = dict(hierarchy.parents)
        try:
            self._forbid_swap()
        except (KeyError, OSError) as error:
            raise CellError(
                f"a container's control group is out of reach: {error}; "
                "set sandbox.accounting to none"
            ) from error

    def open_files(self) -> tuple[list[int], list[int]]:
        """Descriptors of the counters; there is nothing to join, the cell is in the group."""
        joins, counters = super().open_files()
        for fd in joins:
            os.close(fd)
        return [], counters

    def remove(self) -> None:
        """The engine does that."""
