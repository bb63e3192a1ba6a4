"""One run after the other in cells that have the project's packages loaded."""

import dataclasses
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from steelyard.errors import UsageError
from steelyard.project_runs._code import LIBRARY, START, code_folder, tools
from steelyard.project_runs._frames import Told, read_frames
from steelyard.project_runs._memory import usable_memory
from steelyard.project_runs._places import Places
from steelyard.project_runs._project import Project
from steelyard.project_runs.incell.task import PROJECT as _PROJECT
from steelyard.sandbox import Blob, CellPool, Command, ForkServer, Mount, View
from steelyard.schemas import Execution, Limits
from steelyard.toolchains import Harness

_SHOWN_AT = "/steelyard"
_TOOLS_AT = "/tools"
"""Where a cell has packages that the project's interpreter lacks."""
_SCRATCH_MIB = 1_024
_WORTH_A_START = 20
"""Modules that each run would import; a new server costs about a second."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The functions, each as `module:function`, that processes in cells know."""

    kinds: tuple[str, ...]
    """Runs: they take a task, a teller and the clocks."""
    prepares: tuple[str, ...] = ()
    """Called in this order, once, before any run; not for one that begins cold."""

    def as_json(self) -> str:
        """One line, as incell/start.py reads it."""
        return json.dumps(dataclasses.asdict(self))


NOTHING = "steelyard.project_runs.incell.task:run_nothing"
"""A run that only shows that its process begins."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run did and told."""

    execution: Execution
    told: Told


class Target(Protocol):
    """What runs are about: a function of a project, or a whole module."""

    @property
    def module(self) -> str:
        """Its dotted name."""

    @property
    def path(self) -> str:
        """The module's file, relative to the project."""

    @property
    def import_root(self) -> str:
        """The folder that must be on `sys.path`, relative to the project."""

    @property
    def qualname(self) -> str:
        """The function's; empty for a whole module."""


class Runner:
    """Runs in one interpreter around one function or module of one project.

    Args:
        harness: The interpreter.
        project: Its files.
        subject: The function or module.
        pool: Where everything runs.
        plan: What can be run.
        hash_seed: Of the interpreter; it decides the order of sets.
    """

    def __init__(
        self,
        harness: Harness,
        project: Project,
        subject: Target,
        pool: CellPool,
        plan: Plan,
        *,
        hash_seed: int = 0,
    ) -> None:
        self._harness, self._project, self._subject, self._pool = harness, project, subject, pool
        self._packed = project.packed()
        self._shown_at = _place(pool, code_folder())
        self._env = {
            **harness.env,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": "/tmp",  # noqa: S108
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": str(hash_seed),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "NUMEXPR_NUM_THREADS": "1",
        }
        # Each hash seed needs a fork server of its own, and a cell has room for one.
        self._cell = f"hash seed {hash_seed}, {' '.join(plan.prepares)}"
        self._plan = plan.as_json()
        self._places = Places(self._made_view(), pool)
        self._preload: tuple[str, ...] = ("pytest",)
        self.import_roots: tuple[str, ...] = (subject.import_root, ".")
        self.sys_path: tuple[str, ...] = ()

    def preload(self, modules: Sequence[str]) -> None:
        """Has the fork server load these before any run, if they are worth a new server."""
        if len(modules) >= _WORTH_A_START:
            self._preload = ("pytest", *modules)

    def run(
        self,
        kind: str,
        said: Mapping[str, Any],
        blobs: Mapping[str, bytes],
        limits: Limits,
        *,
        removed: Sequence[str] = (),
        cold: bool = False,
    ) -> Run:
        """One run.

        Args:
            kind: One of the plan's.
            said: What it is told, beside what every run is.
            blobs: Bytes that go with it, by name.
            limits: What it may use.
            removed: Files of the project that are not there for it.
            cold: Start an interpreter for it, which nothing prepares.

        Raises:
            InfrastructureError: where the machine failed.
        """
        key = secrets.token_bytes(32)
        subject = self._subject
        head = {
            "key": key.hex(),
            "address_bytes": usable_memory(),
            "files": self._project.listed(),
            "folders": self._project.folders,
            "links": self._project.links,
            "import_roots": self.import_roots,
            "sys_path": self.sys_path,
            "module": subject.module,
            "path": subject.path,
            "qualname": subject.qualname,
            "removed": list(removed),
            "first": [],
            **said,
            "blobs": {_PROJECT: len(self._packed)}
            | {name: len(blob) for name, blob in blobs.items()},
        }
        given = b"".join((json.dumps(head).encode(), b"\n", self._packed, *blobs.values()))
        channel = os.memfd_create("told", os.MFD_CLOEXEC)
        try:
            command = Command(
                (*self._start, "run", self._plan, self._paths, kind),
                stdin=Blob(given),
                limits=limits,
                env=self._env,
                view=self._places.view,
                cell=self._cell,
                channel=channel,
                server=None if cold else self._server,
                forked_argv=(kind,),
            )
            execution = self._pool.run(command)
            return Run(execution, read_frames(channel, key, kind.partition(":run_")[2]))
        finally:
            os.close(channel)

    @property
    def _start(self) -> tuple[str, ...]:
        code = f"{self._shown_at}/code"
        begin = f"import sys; sys.path.insert(0, {code!r})"
        enter = f"from {START} import main; main(sys.argv[1:])"
        interpreter, *options = self._harness.interpreter
        return (self._places.of(interpreter), *options, "-S", "-c", f"{begin}; {enter}")

    @property
    def _server(self) -> ForkServer:
        library = f"{self._shown_at}/{LIBRARY}"
        argv = (*self._start, "server", self._plan, self._paths, library, *self._preload)
        return ForkServer(argv, tuple(self._env.items()))

    @property
    def _paths(self) -> str:
        """Where packages are looked for: the interpreter's own first."""
        own = [self._places.of(path) for path in self._harness.paths]
        if self._pool.isolation.filesystem == "view":
            return os.pathsep.join((*own, _TOOLS_AT))
        folders = dict.fromkeys(str(path.parent) for path in tools())
        return os.pathsep.join((*own, *folders))

    def _made_view(self) -> View:
        view, shown_at = self._harness.view, self._shown_at
        shown = tuple(f"{mount.source}/" for mount in view.mounts)
        missing = [path for path in tools() if not str(path).startswith(shown)]
        lent = (Mount(str(path), f"{_TOOLS_AT}/{path.name}") for path in missing)
        mounts = [*view.mounts, Mount(str(code_folder()), shown_at), *lent]
        return dataclasses.replace(view, mounts=tuple(mounts), scratch_mib=_SCRATCH_MIB)


def _place(pool: CellPool, folder: Path) -> str:
    match pool.isolation.filesystem:
        case "view":
            return _SHOWN_AT
        case "container":
            raise UsageError("compare needs cells; set sandbox.backend to auto")
        case _:
            return str(folder)
