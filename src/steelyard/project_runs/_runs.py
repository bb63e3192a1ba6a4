"""One run after the other in cells that have the project's packages loaded."""

import dataclasses
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from steelyard.errors import CellError, UsageError
from steelyard.project_runs._code import LIBRARY, START, code_folder, tools
from steelyard.project_runs._frames import Told, read_frames
from steelyard.project_runs._memory import usable_memory
from steelyard.project_runs._places import Places
from steelyard.project_runs._project import Project
from steelyard.project_runs.incell.compiling import Bytecode
from steelyard.project_runs.incell.records import packed
from steelyard.project_runs.incell.sessions import Collecting, TestBegun, Uncollected
from steelyard.project_runs.incell.suites import Collected, SuiteCoverage, SuiteTest
from steelyard.project_runs.incell.task import (
    Ended,
    Failed,
    Function,
    Layout,
    Nothing,
    NotSetUp,
    Task,
)
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
class Kind:
    """A kind of run."""

    function: str
    """In the cell, as `module:function`: it takes the record of what is asked, and a `Context`."""
    tells: tuple[type, ...] = ()
    """The records that it tells, beside `Ended` and `Failed`."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What processes in cells know."""

    kinds: tuple[Kind, ...]
    prepares: tuple[str, ...] = ()
    """Functions that are called in this order, once, before any run that does not begin cold."""
    others: tuple[str, ...] = ()
    """Functions that a run may have called first."""

    def as_json(self) -> str:
        """One line, as incell/start.py reads it."""
        kinds = [kind.function for kind in (_COMPILING, *self.kinds)]
        return json.dumps({"knows": [*kinds, *self.others], "prepares": self.prepares})


_COMPILING = Kind("steelyard.project_runs.incell.compiling:run_compiling", (Bytecode,))
SUITE = Kind(
    "steelyard.project_runs.incell.suites:run_suite",
    (Collecting, Uncollected, Collected, TestBegun, SuiteTest, SuiteCoverage),
)
"""One file of tests, as `Suite` asks for it."""


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
        self._harness, self._pool = harness, pool
        self._layout = Layout(project.listed(), project.folders, project.links, project.packed())
        self._function = Function(subject.module, subject.path, subject.qualname)
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

    def compiled(self, limits: Limits) -> dict[str, bytes]:
        """Return the bytecode of the module and of what it imports of the project, by path."""
        told = self.run(_COMPILING, Nothing(), {}, limits).told
        return {each.path: each.content for each in told.of(Bytecode)}

    def add_files(self, files: Mapping[str, bytes]) -> None:
        """Have all further runs find these files in the project too."""
        before = self._layout
        known = {path for path, _, _ in before.files}
        files = {path: content for path, content in files.items() if path not in known}
        folders = {os.path.dirname(path) for path in files} - {"", *before.folders}
        self._layout = Layout(
            [*before.files, *((path, len(content), False) for path, content in files.items())],
            [*before.folders, *sorted(folders)],
            before.links,
            b"".join([before.content, *files.values()]),
        )

    def run(
        self,
        kind: Kind,
        asked: object,
        edits: Mapping[str, bytes | None],
        limits: Limits,
        *,
        first: Sequence[str] = (),
        address_bytes: int | None = None,
        cold: bool = False,
    ) -> Run:
        """One run.

        Args:
            kind: One of the plan's.
            asked: The record that such a run takes.
            edits: New contents of the project's files, by path; None takes a file away.
            limits: What it may use.
            first: Functions of the plan that are called before it.
            address_bytes: The most that its process may map at once; None is the machine's memory.
            cold: Start an interpreter for it, which nothing prepares.

        Raises:
            InfrastructureError: where the machine failed.
        """
        key = secrets.token_bytes(32)
        task = Task(
            key=key,
            address_bytes=address_bytes or usable_memory(),
            layout=self._layout,
            edits=dict(edits),
            import_roots=list(self.import_roots),
            sys_path=list(self.sys_path),
            first=list(first),
            function=self._function,
            asked=packed(asked),
        )
        channel = os.memfd_create("told", os.MFD_CLOEXEC)
        try:
            command = Command(
                (*self._start, "run", self._plan, self._paths, kind.function),
                stdin=Blob(packed(task)),
                limits=limits,
                env=self._env,
                view=self._places.view,
                cell=self._cell,
                channel=channel,
                server=None if cold else self._server,
                forked_argv=(kind.function,),
            )
            execution = self._pool.run(command)
            told = read_frames(channel, key, (*kind.tells, Ended, Failed, NotSetUp))
        finally:
            os.close(channel)
        if (fault := told.last(NotSetUp)) is not None:
            raise CellError(
                f"the process of a run could not be set up ({fault.what}); check the limits of "
                "this shell (`ulimit -a`) and `steelyard doctor`"
            )
        return Run(execution, told)

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
