"""The `docker` backend: a cell in a container, with Docker's isolation around its own.

One long-lived container holds one cell, which is its process 1 and uses the usual protocol over
a socket in a bind mount. The container provides the namespaces, the read-only
file view, the default seccomp profile and no capabilities; inside it the cell adds Landlock, its
own seccomp filter, and the limits of each run. See deploy/README.md.

1. `engine` connects to this machine's engine; its failures are one line each.
2. `ensure_image` builds the image: `deploy/cell.Dockerfile` with this installation's cell.
3. `ContainerHome` starts, limits and removes one container.
4. `find_counters` finds the container's control group, if this process may read and limit it.
"""

import hashlib
import io
import os
import random
import shutil
import socket
import struct
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard._installation import install_command, rebuild_command
from steelyard.errors import CellError, CommandError, IsolationError
from steelyard.sandbox import _seccomp
from steelyard.sandbox._cell import Cell
from steelyard.sandbox._cgroups import Group, Hierarchy, _cgroup_mounts, _own_groups, detect
from steelyard.sandbox._command import View
from steelyard.sandbox._launch import COUNTED_BY, CellPlan, Home
from steelyard.sandbox._wire import Namespace, SetupFlag
from steelyard.schemas import Isolation, Limits
from steelyard.settings import SandboxSettings

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

_NAMESPACES = ("mount", "cgroup", "uts", "ipc", "pid", "network")


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
            plan = plan.lacking(
                "Landlock: not available in the container; the image limits what is visible"
            )
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
        return plan.lacking(f"control groups: {found.why_not}")
    counters = ContainerGroup(found).open_files()[1]
    for fd in counters:
        os.close(fd)
    version = found.version
    if len(counters) < 6:
        plan = plan.lacking("memory peak: the group's peak cannot be reset before Linux 6.12")
    isolation = plan.isolation.model_copy(
        update={
            "cpu_counter": version,
            "memory_counter": version if len(counters) == 6 else "rss",
            "memory_limited_by": version,
        }
    )
    return replace(
        plan, flags=plan.flags | COUNTED_BY[version], hierarchy=found, isolation=isolation
    )


_DEFAULT = "unix:///var/run/docker.sock"
_TIMEOUT_S = 60


@contextmanager
def engine() -> "Iterator[DockerClient]":
    """Open a connection to the engine, and close it at the end.

    Raises:
        CellError: if the SDK is not installed, no engine on this machine answers, or the
            engine refuses a request within the block.
    """
    host = os.environ.get("DOCKER_HOST") or _DEFAULT
    if not host.startswith("unix://"):
        raise CellError(
            f"the docker backend cannot use DOCKER_HOST={host}: a cell receives open files, so the "
            "engine must be on this machine; set DOCKER_HOST to its unix:// socket"
        )
    try:
        import docker  # noqa: PLC0415  (an extra, and slow to import)
        from docker.errors import APIError, DockerException  # noqa: PLC0415
        from requests import RequestException  # noqa: PLC0415
    except ImportError as error:
        raise CellError(
            f"the docker backend needs its Python package; run: {install_command('docker')}"
        ) from error
    try:
        _knock(host.removeprefix("unix://"))
        client = docker.from_env(version="auto", timeout=_TIMEOUT_S)
    except (DockerException, RequestException, OSError) as error:
        raise CellError(
            f"the docker engine at {host} does not answer ({_line(error)}); "
            "start it, set DOCKER_HOST, or set sandbox.backend to auto"
        ) from error
    try:
        yield client
    except (DockerException, RequestException) as error:
        reason = error.explanation if isinstance(error, APIError) else error
        raise CellError(
            f"the docker engine refused: {_line(reason)}; fix that, or set sandbox.backend to auto"
        ) from error
    finally:
        client.close()


def _knock(path: str) -> None:
    """Raise OSError if nothing listens; the SDK would say less, and leak the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_TIMEOUT_S)
        probe.connect(path)


def _line(text: object) -> str:
    """Return a message as one line, short enough for an error."""
    return " ".join(str(text).split())[:300]


_REPOSITORY = "steelyard-cell"


def ensure_image(client: "DockerClient", cell: Path) -> str:
    """Return the name of the image, which is built if the engine has none for this cell.

    Args:
        client: The engine that gets the image.
        cell: The native cell that goes into the image.

    Raises:
        CellError: if the recipe is not installed.
    """
    from docker.errors import ImageNotFound  # noqa: PLC0415  (an extra)

    recipe, program = _recipe().read_bytes(), cell.read_bytes()
    name = f"{_REPOSITORY}:{hashlib.sha256(recipe + program).hexdigest()[:16]}"
    try:
        client.images.get(name)
    except ImageNotFound:
        client.images.build(
            fileobj=_context(recipe, program),
            custom_context=True,
            tag=name,
            rm=True,
            forcerm=True,
            labels={"steelyard": "cell"},
        )
    return name


def _recipe() -> Path:
    """Return the path of `deploy/cell.Dockerfile` in the installation or the checkout."""
    installed = (Path(folder) for folder in sys.modules["steelyard.sandbox"].__path__)
    checkout = Path(__file__).parents[3] / "deploy"
    for folder in (*installed, checkout):
        if (folder / "cell.Dockerfile").is_file():
            return folder / "cell.Dockerfile"
    raise CellError(
        f"deploy/cell.Dockerfile is not installed; to reinstall Steelyard, run: {rebuild_command()}"
    )


def _context(recipe: bytes, program: bytes) -> io.BytesIO:
    """Return the files that the build may use, as a tar archive."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for path, content, mode in (("Dockerfile", recipe, 0o644), ("rootfs/cell", program, 0o755)):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(content), mode
            archive.addfile(entry, io.BytesIO(content))
        link = tarfile.TarInfo("rootfs/tmp")
        link.type, link.linkname = tarfile.SYMTYPE, "/w"
        archive.addfile(link)
    file.seek(os.SEEK_SET)
    return file


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


_SCRATCH = ("/w", "/tmp", "/dev/shm", "/proc")  # noqa: S108  (the container's own)
_SOCKET_FOLDER = "/run/steelyard"
_CONNECT_TIMEOUT_S = 20.0
_END_TIMEOUT_S = 10
_PROCESSES = 4096 + 16  # the largest limit of a run, and the cell's own
_OVERSHOOT_MIB = 64  # what a program may touch between two samples of its memory
_CREDENTIALS = struct.Struct("iII")


class ContainerHome(Home):
    """A cell that is process 1 of a container of its own."""

    work = "/w"

    def __init__(self, plan: CellPlan, view: View, core: int | None) -> None:
        binds = _binds(view)
        # Landlock allows what the container has; its /proc shows the container's processes only.
        self.view = tuple((target, target) for target in (*binds, "/proc"))
        self._container_id = ""
        self._bounded = plan.hierarchy.version == "none"
        self._scratch_mib = view.scratch_mib
        self._room_mib = self._needed_mib(Limits())
        self._folder = tempfile.mkdtemp(prefix="steelyard-docker-")
        try:
            with engine() as client, _listen(self._folder) as listener:
                container = self._create(client, plan, binds, core)
                self._container_id = container.id
                container.start()
                self.socket = _accept(listener, container)
            self.pid = _CREDENTIALS.unpack(
                self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
            )[0]
            if not self._bounded:
                self.group = ContainerGroup(find_counters(self.pid, plan.hierarchy.version))
        except (CellError, OSError) as error:
            self.end()
            if isinstance(error, CellError):
                raise
            raise CellError(f"cannot start a cell: {error}; see `steelyard doctor`") from error
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _create(
        self, client: "DockerClient", plan: CellPlan, binds: dict[str, str], core: int | None
    ) -> "Container":
        from docker.types import LogConfig, Mount  # noqa: PLC0415  (an extra)

        # RLIMIT_NPROC counts all processes of a user id, so no two containers share one.
        user = random.SystemRandom().randrange(20_000, 60_000)
        binds = {**binds, _SOCKET_FOLDER: f"{self._folder}/shared"}
        bounds = {}
        if self._bounded:
            bounds = {"mem_limit": f"{self._room_mib}m", "memswap_limit": f"{self._room_mib}m"}
        if core is not None:
            bounds["cpuset_cpus"] = str(core)
        return client.containers.create(
            ensure_image(client, Path(plan.argv[0])),
            [f"{_SOCKET_FOLDER}/socket"],
            auto_remove=True,
            cap_drop=["ALL"],
            cgroupns="private",
            hostname="cell",
            ipc_mode="none",
            labels={"steelyard": "cell", "steelyard.owner": str(os.getpid())},
            log_config=LogConfig(type="none"),
            mounts=[
                Mount(target, source, type="bind", read_only=True, propagation="rprivate")
                for target, source in binds.items()
            ],
            network_mode="none",
            pids_limit=_PROCESSES,
            read_only=True,
            security_opt=["no-new-privileges"],
            tmpfs={
                "/w": f"rw,exec,nosuid,nodev,mode=0755,uid={user},gid={user},"
                f"size={self._scratch_mib}m,nr_inodes=65536"
            },
            user=f"{user}:{user}",
            **bounds,
        )

    def make_room(self, limits: Limits) -> None:
        """Raise the container's memory limit if a run may use more than any before it."""
        needed_mib = self._needed_mib(limits)
        if self._bounded and needed_mib > self._room_mib:
            with engine() as client:
                bound = f"{needed_mib}m"
                client.containers.get(self._container_id).update(
                    mem_limit=bound, memswap_limit=bound
                )
            self._room_mib = needed_mib

    def _needed_mib(self, limits: Limits) -> int:
        """Return the container's limit: the cell ends a run before the run reaches this limit."""
        files_mib = self._scratch_mib + 2 * limits.output_mib
        return limits.memory_mib + files_mib + _OVERSHOOT_MIB

    def end(self) -> None:
        """Wait until the engine has removed the container; remove it by force if it does not."""
        if not self._container_id:
            return
        with suppress(CellError), engine() as client:
            _remove(client, self._container_id)
        self._container_id = ""


def _binds(view: View) -> dict[str, str]:
    """Return the host path for each path in the container, without absent host paths."""
    binds = {}
    for mount in view.mounts:
        target = os.path.normpath(mount.target or mount.source)
        if any(target == path or target.startswith(f"{path}/") for path in ("/", *_SCRATCH)):
            raise CommandError(
                f"the view mounts {mount.source} at {target}, which holds the container's own "
                "files; give it another target"
            )
        if os.path.exists(mount.source):
            binds[target] = os.path.realpath(mount.source)
    return binds


def _listen(folder: str) -> socket.socket:
    """Return a socket that only the container can reach: it sees only the inner folder."""
    shared = Path(folder, "shared")
    shared.mkdir(mode=0o755)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        listener.bind(str(shared / "socket"))
        (shared / "socket").chmod(0o777)
        listener.listen(1)
    except OSError:
        listener.close()
        raise
    return listener


def _accept(listener: socket.socket, container: "Container") -> socket.socket:
    """Return the cell's connection.

    Raises:
        CellError: if the container ends before it connects, or cannot reach this process.
    """
    from docker.errors import NotFound  # noqa: PLC0415  (an extra)

    deadline = time.monotonic() + _CONNECT_TIMEOUT_S
    listener.settimeout(1)
    while time.monotonic() < deadline:
        try:
            return listener.accept()[0]
        except TimeoutError:
            with suppress(NotFound):
                container.reload()
                if container.status in ("created", "running"):
                    continue
            raise CellError(
                "the container of a cell ended at once; use an engine on this machine, not in a "
                "virtual one, and let containers use its sockets (SELinux forbids that)"
            ) from None
    raise CellError(
        f"the container of a cell did not answer within {_CONNECT_TIMEOUT_S:.0f} s; "
        "read the engine's log, or use fewer cells"
    )


def _remove(client: "DockerClient", container_id: str) -> None:
    from docker.errors import NotFound  # noqa: PLC0415  (an extra)
    from requests import RequestException  # noqa: PLC0415

    with suppress(NotFound):
        container = client.containers.get(container_id)
        with suppress(RequestException):
            container.wait(condition="removed", timeout=_END_TIMEOUT_S)
            return
        container.remove(force=True)
