"""The contents of an evaluation's record, the one way to add to it, and its progress."""

import time

from steelyard.evaluation._folder import EvaluationFolder
from steelyard.evaluation._job_data import SuiteStrength
from steelyard.evaluation._record import read_record
from steelyard.rendering import milliseconds
from steelyard.schemas import EvaluatedSample, EvaluatedTask, Event, OnEvent
from steelyard.toolchains import find_toolchain


class Progress:
    """Counts samples.

    Args:
        emit: Receives an event for each finished sample.
        total: Number of samples.
    """

    def __init__(self, emit: OnEvent, total: int) -> None:
        self._emit, self.total = emit, total
        self._done = self._earlier = self._failed = 0
        self._begun = time.monotonic()
        self.cost_usd = 0.0

    def skip(self) -> None:
        """Count a sample that has a verdict from an earlier run."""
        self._done += 1
        self._earlier += 1

    def finish(self, *, failed: bool) -> None:
        """Count a sample whose line is on the disk."""
        self._done += 1
        self._failed += failed
        done, new = self._done, self._done - self._earlier
        seconds = time.monotonic() - self._begun
        parts = [f"{done:,} of {self.total:,} samples", f"{self._failed:,} failed"]
        if new and seconds > 0:
            parts.append(f"{new / seconds:.3g}/s")
        if self.cost_usd:
            parts.append(f"${self.cost_usd:.2f}")
        if new:
            left = seconds * max(0, self.total - done) / new
            parts.append(f"{milliseconds(1_000 * max(1, round(left)))} left")
        share = min(1.0, done / self.total) if self.total else None
        self._emit(Event(job="evaluate", stage=", ".join(parts), share=share))


Place = tuple[str, int, int, str]


class Ledger:
    """The record of a run, by sample and by key.

    Args:
        folder: The folder, open for writing.
        progress: Counts each sample once its line is on the disk.
    """

    def __init__(self, folder: EvaluationFolder, progress: Progress) -> None:
        self._folder, self._progress = folder, progress
        self._keys: dict[Place, str] = {}
        self.tasks: dict[str, EvaluatedTask] = {}
        self.verdicts: dict[str, EvaluatedSample] = {}
        """By key: an equal program of the same task is not judged again."""
        if not folder.resumed:
            return
        for line in read_record(folder.path):
            if isinstance(line, EvaluatedTask):
                self.tasks[line.task] = line
            elif isinstance(line, EvaluatedSample) and line.error is None:
                self._keys[_place(line)] = line.key
                self.verdicts[line.key] = line

    def has(self, stub: EvaluatedSample, key: str | None = None) -> bool:
        """Return True if an earlier run judged this sample; with a key, under this key."""
        found = self._keys.get(_place(stub))
        return found is not None and key in (None, found)

    def add_task(self, line: EvaluatedTask) -> None:
        """Record a task, unless the record holds it without a fault."""
        earlier = self.tasks.get(line.task)
        if earlier is None or earlier.digest != line.digest or earlier.fault:
            self._append_task(line)

    def add_fault(self, task: str, fault: str) -> None:
        """Record the reason why a task is left out; the next run tries it again."""
        self._append_task(self.tasks[task].model_copy(update={"fault": fault}))

    def add_strength(self, task: str, strength: SuiteStrength) -> None:
        """Record what a task's tests are worth."""
        update = {"mutants": strength.mutants, "mutants_killed": strength.killed}
        self._append_task(self.tasks[task].model_copy(update=update))

    def _append_task(self, line: EvaluatedTask) -> None:
        self._folder.append(line)
        self.tasks[line.task] = line

    def add(self, line: EvaluatedSample, program: str = "") -> None:
        """Record a sample: its program first, so that each line's program is there."""
        if program and line.error is None:
            extension = find_toolchain(line.language).row.extensions[0].lstrip(".")
            path = self._folder.keep_program(line, program, extension)
            line = line.model_copy(update={"program": path})
        if line.role == "reference":
            self._folder.append(line)
            return
        failed = not line.passed
        self._folder.append(line, on_disk=lambda: self._progress.finish(failed=failed))


def twin(line: EvaluatedSample, stub: EvaluatedSample) -> EvaluatedSample:
    """Return the verdict of an equal program for another sample, which has its own costs."""
    own = {
        "seed",
        "sample",
        "role",
        "cost_usd",
        "tokens_in",
        "tokens_out",
        "task",
        "language",
    }
    return line.model_copy(update={name: getattr(stub, name) for name in own} | {"seconds": 0.0})


def _place(line: EvaluatedSample) -> Place:
    return line.task, line.seed, line.sample, line.role
