"""The control groups that count and limit what a cell uses: version 1, version 2, or none.

`MemoryKills` notices when the kernel killed a process because memory ran out, and whose it was.
"""

import itertools
import os
import signal
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from steelyard.errors import CellError
from steelyard.schemas import Limits

Version = Literal["cgroup-v1", "cgroup-v2", "none"]
_KILL_TRIES = 500  # 2 ms apart
_LEAF = "steelyard-supervisor"
"""The group into which a process moves that was alone in its own."""
_serial = itertools.count()
_left: set[Path] = set()
"""Folders of this process's groups that have ended, or that are about to."""


@dataclass(frozen=True)
class Hierarchy:
    """The folders in which this process may make groups, as found at start."""

    version: Version
    parents: dict[str, Path] = field(default_factory=dict)
    """The folder to make groups in, by controller (`memory`, `cpuacct`, `pids`); version 2 has
    one folder for all."""
    why_not: str = ""
    """The reason for `none`, with what would help."""


def detect(
    accounting: str = "auto",
    *,
    proc_cgroup: Path = Path("/proc/self/cgroup"),
    proc_mounts: Path = Path("/proc/self/mountinfo"),
) -> Hierarchy:
    """Find the folders in which this process may make control groups.

    Args:
        accounting: `auto`, or the one kind to look for: `cgroup-v1`, `cgroup-v2`, `none`.
        proc_cgroup: The kernel's list of the groups that the process is in.
        proc_mounts: The kernel's list of mounts.
    """
    if accounting == "none":
        return Hierarchy("none", why_not="the setting is sandbox.accounting=none")
    try:
        own = dict(_own_groups(proc_cgroup))
        mounts = tuple(_cgroup_mounts(proc_mounts))
    except OSError as error:
        return Hierarchy("none", why_not=f"{error.filename} cannot be read: {error.strerror}")
    reasons = []
    for version, find in (("cgroup-v1", _find_v1), ("cgroup-v2", _find_v2)):
        if accounting in ("auto", version):
            found = find(own, mounts)
            if isinstance(found, Hierarchy):
                return found
            reasons.append(f"{version}: {found}")
    return Hierarchy("none", why_not="; ".join(reasons))


def memory_folders(
    proc_cgroup: Path = Path("/proc/self/cgroup"),
    proc_mounts: Path = Path("/proc/self/mountinfo"),
) -> Iterator[tuple[Path, int]]:
    """Yield the group that this process is in and those around it, each with its version.

    Args:
        proc_cgroup: The kernel's list of the groups that the process is in.
        proc_mounts: The kernel's list of mounts.

    Raises:
        OSError: if a list cannot be read.
    """
    own = dict(_own_groups(proc_cgroup))
    for mount in _cgroup_mounts(proc_mounts):
        if mount.version == 1 and "memory" not in mount.controllers:
            continue
        folder = mount.folder(own.get("memory" if mount.version == 1 else "", "/"))
        while folder is not None and folder.is_relative_to(mount.point):
            yield folder, mount.version
            folder = folder.parent


@dataclass(frozen=True)
class _Mount:
    """One mounted hierarchy; `root` is the group that its mount point shows."""

    version: int
    controllers: frozenset[str]
    root: str
    point: Path

    def folder(self, group: str) -> Path | None:
        """Return the folder of `group` below the mount point; None if it is not visible."""
        if self.root == "/":
            return self.point / group.lstrip("/")
        if group == self.root or group.startswith(self.root + "/"):
            return self.point / group[len(self.root) :].lstrip("/")
        return None


def _own_groups(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text().splitlines():
        _, controllers, group = line.split(":", 2)
        for controller in controllers.split(","):
            yield controller, group  # the empty controller is version 2


def _cgroup_mounts(path: Path) -> Iterator[_Mount]:
    for line in path.read_text().splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            root, point = left.split(" ")[3:5]
            names = frozenset(options.split(" ")[-1].split(","))
            yield _Mount(1 if kind == "cgroup" else 2, names, root, Path(point))


def _find_v1(own: dict[str, str], mounts: tuple[_Mount, ...]) -> Hierarchy | str:
    parents = {}
    for controller in ("memory", "cpuacct", "pids"):
        folders = (
            mount.folder(own[controller])
            for mount in mounts
            if mount.version == 1 and controller in mount.controllers and controller in own
        )
        folder = next((f for f in folders if f is not None and f.is_dir()), None)
        if folder is not None and os.access(folder, os.W_OK):
            parents[controller] = folder
    lacking = [name for name in ("memory", "cpuacct") if name not in parents]
    return (
        f"no writable {' or '.join(lacking)} group" if lacking else Hierarchy("cgroup-v1", parents)
    )


def _find_v2(own: dict[str, str], mounts: tuple[_Mount, ...]) -> Hierarchy | str:
    mount = next((m for m in mounts if m.version == 2), None)
    folder = mount.folder(own.get("", "/")) if mount else None
    if folder is not None and folder.name == _LEAF:
        folder = folder.parent  # of a process that the supervisor started, such as a worker
    if folder is None or not folder.is_dir():
        return "not mounted"
    try:
        offered = (folder / "cgroup.controllers").read_text().split()
        enabled = (folder / "cgroup.subtree_control").read_text().split()
    except OSError as error:
        return f"{error.filename}: {error.strerror}"
    if "memory" not in offered:
        return "the memory controller is not delegated to this process's group"
    wanted = [name for name in ("memory", "cpu", "pids") if name in offered]
    if not set(wanted) <= set(enabled):
        problem = _enable_v2(folder, wanted)
        if problem:
            return problem
    if not os.access(folder, os.W_OK):
        return f"{folder} is not writable; run under `systemd-run --user --scope -p Delegate=yes`"
    return Hierarchy("cgroup-v2", dict.fromkeys(("memory", "cpuacct", "pids"), folder))


def _enable_v2(folder: Path, controllers: Sequence[str]) -> str:
    """Enable the controllers for new groups; return what prevents it, or an empty string.

    A group that enables controllers for others must not hold a process. If this process is alone
    in its group, it moves to a leaf below, as supervisors of delegated groups do.
    """
    control = folder / "cgroup.subtree_control"
    request = " ".join(f"+{name}" for name in controllers)
    try:
        if (folder / "cgroup.procs").read_text().split() == [str(os.getpid())]:
            leaf = folder / _LEAF
            leaf.mkdir(exist_ok=True)
            (leaf / "cgroup.procs").write_text(str(os.getpid()))
        control.write_text(request)
    except OSError as error:
        return (
            f"{error.filename}: {error.strerror}; run under "
            "`systemd-run --user --scope -p Delegate=yes`"
        )
    return ""


class Group:
    """One cell's own group in each hierarchy; the constructor makes it and `remove` removes it."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.version = hierarchy.version
        self._folders = _unused_folders(hierarchy)
        _remove_left()
        try:
            for folder in dict.fromkeys(self._folders.values()):
                folder.mkdir()
            self._forbid_swap()
        except OSError as error:
            self.remove()
            raise CellError(
                f"cannot make a control group: {error}; see `steelyard doctor`"
            ) from error

    def _forbid_swap(self) -> None:
        """Forbid swap, which is not counted; machines without swap lack the file."""
        swap = self._folders["memory"] / "memory.swap.max"
        if swap.exists():
            swap.write_text("0")

    def open_files(self) -> tuple[list[int], list[int]]:
        """Return files to join, then those of limit, usage, stat, cpu, pids and perhaps peak."""
        memory, cpu = self._folders["memory"], self._folders["cpuacct"]
        pids = self._folders.get("pids")
        v1 = self.version == "cgroup-v1"
        folders = dict.fromkeys(self._folders.values())
        joins = [_open(folder / "cgroup.procs", os.O_WRONLY) for folder in folders]
        counters = [
            _open(memory / ("memory.limit_in_bytes" if v1 else "memory.max"), os.O_RDWR),
            _open(memory / ("memory.usage_in_bytes" if v1 else "memory.current"), os.O_RDONLY),
            _open(memory / "memory.stat", os.O_RDONLY),
            _open(cpu / ("cpuacct.usage" if v1 else "cpu.stat"), os.O_RDONLY),
        ]
        bound = pids / "pids.max" if pids is not None else Path(os.devnull)
        counters.append(_open(bound if bound.exists() else Path(os.devnull), os.O_RDWR))
        with suppress(OSError):  # before Linux 6.12 the peak of version 2 cannot be reset
            peak = memory / ("memory.max_usage_in_bytes" if v1 else "memory.peak")
            counters.append(_open(peak, os.O_RDWR))
        return joins, counters

    def peak(self) -> int:
        """Return the peak memory in bytes since the last reset; 0 if it cannot be read."""
        v1 = self.version == "cgroup-v1"
        name = "memory.max_usage_in_bytes" if v1 else "memory.peak"
        with suppress(OSError):
            return int((self._folders["memory"] / name).read_text())
        return 0

    def kills_for_memory(self) -> int:
        """Return how often the kernel killed a process of this group because memory ran out."""
        v1 = self.version == "cgroup-v1"
        return self._count("memory.oom_control" if v1 else "memory.events", "oom_kill")

    def times_full(self) -> int:
        """Return how often the group's own limit left no memory; 0 for version 1.

        Kills count for a group whichever limit they are for, its own or that of a group above.
        """
        return 0 if self.version == "cgroup-v1" else self._count("memory.events", "oom")

    def _count(self, file: str, wanted: str) -> int:
        return _count_in(self._folders["memory"] / file, wanted) or 0

    def remove(self) -> None:
        """End what is left in the group, whose cell has ended, and remove the folders.

        Without a process namespace a run outlives its cell if the kernel ends both processes of
        the cell for memory. A folder in which a process is still ending goes with a later group.
        """
        _end_all(self._folders.values())
        _left.update(self._folders.values())
        _remove_left()


def _unused_folders(hierarchy: Hierarchy) -> dict[str, Path]:
    """Return folders that are not there; a killed process of the same number may have left some."""
    while True:
        name = f"steelyard-{os.getpid()}-{next(_serial)}"
        folders = {key: parent / name for key, parent in hierarchy.parents.items()}
        if not any(folder.exists() for folder in folders.values()):
            return folders


def _end_all(folders: Collection[Path]) -> None:
    for folder in folders:
        with suppress(OSError):  # only one of them counts processes: none can begin any more
            limit = _open(folder / "pids.max", os.O_WRONLY)
            os.write(limit, b"0")
            os.close(limit)
    for _ in range(_KILL_TRIES):
        pids: set[int] = set()
        for folder in folders:
            with suppress(OSError):
                pids.update(map(int, (folder / "cgroup.procs").read_text().split()))
        if not pids:
            return
        for pid in pids - {0}:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)


def _remove_left() -> None:
    for folder in tuple(_left):
        try:
            folder.rmdir()
        except FileNotFoundError:
            pass
        except OSError:
            continue
        _left.discard(folder)


def _open(path: Path, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC)


def sweep(hierarchy: Hierarchy) -> None:
    """Remove the groups of Steelyard processes that were killed."""
    for parent in dict.fromkeys(hierarchy.parents.values()):
        for folder in parent.glob("steelyard-[0-9]*-[0-9]*"):
            owner = folder.name.split("-")[1]
            if not Path("/proc", owner).exists():
                with suppress(OSError):
                    folder.rmdir()


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


def _count_in(file: Path, wanted: str = "oom_kill") -> int | None:
    with suppress(OSError):
        for line in file.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == wanted:
                return int(value)
    return None


def out_of_memory(limits: Limits) -> CellError:
    """Return the error of a run that lost a process though it was within its limits."""
    return CellError(
        "memory ran out on this machine or in the group around Steelyard, and the kernel killed a "
        f"process of a run that was below its limit of {limits.memory_mib:,} MiB; add memory, or "
        "use fewer cells; see `steelyard doctor`"
    )
