"""`steelyard` as processes that have the vendors' packages loaded: they take seconds to import.

with WarmCommand() as command:
    run = command.start("solve", "problem.json", cwd=folder)
    run.pid  # a process and a process group of its own
    done = run.wait()
    done.status, done.stdout, done.stderr
"""

import json
import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests import warm_process
from tests.warm_process import WarmProcess

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

    def __init__(self, process: WarmProcess, out: Path, err: Path) -> None:
        self.pid = process.pid
        self.out, self.err = out, err
        self._process = process

    @property
    def is_done(self) -> bool:
        return self._process.poll() is not None

    def signal(self, number: signal.Signals) -> None:
        """As a terminal does it: to the command and all that it started in its group."""
        os.killpg(self.pid, number)

    def wait(self) -> Done:
        in_time = True
        try:
            self._process.wait(_WAIT_S)
        except subprocess.TimeoutExpired:
            in_time = False
            self.signal(signal.SIGKILL)
        status = self._process.wait()
        done = Done(status, self.out.read_text("utf-8"), self.err.read_text("utf-8"))
        assert in_time, f"it was not done after {_WAIT_S:g} s: {done}"
        return done


class WarmCommand:
    """Starts commands, one at a time."""

    def __init__(self) -> None:
        self._outputs = tempfile.TemporaryDirectory(prefix="steelyard-test-")
        self._count = 0
        self._last: Started | None = None

    def start(self, *args: str | Path, cwd: Path, code: str = "", **env: str | None) -> Started:
        """Starts `steelyard` with arguments; a variable that is None is taken away.

        A command that nobody has waited for, since its test failed, is ended first.
        With `code`, that is run in place of the command, and a warning is an error.
        """
        self._end_the_last()
        self._count += 1
        out, err = (Path(self._outputs.name) / f"{self._count}.{each}" for each in ("out", "err"))
        environment = {
            name: value for name, value in {**os.environ, **env}.items() if value is not None
        }
        with out.open("wb") as stdout, err.open("wb") as stderr:
            process = warm_process.start(
                [str(each) for each in args],
                cwd=cwd,
                environment=environment,
                stdout=stdout,
                stderr=stderr,
                code=code,
            )
        self._last = Started(process, out, err)
        return self._last

    def run(self, *args: str | Path, cwd: Path, code: str = "", **env: str | None) -> Done:
        """Runs `steelyard`, or code, to its end."""
        return self.start(*args, cwd=cwd, code=code, **env).wait()

    def _end_the_last(self) -> None:
        if self._last is not None and not self._last.is_done:
            with suppress(ProcessLookupError):  # it has ended by itself
                self._last.signal(signal.SIGKILL)
            self._last.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        type_: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end_the_last()
        self._outputs.cleanup()
