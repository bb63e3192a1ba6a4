"""One run after the other in cells that have the project's packages loaded."""

import compileall
import dataclasses
import json
import os
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import assayer.equivalence.incell as our_runs
import assayer.toolchains.incell as our_server
from assayer.equivalence.running._frames import Told, read_frames
from assayer.equivalence.running._project import Project
from assayer.equivalence.subject import Subject
from assayer.errors import UsageError
from assayer.sandbox import Blob, CellPool, Command, ForkServer, Mount, View, fork_server_library
from assayer.schemas import Execution, Limits
from assayer.toolchains import Harness

__all__ = ["Run", "Runner"]

_SHOWN_AT = "/assayer"
_LIBRARY = "fork_server.so"
_START = "assayer.equivalence.incell.running.start"
_TOOLS = (
    "pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py", "hypothesis",
    "_hypothesis_globals", "_hypothesis_ftz_detector", "sortedcontainers", "coverage",
    "line_profiler", "kernprof",
)  # fmt: skip
"""What runs need beside the project; a project's own copies go first."""
_SCRATCH_MIB = 1_024
_WORTH_A_START = 20
"""Modules that each run would import; a new server costs about a second."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run did and told."""

    execution: Execution
    told: Told


class Runner:
    """Runs in one interpreter around one function of one project.

    Args:
        harness: The interpreter.
        project: The copy that cells are shown.
        subject: The function.
        pool: Where everything runs.
        hash_seed: Of the interpreter; it decides the order of sets.
    """

    def __init__(
        self,
        harness: Harness,
        project: Project,
        subject: Subject,
        pool: CellPool,
        *,
        hash_seed: int = 0,
    ) -> None:
        self._harness, self._project, self._subject, self._pool = harness, project, subject, pool
        self._shown_at = _place(pool, project.folder)
        if not (project.folder / "code").exists():
            _lay_out_code(project.folder)
        self._env = {
            **harness.env,
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8",  # noqa: S108
            "PYTHONHASHSEED": str(hash_seed), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1", "NUMEXPR_NUM_THREADS": "1",
        }  # fmt: skip
        # Each hash seed needs a fork server of its own, and so a cell, and so a view.
        self._view = self._made_view(_SCRATCH_MIB + hash_seed)
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
        """One run of a kind that incell/running/start.py knows.

        Args:
            kind: Such as `tests`.
            said: What it is told, beside what every run is.
            blobs: Bytes that go with it, by name.
            limits: What it may use.
            removed: Files of the project that are not there for it.
            cold: Start an interpreter for it, without the deterministic patches.

        Raises:
            InfrastructureError: where the machine failed.
        """
        key = secrets.token_bytes(32)
        subject = self._subject
        head = {
            "key": key.hex(),
            "source": f"{self._shown_at}/project",
            "import_roots": self.import_roots,
            "sys_path": self.sys_path,
            "module": subject.module,
            "path": subject.path,
            "qualname": subject.qualname,
            "removed": list(removed),
            **said,
            "blobs": {name: len(blob) for name, blob in blobs.items()},
        }
        given = json.dumps(head).encode() + b"\n" + b"".join(blobs.values())
        channel = os.memfd_create("told", os.MFD_CLOEXEC)
        try:
            command = Command(
                (*self._start, "run", self._paths, kind),
                stdin=Blob(given),
                limits=limits,
                env=self._env,
                view=self._view,
                channel=channel,
                server=None if cold else self._server,
                forked_argv=(kind,),
            )
            execution = self._pool.run(command)
            return Run(execution, read_frames(channel, key))
        finally:
            os.close(channel)

    @property
    def _start(self) -> tuple[str, ...]:
        code = f"{self._shown_at}/code"
        begin = f"import sys; sys.path.insert(0, {code!r})"
        enter = f"from {_START} import main; main(sys.argv[1:])"
        return (*self._harness.interpreter, "-S", "-c", f"{begin}; {enter}")

    @property
    def _server(self) -> ForkServer | None:
        if fork_server_library() is None:
            return None
        argv = (*self._start, "server", f"{self._shown_at}/{_LIBRARY}", self._paths)
        argv = (*argv, f"{self._shown_at}/project", *self._preload)
        return ForkServer(argv, tuple(self._env.items()))

    @property
    def _paths(self) -> str:
        """Where packages are looked for: the interpreter's own first."""
        tools = dict.fromkeys(str(path.parent) for path in _tools())
        return os.pathsep.join((*self._harness.paths, *tools))

    def _made_view(self, scratch_mib: int) -> View:
        view, shown_at = self._harness.view, self._shown_at
        shown = [mount.source for mount in view.mounts]
        tools = (str(path) for path in _tools())
        mounts = [
            *view.mounts,
            Mount(str(self._project.folder), shown_at),
            *(
                Mount(tool)
                for tool in tools
                if not tool.startswith(tuple(f"{each}/" for each in shown))
            ),
        ]
        return dataclasses.replace(view, mounts=tuple(mounts), scratch_mib=scratch_mib)


def _place(pool: CellPool, folder: Path) -> str:
    match pool.isolation.filesystem:
        case "view":
            return _SHOWN_AT
        case "container":
            raise UsageError("compare needs cells; set sandbox.backend to auto")
        case _:
            return str(folder)


def _lay_out_code(folder: Path) -> None:
    """Puts what runs in cells where an interpreter finds it, and nothing else of this package."""
    for package in (our_runs, our_server):
        source = Path(package.__file__ or "").parent
        # Of use where the project's interpreter is of this one's version, and where it may be kept.
        compileall.compile_dir(source, quiet=2)
        shutil.copytree(source, folder.joinpath("code", *package.__name__.split(".")))
    library = fork_server_library()
    if library is not None:
        shutil.copyfile(library, folder / _LIBRARY)
    for path in (folder / _LIBRARY, *folder.joinpath("code").rglob("*"), folder / "code"):
        if not path.exists():
            continue
        path.chmod(0o755 if path.is_dir() else 0o644)


@cache
def _tools() -> tuple[Path, ...]:
    """Where this interpreter has the packages that runs need."""
    found = []
    for name in _TOOLS:
        spec = find_spec(name)
        if spec is not None and spec.origin:
            path = Path(spec.origin)
            found.append(path.parent if path.name == "__init__.py" else path)
    return tuple(found)
