"""Find how much memory this process and its cells may use together."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from steelyard.sandbox._cgroups import memory_folders

_MIB = 1024 * 1024


def memory_room_mib(
    *,
    proc_cgroup: Path = Path("/proc/self/cgroup"),
    proc_mounts: Path = Path("/proc/self/mountinfo"),
    proc_meminfo: Path = Path("/proc/meminfo"),
) -> int:
    """Return the machine's memory, or the smallest limit of a group around this process, in MiB.

    Args:
        proc_cgroup: The kernel's list of the groups that the process is in.
        proc_mounts: The kernel's list of mounts.
        proc_meminfo: The kernel's figures about memory.
    """
    with suppress(OSError):
        limits = list(_group_limits(proc_cgroup, proc_mounts))
        machine = int(proc_meminfo.read_text().split("MemTotal:")[1].split()[0]) * 1024
        return min(machine, *limits) // _MIB if limits else machine // _MIB
    return 0


def _group_limits(proc_cgroup: Path, proc_mounts: Path) -> Iterator[int]:
    for folder, version in memory_folders(proc_cgroup, proc_mounts):
        with suppress(OSError, ValueError):  # a root group has no limit, and `max` is none
            file = "memory.limit_in_bytes" if version == 1 else "memory.max"
            yield int((folder / file).read_text())
