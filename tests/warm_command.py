"""`steelyard` as a process that has the vendors' packages loaded: they take seconds to import.

    with WarmCommand() as command:
        run = command.start("solve", "problem.json", cwd=folder)
        run.pid  # a process and a process group of its own
        done = run.wait()
        done.status, done.stdout, done.stderr

One Python process imports what the command needs, and is forked for each call.
"""

import asyncio
import atexit
import gc
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self

WARM = (
    "steelyard.authoring.pipeline.reporting", "steelyard.cli._app", "steelyard.cli._author",
    "steelyard.cli._author_challenges", "steelyard.cli._author_run", "steelyard.cli._author_spec",
    "steelyard.cli._author_stats", "steelyard.cli._author_store", "steelyard.cli._author_strength",
    "steelyard.cli._author_submit", "steelyard.cli._author_tests", "steelyard.cli._cache",
    "steelyard.cli._compare", "steelyard.cli._datasets", "steelyard.cli._db", "steelyard.cli._demo",
    "steelyard.cli._doctor",
    "steelyard.cli._judge", "steelyard.cli._languages", "steelyard.cli._profile",
    "steelyard.cli._solve", "steelyard.cli._story", "steelyard.cli._tokens",
    "steelyard.equivalence.reporting",
    "steelyard.models._wire", "steelyard.profiling.reporting", "steelyard.solving.reporting",
    "steelyard.storage._database", "jinja2.sandbox", "pydantic_ai.models.openai", "scipy.optimize",
    "tree_sitter_cpp",
)  # fmt: skip
"""What the command imports when it comes to need it."""
_WAIT_S = 300.0


@dataclass(frozen=True)
class Done:
    """A command that has ended; a signal's number is negative."""

    status: int
    stdout: str
    stderr: str

    @property
    def said(self) -> list[str]:
        """The lines on standard error."""
        return self.stderr.splitlines()

    def json(self) -> Any:
        return json.loads(self.stdout)


class Started:
    """A command that is running."""

    def __init__(self, server: "subprocess.Popen[bytes]", pid: int, outputs: Path) -> None:
        self.pid = pid
        self.is_done = False
        self._server = server
        self.out, self.err = (outputs / f"{pid}.{name}" for name in ("out", "err"))

    def signal(self, number: signal.Signals) -> None:
        """As a terminal does it: to the command and all that it started in its group."""
        os.killpg(self.pid, number)

    def wait(self) -> Done:
        assert self._server.stdout is not None
        in_time, _, _ = select.select([self._server.stdout], [], [], _WAIT_S)
        if not in_time:
            self.signal(signal.SIGKILL)
        status = int(self._server.stdout.readline())
        self.is_done = True
        done = Done(status, self.out.read_text("utf-8"), self.err.read_text("utf-8"))
        assert in_time, f"it was not done after {_WAIT_S:g} s: {done}"
        return done


class WarmCommand:
    """Starts commands, one at a time."""

    def __init__(self) -> None:
        self._outputs = tempfile.TemporaryDirectory(prefix="steelyard-test-")
        self._server = subprocess.Popen(
            [sys.executable, __file__, self._outputs.name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            bufsize=0,  # a buffer could hold the next line, for which `select` would wait
        )  # fmt: skip
        self._last: Started | None = None

    def start(self, *args: str | Path, cwd: Path, code: str = "", **env: str | None) -> Started:
        """Starts `steelyard` with arguments; a variable that is None is taken away.

        A command that nobody has waited for, since its test failed, is ended first.
        With `code`, that is run in place of the command, and a warning is an error.
        """
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        if self._last is not None and not self._last.is_done:
            with suppress(ProcessLookupError):  # it has ended by itself
                self._last.signal(signal.SIGKILL)
            self._last.wait()
        request = {"args": [str(each) for each in args], "cwd": str(cwd), "env": env, "code": code}
        self._server.stdin.write(json.dumps(request).encode() + b"\n")
        pid = int(self._server.stdout.readline())
        self._last = Started(self._server, pid, Path(self._outputs.name))
        return self._last

    def run(self, *args: str | Path, cwd: Path, code: str = "", **env: str | None) -> Done:
        """Runs `steelyard`, or code, to its end."""
        return self.start(*args, cwd=cwd, code=code, **env).wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        type_: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.wait(_WAIT_S)
        self._server.stdout.close()
        self._outputs.cleanup()


def _serve() -> None:
    for module in WARM:
        import_module(module)
    from steelyard.cli import main

    asyncio.run(_ask_nobody())
    gc.freeze()  # memory that is never written to is never copied
    for line in sys.stdin:
        request = json.loads(line)
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            _become(request)
            os.close(write)
            status = _run(request["code"]) if request["code"] else main()
            _end(status)
        os.close(write)
        os.read(read, 1)  # until it has its own group and outputs
        os.close(read)
        _say(pid)
        _, ended = os.waitpid(pid, 0)
        _say(os.waitstatus_to_exitcode(ended))


def _end(status: int) -> None:
    """End as the interpreter does, except that it frees no module, which would copy them all."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


def _run(code: str) -> int:
    warnings.simplefilter("error")
    exec(compile(code, "<example>", "exec"), {"__name__": "__main__"})
    return 0


async def _ask_nobody() -> None:
    """A client imports more as it makes its first request."""
    from steelyard.errors import ModelTransportError
    from steelyard.models import Message, Request, open_model
    from steelyard.settings import ModelSettings

    model = open_model("vllm:m@http://127.0.0.1:9/v1", ModelSettings(retries=0))
    request = Request(
        provider="vllm", model="m", role="coder", prompt="coder@1", system="s",
        messages=(Message(author="user", text="t"),), reply_schema={}, max_tokens=9,
    )  # fmt: skip
    with suppress(ModelTransportError):
        await model.complete(request)


def _say(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _become(request: dict[str, Any]) -> None:
    os.setsid()
    os.chdir(request["cwd"])
    for descriptor, name in ((1, "out"), (2, "err")):
        path = os.path.join(sys.argv[1], f"{os.getpid()}.{name}")
        file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        os.dup2(file, descriptor)
        os.close(file)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for name, value in request["env"].items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    sys.argv = ["steelyard", *request["args"]]


if __name__ == "__main__":
    _serve()
