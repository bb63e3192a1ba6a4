"""Notice when the kernel killed a process of a run because memory ran out, and whose it was."""

from contextlib import suppress
from pathlib import Path

from steelyard.errors import CellError
from steelyard.sandbox._cgroups import Group, memory_folders
from steelyard.schemas import Limits

_VMSTAT = Path("/proc/vmstat")


class MemoryKills:
    """The kernel's counts of kills for memory, since the last look.

    Args:
        group: The cell's own group. None: the count of the group around this process is read, or
            that of the whole machine where no group shows one.
    """

    def __init__(self, group: Group | None) -> None:
        self._group = group
        self._around = None if group else _count_around()
        self.include_strangers = not group and self._around is None
        """True if the counts are those of the whole machine."""
        self._kills, self._own = self._read()

    def _read(self) -> tuple[int, int]:
        if self._group:
            return self._group.kills_for_memory(), self._group.times_full()
        return _count_in(self._around or _VMSTAT) or 0, 0

    def look(self) -> tuple[bool, bool]:
        """Return True, since the last look, for any kill; and for one by the group's own limit."""
        kills, own = self._kills, self._own
        self._kills, self._own = self._read()
        return self._kills > kills, self._own > own


def _count_around() -> Path | None:
    """Return the file with the kills in the group that this process is in."""
    with suppress(OSError):
        for folder, version in memory_folders():
            file = folder / ("memory.oom_control" if version == 1 else "memory.events")
            if _count_in(file) is not None:
                return file
    return None


def _count_in(file: Path) -> int | None:
    with suppress(OSError):
        for line in file.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == "oom_kill":
                return int(value)
    return None


def out_of_memory(limits: Limits) -> CellError:
    """Return the error of a run that lost a process though it was within its limits."""
    return CellError(
        "memory ran out on this machine or in the group around Steelyard, and the kernel killed a "
        f"process of a run that was below its limit of {limits.memory_mib:,} MiB; add memory, or "
        "use fewer cells; see `steelyard doctor`"
    )
