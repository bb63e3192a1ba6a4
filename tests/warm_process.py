"""`python -m steelyard` as a fork of one process that has imported it: an import takes seconds.

    process = start(["languages"], cwd=folder, stdout=file)
    process.pid  # a process and a process group of its own
    process.wait()

All workers of a test run share that process. It ends with the process that began the run, and what
it has started ends if the test's process does.
"""

import asyncio
import atexit
import fcntl
import gc
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NoReturn

WARM = (
    "steelyard.authoring.pipeline",
    "steelyard.cli._app",
    "steelyard.cli._author",
    "steelyard.cli._author_challenges",
    "steelyard.cli._author_run",
    "steelyard.cli._author_tests",
    "steelyard.cli._author_strength",
    "steelyard.cli._cache",
    "steelyard.cli._compare",
    "steelyard.cli._datasets",
    "steelyard.cli._db",
    "steelyard.cli._demo",
    "steelyard.cli._doctor",
    "steelyard.cli._judge",
    "steelyard.cli._profile",
    "steelyard.cli._service",
    "steelyard.cli._solve",
    "steelyard.models._wire",
    "steelyard.profiling",
    "steelyard.reports._page",
    "steelyard.solving",
    "steelyard.storage._database",
    "jinja2.sandbox",
    "pydantic_ai.models.openai",
    "scipy.optimize",
    "tree_sitter_cpp",
)
"""What the command imports when it comes to need it."""
RUN_FOLDER = "TESTS_RUN_FOLDER"
"""The variable with the folder of this test run."""
_STARTS_WITHIN_S = 300.0


class WarmProcess:
    """A command that runs, with the interface of `subprocess.Popen`."""

    def __init__(self, connection: socket.socket, stdout: IO[bytes] | None) -> None:
        self._replies = connection.makefile("rb")
        self._connection = connection
        self.pid = int(self._replies.readline())
        self.stdout = stdout
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, a signal's as a negative number, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status.

        Raises:
            subprocess.TimeoutExpired: It runs after `timeout` seconds.
        """
        if self.returncode is None:
            with selectors.DefaultSelector() as ready:
                ready.register(self._connection, selectors.EVENT_READ)
                if not ready.select(timeout):
                    raise subprocess.TimeoutExpired("steelyard", timeout or 0)
            self.returncode = int(self._replies.readline())
            self._replies.close()
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to the process, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the process at once, if it runs."""
        self.send_signal(signal.SIGKILL)


def start(
    arguments: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    stderr: IO[bytes],
    stdout: IO[bytes] | None = None,
    code: str = "",
) -> WarmProcess:
    """Start `steelyard` with arguments; without `stdout` that is a pipe.

    With `code`, that is run in place of the command, and a warning is an error.
    """
    request = {"args": list(arguments), "cwd": str(cwd), "env": dict(environment), "code": code}
    read, write = os.pipe() if stdout is None else (-1, os.dup(stdout.fileno()))
    connection = _connected(Path(os.environ[RUN_FOLDER]))
    with os.fdopen(os.memfd_create("request"), "wb") as text, os.fdopen(write, "wb") as output:
        text.write(json.dumps(request).encode())
        text.flush()
        socket.send_fds(connection, [b"."], [output.fileno(), stderr.fileno(), text.fileno()])
    return WarmProcess(connection, os.fdopen(read, "rb") if stdout is None else None)


def _connected(folder: Path) -> socket.socket:
    """Return a connection to the run's process, which the first caller starts."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "socket").exists():
            with (folder / "log").open("wb") as log:
                begun = subprocess.run(
                    [sys.executable, __file__, str(folder)],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    check=False,
                    timeout=_STARTS_WITHIN_S,
                    start_new_session=True,  # an interrupt at the terminal is for the run's process
                )
            assert begun.returncode == 0, (folder / "log").read_text("utf-8")
    connection = socket.socket(socket.AF_UNIX)
    with _address(folder) as address:
        connection.connect(address)
    return connection


@contextmanager
def _address(folder: Path) -> Iterator[str]:
    """The socket's address, which is short though the folder's name may be too long for one."""
    descriptor = os.open(folder, os.O_PATH)
    try:
        yield f"/proc/self/fd/{descriptor}/socket"
    finally:
        os.close(descriptor)


class _Server:
    """Forks once for each request, and reports each exit status."""

    def __init__(self, folder: Path) -> None:
        self._owner = os.pidfd_open(int((folder / "owner").read_text()))
        self._listener = socket.socket(socket.AF_UNIX)
        with _address(folder) as address:
            self._listener.bind(address)
        self._listener.listen(64)
        self._ready = selectors.DefaultSelector()
        self._running: dict[int, tuple[int, socket.socket]] = {}
        """Each process and its connection, by a descriptor of the process."""

    def serve(self) -> None:
        """Start and report until the owner ends; then end what runs."""
        self._ready.register(self._owner, selectors.EVENT_READ)
        self._ready.register(self._listener, selectors.EVENT_READ)
        while True:
            for key, _ in self._ready.select():
                if key.fd == self._owner:
                    for pid, _ in self._running.values():
                        _kill(pid)
                    return
                if key.fileobj is self._listener:
                    self._start()
                elif key.fd in self._running:
                    self._report(key.fd)
                elif key.data in self._running:  # nobody is left to wait for it
                    _kill(self._running[key.data][0])
                    self._ready.unregister(key.fileobj)

    def _start(self) -> None:
        connection, _ = self._listener.accept()
        _, descriptors, _, _ = socket.recv_fds(connection, 1, 3)
        if len(descriptors) < 3:
            connection.close()
            return
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            code = _become(*descriptors)
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # which lets the server go on
            end_process(_run(code) if code else _main())
        for each in (*descriptors, write):
            os.close(each)
        os.read(read, 1)  # until it has its own group and outputs
        os.close(read)
        process = os.pidfd_open(pid)
        self._running[process] = pid, connection
        self._ready.register(process, selectors.EVENT_READ)
        self._ready.register(connection, selectors.EVENT_READ, process)
        _send(connection, pid)

    def _report(self, process: int) -> None:
        pid, connection = self._running.pop(process)
        _, ended = os.waitpid(pid, 0)
        self._ready.unregister(process)
        with suppress(KeyError):  # nobody waits for it
            self._ready.unregister(connection)
        _send(connection, os.waitstatus_to_exitcode(ended))
        connection.close()
        os.close(process)


def _send(connection: socket.socket, number: int) -> None:
    with suppress(OSError):  # the test's process has ended
        connection.send(b"%d\n" % number)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _become(stdout: int, stderr: int, text: int) -> str:
    """Take a request's outputs, folder, variables and arguments, and return its code."""
    os.lseek(text, 0, os.SEEK_SET)
    with os.fdopen(text, "rb", closefd=False) as file:
        request: dict[str, Any] = json.load(file)
    os.setsid()
    os.chdir(request["cwd"])
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    sys.stdout = os.fdopen(1, "w", closefd=False)  # the server's own may be of another kind
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv = ["steelyard", *request["args"]]
    return str(request["code"])


def _run(code: str) -> int:
    warnings.simplefilter("error")
    exec(compile(code, "<example>", "exec"), {"__name__": "__main__"})
    return 0


def _main() -> int:
    from steelyard.cli import main

    return main()


def end_process(status: int) -> NoReturn:
    """End as the interpreter does, except that it frees no module, which would copy them all."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


async def _ask_nobody() -> None:
    """A client imports more as it makes its first request."""
    from steelyard.errors import ModelTransportError
    from steelyard.models import ChatTurn, Request, open_model
    from steelyard.settings import ModelSettings

    model = open_model("vllm:m@http://127.0.0.1:9/v1", ModelSettings(retries=0))
    request = Request(
        provider="vllm",
        model="m",
        role="coder",
        prompt="coder@1",
        system="s",
        messages=(ChatTurn(author="user", text="t"),),
        reply_schema={},
        max_tokens=9,
    )
    with suppress(ModelTransportError):
        await model.complete(request)


def _serve(folder: Path) -> None:
    for module in WARM:
        import_module(module)
    if find_spec("dbos"):
        import_module("steelyard.service")
    asyncio.run(_ask_nobody())
    gc.freeze()  # memory that is never written to is never copied
    server = _Server(folder)
    if os.fork() == 0:  # whoever started this goes on
        server.serve()


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
