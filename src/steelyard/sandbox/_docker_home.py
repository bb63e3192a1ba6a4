"""Start, limit and remove one container with a cell in it."""

import os
import random
import shutil
import socket
import struct
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.errors import CellError, CommandError
from steelyard.sandbox._cgroups import Group
from steelyard.sandbox._command import View
from steelyard.sandbox._docker_counters import ContainerGroup, find_counters
from steelyard.sandbox._docker_engine import engine
from steelyard.sandbox._docker_image import ensure_image
from steelyard.sandbox._launch import CellPlan
from steelyard.schemas import Limits

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

_MIB = 1024 * 1024
_SCRATCH = ("/w", "/tmp", "/dev/shm", "/proc")  # noqa: S108  (the container's own)
_SOCKET_FOLDER = "/run/steelyard"
_CONNECT_TIMEOUT_S = 20.0
_END_TIMEOUT_S = 10
_PROCESSES = 4096 + 16  # the largest limit of a run, and the cell's own
_OVERSHOOT_MIB = 64  # what a program may touch between two samples of its memory
_CREDENTIALS = struct.Struct("iII")


class ContainerHome:
    """A cell that is process 1 of a container of its own."""

    work = "/w"

    def __init__(self, plan: CellPlan, view: View, core: int | None) -> None:
        binds = _binds(view)
        # Landlock allows what the container has; its /proc shows the container's processes only.
        self.view = tuple((target, target) for target in (*binds, "/proc"))
        self.group: Group | None = None
        self.pid = 0
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
