"""Notice when the kernel killed a process of a run because memory ran out, and whose it was."""

from contextlib import suppress
from pathlib import Path

from steelyard.errors import CellError
from steelyard.sandbox._cgroups import Group
from steelyard.schemas import Limits

_VMSTAT = Path("/proc/vmstat")


class MemoryKills:
    """The kernel's counts of kills for memory, since the last look.

    Args:
        group: The cell's own group. None: the count of the whole machine is read.
    """

    def __init__(self, group: Group | None) -> None:
        self._group = group
        self._kills, self._own = self._read()

    def _read(self) -> tuple[int, int]:
        if self._group:
            return self._group.kills_for_memory(), self._group.times_full()
        return _machine_kills(), 0

    def look(self) -> tuple[bool, bool]:
        """Return True, since the last look, for any kill; and for one by the group's own limit."""
        kills, own = self._kills, self._own
        self._kills, self._own = self._read()
        return self._kills > kills, self._own > own


def _machine_kills() -> int:
    with suppress(OSError):
        for line in _VMSTAT.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == "oom_kill":
                return int(value)
    return 0


def out_of_memory(limits: Limits) -> CellError:
    """Return the error of a run that lost a process though it was within its limits."""
    return CellError(
        "memory ran out on this machine or in the group around Steelyard, and the kernel killed a "
        f"process of a run that was below its limit of {limits.memory_mib:,} MiB; add memory, or "
        "use fewer cells; see `steelyard doctor`"
    )
