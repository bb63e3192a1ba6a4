"""Make and remove a cell: its process, its work folder, its control group."""

import errno
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from steelyard._scratch_folders import make_scratch_folder, remove_scratch_folder
from steelyard.errors import CellError, CommandError
from steelyard.sandbox import _wire as wire
from steelyard.sandbox._cgroups import Group, Hierarchy
from steelyard.sandbox._command import View
from steelyard.schemas import Isolation, Limits

COUNTED_BY = {
    "none": wire.SetupFlag(0),
    "cgroup-v1": wire.SetupFlag.CGROUP_V1,
    "cgroup-v2": wire.SetupFlag.CGROUP_V2,
}
_OWN_FOLDERS = ("/w", "/tmp", "/dev", "/proc")  # noqa: S108  (a cell's, not the host's)


class Home:
    """Everything that is made for one cell and removed with it."""

    socket: socket.socket
    """The caller's end of the cell's socket."""
    pid = 0
    """The cell's outermost process; 0 if its id is unknown."""
    work = ""
    """The work folder as the cell sees it; empty if the cell makes its own."""
    group: Group | None = None
    view: tuple[tuple[str, str], ...]
    """Source and target of each read-only path, as the cell must name them."""

    def make_room(self, limits: Limits) -> None:
        """Ensure that limits around the cell, if any, do not end a run before its own limits."""

    def end(self) -> None:
        """Wait until the cell, whose socket is closed, has ended, and remove what it had."""


Launcher = Callable[["CellPlan", View, int | None], Home]
"""Start a cell's program on this core, with a socket to this process as its descriptor 3."""


class ProcessHome(Home):
    """A cell that is a child of this process."""

    def __init__(self, plan: "CellPlan", view: View, _core: int | None) -> None:
        self.view = tuple((mount.source, mount.target or mount.source) for mount in view.mounts)
        if plan.namespaces & wire.Namespace.MOUNT:
            _refuse_targets(self.view)
        else:
            folder = make_scratch_folder("cell")
            folder.chmod(0o777)  # the candidate may run under another id
            self.work = str(folder)
        self.group = None if plan.hierarchy.version == "none" else Group(plan.hierarchy)
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self.pid = os.posix_spawn(
                plan.argv[0],
                plan.argv,
                {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, theirs.fileno(), 3),
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                ],
                setpgroup=0,  # a terminal's Ctrl-C is the caller's to handle
            )
        except OSError as error:
            self.socket.close()
            self.end()
            raise CellError(f"cannot start a cell: {error}; see `steelyard doctor`") from error
        finally:
            theirs.close()

    def end(self) -> None:
        """Wait for the process; kill it if it does not end by itself."""
        if self.pid:
            _reap(self.pid)
            self.pid = 0
        if self.group:
            self.group.remove()
        if self.work:
            remove_scratch_folder(Path(self.work))


@dataclass(frozen=True)
class CellPlan:
    """A way to make a cell on this machine: the program to start and the isolation to request."""

    argv: tuple[str, ...]
    namespaces: wire.Namespace
    flags: wire.SetupFlag
    filter: bytes
    hierarchy: Hierarchy
    isolation: Isolation
    launch: Launcher = ProcessHome

    def lacking(self, line: str, **changes: object) -> "CellPlan":
        """Return the plan with what it lacks, and other changes of its isolation."""
        missing = (*self.isolation.missing, line)
        isolation = self.isolation.model_copy(update={"missing": missing, **changes})
        return replace(self, isolation=isolation)

    @cached_property  # needed in every run
    def serves_forks(self) -> bool:
        """True if its cells can have a fork server, which needs a process list of its own."""
        return self.isolation.backend == "cell" and bool(self.namespaces & wire.Namespace.PID)


def _refuse_targets(view: tuple[tuple[str, str], ...]) -> None:
    """Refuse mounts that a cell's own folders would hide."""
    for source, target in view:
        for own in _OWN_FOLDERS:
            if Path(target).is_relative_to(own):
                raise CommandError(
                    f"{source} cannot be mounted at {target}: each cell has its own {own}; install "
                    "it in another folder, or give the mount another target"
                )


def _reap(pid: int) -> None:
    """Wait for the cell to end by itself, and kill it if it does not."""
    with suppress(ChildProcessError):  # other code in this process reaped it
        for pause_s in (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5):
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
            time.sleep(pause_s)
        try:
            os.kill(pid, 9)
        except OSError as error:
            if error.errno != errno.ESRCH:
                raise
        os.waitpid(pid, 0)
