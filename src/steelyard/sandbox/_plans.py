"""Find the isolation that this machine allows: the strongest plan that works."""

import os
import platform
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from steelyard._installation import rebuild_command
from steelyard.errors import CellError, IsolationError
from steelyard.sandbox import _seccomp
from steelyard.sandbox._cell import Cell, CellRefusedError
from steelyard.sandbox._cgroups import Hierarchy, detect, sweep
from steelyard.sandbox._command import View
from steelyard.sandbox._launch import COUNTED_BY, CellPlan
from steelyard.sandbox._wire import Namespace, SetupFlag
from steelyard.schemas import Isolation
from steelyard.settings import SandboxSettings

_ALL = (
    Namespace.USER
    | Namespace.PID
    | Namespace.MOUNT
    | Namespace.NETWORK
    | Namespace.IPC
    | Namespace.UTS
    | Namespace.CGROUP
)
_LEVELS = ("none", "partial", "full")
_SIGNALS_SCOPED_SINCE = 6  # the Landlock ABI that keeps signals inside
_lock = threading.Lock()


def native_cell() -> Path | None:
    """Return the path of the cell's program, or None if this installation has none."""
    package = sys.modules["steelyard.sandbox"]
    candidates = (Path(folder, "_cell") for folder in package.__path__)
    return next((path for path in candidates if os.access(path, os.X_OK)), None)


def fork_server_library() -> Path:
    """Return the path of the fork server's loop, for `ctypes`: it is built with the cell."""
    cell = native_cell()
    assert cell is not None  # `find_plan` refuses to run anything without one
    return cell.with_name("_fork_server.so")


def _ways() -> Iterator[tuple[Namespace, bool]]:
    """Yield namespaces to try, strongest first, each with True if cells get user ids of their own.

    Root can give these, unless a container has taken its capabilities.
    """
    root = os.geteuid() == 0
    if root:
        yield _ALL, True
        yield _ALL & ~Namespace.USER, True
    yield _ALL, False
    if root:
        yield Namespace(0), True
    yield Namespace(0), False


def _named(namespaces: Namespace, *, own_ids: bool) -> str:
    """Return the name of a refused way, for people."""
    what = (
        "namespaces"
        if namespaces & Namespace.USER
        else "without a user namespace"
        if namespaces
        else "without namespaces"
    )
    return what if own_ids or os.geteuid() != 0 else f"{what}, with root's own id"


def _plan(
    cell: Path,
    namespaces: Namespace,
    own_ids: bool,
    hierarchy: Hierarchy,
    landlock_abi: int,
    refused: tuple[str, ...],
) -> CellPlan:
    """Return the plan for these namespaces and ids, with the isolation that it gives."""
    flags = SetupFlag.ROOT_MAP if own_ids else SetupFlag(0)
    flags |= COUNTED_BY[hierarchy.version]
    if not namespaces & Namespace.MOUNT:
        flags |= SetupFlag.LANDLOCK
    own_signals = bool(namespaces & Namespace.PID) or landlock_abi >= _SIGNALS_SCOPED_SINCE
    own_network = bool(namespaces & Namespace.NETWORK)
    seccomp = _seccomp.is_supported()
    missing = list(refused)
    if not seccomp:
        missing.append(f"seccomp: no table of system calls for {platform.machine()}")
    if hierarchy.version == "none":
        missing.append(
            f"control groups: {hierarchy.why_not}; memory files, socket buffers and page tables "
            "are not bounded"
        )
    if os.geteuid() == 0 and not own_ids and "pids" not in hierarchy.parents:
        missing.append("number of processes: the kernel does not limit it for root")
    if not namespaces:
        if not landlock_abi:
            missing.append(
                "file view: the kernel has no Landlock; programs see every file that you can read"
            )
        missing.append("file modes, owners and times: not restricted by Landlock")
        if not own_signals:
            missing.append("signals: thread-directed signals can reach any process")
    counters = hierarchy.version if hierarchy.version != "none" else None
    return CellPlan(
        argv=(str(cell),),
        namespaces=namespaces,
        flags=flags,
        filter=_seccomp.build_filter(
            own_network=own_network,
            own_signals=own_signals,
            own_files=bool(namespaces & Namespace.MOUNT),
        )
        if seccomp
        else b"",
        hierarchy=hierarchy,
        isolation=Isolation.model_validate(
            {
                "backend": "cell",
                "level": "full"
                if namespaces and seccomp and hierarchy.version != "none"
                else "partial"
                if namespaces or (seccomp and landlock_abi)
                else "none",
                "namespaces": tuple((flag.name or "").lower() for flag in namespaces),
                "filesystem": "view" if namespaces else "landlock" if landlock_abi else "host",
                "seccomp": seccomp,
                "separate_user": own_ids,
                "network": "none" if own_network or seccomp else "host",
                "cpu_counter": counters or "rusage",
                "memory_counter": counters or "rss",
                "memory_limited_by": counters or "sampling",
                "pinned": True,
                "missing": tuple(missing),
            }
        ),
    )


def find_plan(settings: SandboxSettings) -> CellPlan:
    """Return the strongest plan that a trial cell confirms, found once per setting.

    Raises:
        IsolationError: if it is weaker than `sandbox.require`.
        CellError: if there is no cell, or none can be made at all.
    """
    with _lock:
        return _find_plan(settings, os.geteuid())


@cache
def _find_plan(settings: SandboxSettings, _euid: int) -> CellPlan:
    cell = native_cell()
    if cell is None:
        raise CellError(
            "this installation has no native cell, which all programs run in; install a wheel for "
            "Linux on x86_64 or aarch64, or build the cell by your C compiler or, without one, by "
            f"zig from PyPI; run: {rebuild_command()}"
        )
    if settings.backend == "docker":
        # An extra: only users of containers pay for importing it.
        from steelyard.sandbox._docker import find_docker_plan  # noqa: PLC0415

        return _checked(find_docker_plan(settings, cell), settings.require)
    hierarchy = detect(settings.accounting)
    if settings.accounting not in ("auto", "none", hierarchy.version):
        raise IsolationError(
            f"sandbox.accounting={settings.accounting} is not available on this machine "
            f"({hierarchy.why_not}); set it to auto"
        )
    sweep(hierarchy)
    refused: list[str] = []
    for namespaces, own_ids in _ways():
        plan = _plan(cell, namespaces, own_ids, hierarchy, 0, tuple(refused))
        try:
            trial = Cell(plan, View(), None)
        except CellRefusedError as error:
            refused.append(f"{_named(namespaces, own_ids=own_ids)}: {error}")
            continue
        abi = trial.landlock_abi
        peak = trial.counts_peak
        trial.close()
        plan = _plan(cell, namespaces, own_ids, hierarchy, abi, tuple(refused))
        if not peak and hierarchy.version == "cgroup-v2":
            why = "cannot be reset before Linux 6.12; the largest process counts instead"
            plan = plan.lacking(f"memory peak: {why}", memory_counter="rss")
        return _checked(plan, settings.require)
    raise CellError(f"cannot start a cell: {'; '.join(refused)}; see `steelyard doctor`")


def _checked(plan: CellPlan, require: str) -> CellPlan:
    level = plan.isolation.level
    if _LEVELS.index(level) < _LEVELS.index(require):
        reasons = "; ".join(plan.isolation.missing) or "more is not available"
        raise IsolationError(
            f"sandbox.require={require} is not met: this machine gives {level} isolation "
            f"({reasons}); see `steelyard doctor` for how to get more"
        )
    return plan
