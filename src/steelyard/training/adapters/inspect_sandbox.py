"""inspect_ai: our cells as the sandbox of tools and scorers.

    from inspect_ai import Task
    from inspect_ai.solver import generate, use_tools
    from inspect_ai.tool import bash
    from steelyard.training.adapters.inspect_sandbox import register_sandbox

    # from steelyard.training: this needs no reward, and no container
    register_sandbox()
    Task(dataset=samples, solver=[use_tools(bash()), generate()], sandbox="steelyard")

Each command runs in a cell with the sample's files in its work folder. The regular files that it
leaves there are the files of the next command. Nothing else outlives it: no process, no other
folder, no empty folder. There is no network.
"""

import io
import posixpath
import tarfile
from contextlib import suppress
from typing import Any

from steelyard.sandbox import SYSTEM_VIEW, CellPool, Command, View, shared_pool
from steelyard.schemas import Limits, StopReason
from steelyard.training.adapters._known_adapters import framework

__all__ = ["register_sandbox"]

_ARCHIVE = ".steelyard.tar"
_SCRIPT = (
    'cd -- "$1" || exit 1; shift; "$@"; status=$?; '
    f"cd /w && tar -cf {_ARCHIVE} --exclude=./{_ARCHIVE} . 2>/dev/null; exit $status"
)
_FOLDER = "/w"
_VIEW = View.of(*(mount.source for mount in SYSTEM_VIEW.mounts), "/usr/local/bin", "/usr/local/lib")
_DEFAULT_S = 600
_KILLED = 137


def _name_of(file: str) -> str | None:
    """Return a path relative to the work folder; None if it is outside of it."""
    path = posixpath.normpath(posixpath.join(_FOLDER, file))
    return path.removeprefix(f"{_FOLDER}/") if path.startswith(f"{_FOLDER}/") else None


def _files_in(archive: bytes) -> dict[str, bytes]:
    """Return the regular files in an archive; a program may have written anything into it."""
    found: dict[str, bytes] = {}
    with (
        suppress(tarfile.TarError, ValueError, OSError, RecursionError),
        tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as members,
    ):
        for member in members:
            name = _name_of(member.name)
            if name is not None and member.isreg() and not member.issparse():
                held = members.extractfile(member)
                found[name] = held.read() if held is not None else b""
    return found


def register_sandbox(pool: CellPool | None = None, name: str = "steelyard") -> type[Any]:
    """Register our cells as a sandbox of inspect_ai, and return its class.

    Args:
        pool: Where commands run; None is the pool that the process shares.
        name: The name for `Task(sandbox=...)`.

    Raises:
        UsageError: if inspect_ai is not installed.
    """
    util = framework("inspect_ai.util", "inspect-ai")

    class SteelyardSandbox(util.SandboxEnvironment):  # type: ignore[misc, name-defined]
        """The files of one sample, in memory, and the commands that change them."""

        def __init__(self) -> None:
            super().__init__()
            self._files: dict[str, bytes] = {}

        @classmethod
        async def sample_init(cls, task_name: str, config: Any, metadata: Any) -> dict[str, Any]:  # noqa: ARG003 - inspect_ai passes them by name
            """Return a sandbox for a sample."""
            return {"default": cls()}

        @classmethod
        async def sample_cleanup(
            cls, task_name: str, config: Any, environments: Any, interrupted: bool
        ) -> None:
            """Keep nothing: the files are in memory, and cells serve the next sample."""

        async def exec(
            self,
            cmd: list[str],
            input: str | bytes | None = None,  # noqa: A002 - the name is inspect_ai's
            cwd: str | None = None,
            env: dict[str, str] | None = None,
            user: str | None = None,
            timeout: int | None = None,
            timeout_retry: bool = True,  # noqa: ARG002 - a command never runs twice
            concurrency: bool = True,  # noqa: ARG002 - the pool bounds it
        ) -> Any:
            """Run a command.

            Raises:
                TimeoutError: if its time is over; the files are as before.
                OutputLimitExceededError: if it writes too much.
            """
            if user is not None:
                raise util.SandboxUserUnsupportedError(f"a cell has one user; omit user={user!r}")
            stdin = input.encode() if isinstance(input, str) else input or b""
            time_ms = (timeout or _DEFAULT_S) * 1000
            command = Command(
                ("/bin/sh", "-c", _SCRIPT, "sh", posixpath.join(_FOLDER, cwd or ""), *cmd),
                stdin=stdin,
                limits=Limits(cpu_ms=time_ms, wall_ms=time_ms, output_mib=16, processes=256),
                env={**Command(()).env, **(env or {})},
                files=self._files,
                collect=(_ARCHIVE,),
                view=_VIEW,
            )
            done = await (pool or shared_pool()).arun(command)
            if done.stop.out_of_time:
                raise TimeoutError(f"the command was not done after {time_ms:,} ms")
            if _ARCHIVE in done.files:
                self._files = _files_in(done.files[_ARCHIVE])
            out, err = (each.decode("utf-8", "replace") for each in (done.stdout, done.stderr))
            if done.stop is StopReason.OUTPUT_LIMIT:
                raise util.OutputLimitExceededError("16 MiB", out)
            code = _KILLED if done.exit_code is None else done.exit_code
            return util.ExecResult(code == 0, code, out, err)

        async def write_file(self, file: str, contents: str | bytes) -> None:
            """Write a file into the work folder.

            Raises:
                PermissionError: if it is outside of the work folder.
                IsADirectoryError: if it is a folder.
            """
            name = _name_of(file)
            if name is None:
                raise PermissionError(f"{file} is outside of {_FOLDER}")
            self._check_file(file, name)
            self._files[name] = contents.encode() if isinstance(contents, str) else contents

        async def read_file(self, file: str, text: bool = True) -> str | bytes:
            """Return a file of the work folder.

            Raises:
                FileNotFoundError: if the sample has no such file.
                IsADirectoryError: if it is a folder.
            """
            name = _name_of(file)
            if name is None or name not in self._files:
                self._check_file(file, name)
                raise FileNotFoundError(file)
            contents = self._files[name]
            return contents.decode() if text else contents

        def _check_file(self, file: str, name: str | None) -> None:
            if any(each.startswith(f"{name}/") for each in self._files):
                raise IsADirectoryError(file)

    registered: type[Any] = util.sandboxenv(name=name)(SteelyardSandbox)
    return registered
