"""Report what the sandbox can do on this machine, what is missing, and how to install it."""

import importlib.util
import os
import platform
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from steelyard._installation import install_command, rebuild_command, require_linux
from steelyard.errors import CellError, InfrastructureError
from steelyard.sandbox._cgroups import memory_folders
from steelyard.sandbox._command import MIB
from steelyard.sandbox._plans import find_plan, native_cell
from steelyard.schemas import Isolation, Limits, Remedy, SandboxReport
from steelyard.settings import SandboxSettings

_OWN_MIB = 512  # for Steelyard itself
_SWITCHES = {
    "/proc/sys/kernel/unprivileged_userns_clone": "0",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1",
    "/proc/sys/user/max_user_namespaces": "0",
}
"""Kernel settings that can forbid namespaces to ordinary users, each with the value that does."""


def inspect_sandbox(settings: SandboxSettings) -> SandboxReport:
    """Make a trial cell and report what works.

    Raises:
        PlatformError: if this is not Linux.
    """
    require_linux()
    plan, problem = None, ""
    try:
        plan = find_plan(settings)
    except InfrastructureError as error:
        problem = str(error)
    isolation = plan.isolation if plan else None
    native = native_cell() is not None
    cores, memory_mib = len(os.sched_getaffinity(0)), memory_room_mib()
    remedies = (*_remedies(isolation, native=native), *_for_memory(cores, memory_mib))
    return SandboxReport(
        isolation=isolation,
        error=problem,
        native_cell=native,
        forks=plan is not None and plan.serves_forks,
        docker=_docker(),
        cores=cores,
        memory_mib=memory_mib,
        kernel=platform.release(),
        machine=platform.machine(),
        python=platform.python_version(),
        remedies=remedies,
    )


def _docker() -> str:
    if importlib.util.find_spec("docker") is None:
        return "the Python package is not installed"
    from steelyard.sandbox._docker import engine  # noqa: PLC0415  (imports the extra)

    try:
        with engine() as client:
            return f"engine {client.version()['Version']}"
    except CellError as error:
        return str(error)


def _remedies(isolation: Isolation | None, *, native: bool) -> Iterator[Remedy]:
    if not native:
        yield Remedy(
            what="native cell",
            why="without it nothing can run; a C compiler builds it, or zig, which comes from PyPI",
            command=rebuild_command(),
        )
    elif isolation is None or not isolation.namespaces:
        yield _for_namespaces()
    if isolation and isolation.cpu_counter == "rusage":
        yield Remedy(
            what="control groups",
            why="memory is only sampled, and the CPU time of child processes can be missed",
            command="systemd-run --user --scope -p Delegate=yes -- steelyard doctor",
        )
    if importlib.util.find_spec("docker") is None:
        yield Remedy(
            what="docker backend",
            why="its Python package is not installed",
            command=install_command("docker"),
        )


def _for_memory(cores: int, memory_mib: int) -> Iterator[Remedy]:
    limit_mib = Limits().memory_mib
    needed_mib = cores * limit_mib
    if 0 < memory_mib < needed_mib:
        yield Remedy(
            what="memory",
            why=f"{cores} cells x {limit_mib} MiB (the default limit) exceed the {memory_mib:,} "
            "MiB of this machine or of the group around Steelyard; a run that loses a process for "
            "it is an error",
            command=f"docker run --memory {needed_mib + _OWN_MIB}m ...",
        )


def _for_namespaces() -> Remedy:
    for path, blocking in _SWITCHES.items():
        file = Path(path)
        if file.exists() and file.read_text().strip() == blocking:
            name = path.removeprefix("/proc/sys/").replace("/", ".")
            wanted = {"0": "1", "1": "0"}[blocking] if "max_" not in name else "10000"
            return Remedy(
                what="namespaces",
                why=f"the kernel setting {name} is {blocking}",
                command=f"sysctl -w {name}={wanted}",
            )
    return Remedy(
        what="namespaces",
        why="this container or user is not allowed to create them",
        command="docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
        "--cap-add SYS_ADMIN ...",
    )


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
        return min(machine, *limits) // MIB if limits else machine // MIB
    return 0


def _group_limits(proc_cgroup: Path, proc_mounts: Path) -> Iterator[int]:
    for folder, version in memory_folders(proc_cgroup, proc_mounts):
        with suppress(OSError, ValueError):  # a root group has no limit, and `max` is none
            file = "memory.limit_in_bytes" if version == 1 else "memory.max"
            yield int((folder / file).read_text())
