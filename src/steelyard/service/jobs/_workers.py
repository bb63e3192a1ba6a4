"""Keep a number of worker processes alive."""

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Self

from steelyard.logs import log_file, logger
from steelyard.settings import Settings

_log = logger("jobs")
_WATCH_S = 0.5
_STEADY_S = 30.0
_MOST_WAIT_S = 30.0
_DRAIN_S = 40.0


class Workers:
    """Processes that run jobs. One that dies is replaced; all end with the block.

    Args:
        settings: With the database.
        number: How many.
    """

    def __init__(self, settings: Settings, number: int) -> None:
        self._environment = {**os.environ}
        if settings.database_url:
            self._environment["STEELYARD_DATABASE_URL"] = settings.database_url
        self._command = [sys.executable, "-m", "steelyard.service.jobs"]
        if (file := log_file()) is not None:
            self._command.append(str(file))
        self.number = number
        self._processes: list[subprocess.Popen[bytes] | None] = [None] * number
        self._began = [0.0] * number
        self._wait_s = [0.0] * number
        self._ending = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        if self.number:
            self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def alive(self) -> int:
        """Return how many processes live now."""
        return sum(each is not None and each.poll() is None for each in self._processes)

    def stop(self) -> None:
        """End the workers; each finishes its job if that takes less than half a minute."""
        self._ending.set()
        if self._watcher.is_alive():
            self._watcher.join()
        running = [each for each in self._processes if each is not None]
        for each in running:
            assert each.stdin
            with suppress(OSError):
                each.stdin.close()
        until = time.monotonic() + _DRAIN_S
        for each in running:
            try:
                each.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()

    def end(self) -> None:
        """Let `wait` return; a signal handler may call this."""
        self._ending.set()

    def wait(self) -> None:
        """Wait until `end` is called."""
        while not self._ending.wait(3_600):  # a wait without an end hears no signal
            pass

    def _watch(self) -> None:
        while True:
            for index in range(self.number):
                self._tend(index)
            if self._ending.wait(_WATCH_S):
                return

    def _tend(self, index: int) -> None:
        process, now = self._processes[index], time.monotonic()
        if process is not None:
            if process.poll() is None:
                return
            assert process.stdin
            process.stdin.close()
            self._processes[index] = None
            steady = now - self._began[index] > _STEADY_S
            wait_s = 0.0 if steady else min(_MOST_WAIT_S, 2 * self._wait_s[index] + 0.25)
            self._wait_s[index] = wait_s
            _log.warning("a worker ended", status=process.returncode, again_in_s=wait_s)
            self._began[index] = now + wait_s
        if now >= self._began[index]:
            self._began[index] = now
            self._processes[index] = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                env=self._environment,
                start_new_session=True,  # an interrupt at the terminal is for this process
            )
