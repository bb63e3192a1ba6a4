"""The `docker` backend: a cell in a container, with Docker's isolation around its own.

One long-lived container holds one cell, which is its process 1 and uses the usual protocol over
a socket in a bind mount. The container provides the namespaces, the read-only
file view, the default seccomp profile and no capabilities; inside it the cell adds Landlock, its
own seccomp filter, and the limits of each run. See deploy/README.md.
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.errors import IsolationError
from steelyard.sandbox import _seccomp
from steelyard.sandbox._cell import Cell
from steelyard.sandbox._cgroups import Hierarchy
from steelyard.sandbox._command import View
from steelyard.sandbox._docker_counters import ContainerGroup, find_counters
from steelyard.sandbox._docker_engine import engine
from steelyard.sandbox._docker_home import ContainerHome
from steelyard.sandbox._docker_image import ensure_image
from steelyard.sandbox._launch import CellPlan
from steelyard.sandbox._wire import Namespace, SetupFlag
from steelyard.schemas import Isolation
from steelyard.settings import SandboxSettings

if TYPE_CHECKING:
    from docker import DockerClient

_NAMESPACES = ("mount", "cgroup", "uts", "ipc", "pid", "network")
_COUNTED_BY = {"cgroup-v1": SetupFlag.CGROUP_V1, "cgroup-v2": SetupFlag.CGROUP_V2}


def find_docker_plan(settings: SandboxSettings, cell: Path) -> CellPlan:
    """Return the plan for cells in containers that a trial cell confirms.

    Args:
        settings: The accounting to use.
        cell: The native cell, which goes into the image.

    Raises:
        IsolationError: if that accounting is not available.
        CellError: if no cell can be made.
    """
    with engine() as client:
        ensure_image(client, cell)
        own_users, missing = _inspect(client)
    seccomp = _seccomp.is_supported()
    isolation = Isolation(
        backend="docker",
        level="full" if seccomp else "partial",
        namespaces=(*_NAMESPACES, "user") if own_users else _NAMESPACES,
        filesystem="container",
        seccomp=seccomp,
        network="none",
        pinned=True,
        missing=missing,
    )
    plan = CellPlan(
        argv=(str(cell),),
        namespaces=Namespace(0),
        flags=SetupFlag.LANDLOCK | SetupFlag.CONTAINED,
        filter=_seccomp.build_filter(own_network=True, own_signals=True, own_files=True)
        if seccomp
        else b"",
        hierarchy=Hierarchy("none"),
        isolation=isolation,
        launch=ContainerHome,
    )
    trial = Cell(plan, View(), None)
    try:
        if not trial.landlock_abi:
            lacking = "Landlock: not available in the container; the image limits what is visible"
            plan = _lacking(plan, lacking)
        return _with_counters(plan, find_counters(trial.pid, settings.accounting), settings)
    finally:
        trial.close()


def _inspect(client: "DockerClient") -> tuple[bool, tuple[str, ...]]:
    """Return True if containers have a user namespace, and what the engine does not provide."""
    options = [str(option) for option in client.info().get("SecurityOptions") or ()]
    own_users = any("userns" in option or "rootless" in option for option in options)
    missing = []
    if not own_users:
        missing.append("user namespace: not provided by the engine (its userns-remap is off)")
    if not any("seccomp" in option for option in options):
        missing.append("seccomp profile: not provided by the engine; the cell's filter is in force")
    return own_users, tuple(missing)


def _with_counters(plan: CellPlan, found: Hierarchy, settings: SandboxSettings) -> CellPlan:
    """Return the plan with the counters of the container's control group, if it is writable."""
    if settings.accounting not in ("auto", found.version):
        raise IsolationError(
            f"sandbox.accounting={settings.accounting} is not available on this machine "
            f"({found.why_not}); set it to auto"
        )
    if found.version == "none":
        return _lacking(plan, f"control groups: {found.why_not}")
    counters = ContainerGroup(found).open_files()[1]
    for fd in counters:
        os.close(fd)
    version = found.version
    if len(counters) < 6:
        plan = _lacking(plan, "memory peak: the group's peak cannot be reset before Linux 6.12")
    isolation = plan.isolation.model_copy(
        update={
            "cpu_counter": version,
            "memory_counter": version if len(counters) == 6 else "rss",
            "memory_limited_by": version,
        }
    )
    return replace(
        plan, flags=plan.flags | _COUNTED_BY[version], hierarchy=found, isolation=isolation
    )


def _lacking(plan: CellPlan, line: str) -> CellPlan:
    missing = (*plan.isolation.missing, line)
    return replace(plan, isolation=plan.isolation.model_copy(update={"missing": missing}))
