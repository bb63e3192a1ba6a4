"""The folder of an evaluation: its head, its record, and the programs.

DIR/run.json                                what is evaluated
DIR/record.jsonl                            one line for each task, finished sample and run
DIR/results/TASK/seed_S/sample_I.py         each program
DIR/report.{html,md,json}, metrics.csv, tasks.csv

A sample counts as done once its line is in the record.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path

from steelyard.datasets import file_name_of
from steelyard.reports import milliseconds
from steelyard.runs import HEAD, ResultsFolder, disk_faults, read_lines
from steelyard.runs import read_record as read_artefact
from steelyard.schemas import (
    EVALUATION_LINE,
    EvaluatedRun,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationHead,
    Event,
    OnEvent,
)
from steelyard.toolchains import find_toolchain

RECORD, _PROGRAMS = "record.jsonl", "results"
_RUN = b'{"kind":"run",'
_SYNC_S = 0.5
Line = EvaluatedTask | EvaluatedSample | EvaluatedRun


class EvaluationFolder(ResultsFolder):
    """An evaluation's folder, open for writing by this process alone.

    Args:
        path: The folder.
        head: What is evaluated. A folder that exists must hold the same.

    Raises:
        UsageError: if it cannot be created, another process uses it, or it holds something else.
    """

    def __init__(self, path: Path, head: EvaluationHead) -> None:
        super().__init__(path, head.model_dump(mode="json"), "--out")
        self.cut_torn_line(RECORD)
        self._synced_at = 0.0
        self._is_unchanged = True

    def append(self, line: Line, *, sync: bool = False) -> None:
        """Add a line to the record, which is synced twice a second at most.

        Args:
            line: The line.
            sync: Wait until the whole record is on the disk.

        Raises:
            ArtefactError: if it cannot be written.
        """
        data = line.model_dump_json(exclude={"kind"}, exclude_defaults=True, round_trip=True)
        sync = sync or time.monotonic() - self._synced_at >= _SYNC_S
        # The kind is a default, by which the line is read back.
        self.append_lines(RECORD, f'{{"kind":"{line.kind}",{data[1:]}\n', sync=sync)
        self._is_unchanged = False
        if sync:
            self._synced_at = time.monotonic()

    def end(self, run: EvaluatedRun) -> None:
        """Record the end of a run, and wait until the whole record is on the disk.

        A run that records nothing ends as the one before it, except for its duration.

        Raises:
            ArtefactError: if it cannot be written.
        """
        had = last_run(self.path) if self._is_unchanged else None
        if had is None or had.model_copy(update={"seconds": run.seconds}) != run:
            self.append(run, sync=True)

    def keep_program(self, sample: EvaluatedSample, text: str, extension: str) -> str:
        """Write a program, and return its path in the folder.

        Raises:
            ArtefactError: if it cannot be written.
        """
        file = folder_of(sample) / f"{sample.role}_{sample.sample}.{extension}"
        path = self.path / file
        with disk_faults(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return str(file)


def read_head(path: Path) -> EvaluationHead:
    """Return what an evaluation's folder holds.

    Raises:
        UsageError: if it is not such a folder, or one of another version.
    """
    head: EvaluationHead = read_artefact(path / HEAD, EvaluationHead)
    return head


def read_record(path: Path, task: str | None = None) -> Iterator[Line]:
    """Yield the lines of an evaluation's record; an unfinished last line is not one.

    Args:
        path: The evaluation's folder.
        task: Leave out lines that do not hold this task's id; None for all lines.

    Raises:
        UsageError: if a line cannot be read; the message names it.
    """
    sought = b"" if task is None else json.dumps(task, ensure_ascii=False).encode()
    return read_lines(path / RECORD, EVALUATION_LINE, lambda line: sought in line)


def last_run(path: Path) -> EvaluatedRun | None:
    """Return the latest end of a run in a record; None if no run has ended.

    Raises:
        UsageError: if the record cannot be read.
    """
    found: EvaluatedRun | None = None
    for line in read_lines(path / RECORD, EVALUATION_LINE, lambda line: line.startswith(_RUN)):
        assert isinstance(line, EvaluatedRun)
        found = line
    return found


def folder_of(sample: EvaluatedSample) -> Path:
    """Return where an evaluation's folder holds the files of a sample, and of others like it."""
    return Path(_PROGRAMS, file_name_of(sample.task), f"seed_{sample.seed}")


def program_file(folder: Path, sample: EvaluatedSample) -> Path | None:
    """Return the path of a sample's program; None if it would not be among the folder's programs.

    Links are followed: a record may come from another machine.
    """
    try:
        file = (folder / sample.program).resolve()
    except (OSError, ValueError):
        return None
    return file if file.is_relative_to(folder.resolve() / _PROGRAMS) else None


class SampleProgress:
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
        """Count a sample that is recorded."""
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


SampleId = tuple[str, int, int, str]


class Ledger:
    """The record of a run, by sample and by key.

    Args:
        folder: The folder, open for writing.
        progress: Counts each sample that is recorded.
    """

    def __init__(self, folder: EvaluationFolder, progress: SampleProgress) -> None:
        self._folder, self._progress = folder, progress
        self._keys: dict[SampleId, str] = {}
        self.tasks: dict[str, EvaluatedTask] = {}
        self.verdicts: dict[str, EvaluatedSample] = {}
        """By key: an equal program of the same task is not judged again."""
        for line in read_record(folder.path):
            if isinstance(line, EvaluatedTask):
                self.tasks[line.task] = line
            elif isinstance(line, EvaluatedSample) and line.error is None:
                self._keys[identity_of(line)] = line.key
                self.verdicts[line.key] = line

    def has(self, stub: EvaluatedSample, key: str | None = None) -> bool:
        """Return True if an earlier run judged this sample; with a key, under this key."""
        found = self._keys.get(identity_of(stub))
        return found is not None and key in (None, found)

    def add_task(self, line: EvaluatedTask) -> None:
        """Record a task, or what has been found out about it since."""
        self._folder.append(line)
        self.tasks[line.task] = line

    def add(self, line: EvaluatedSample, program: str = "") -> None:
        """Record a sample: its program first, so that each line's program is there."""
        if program and line.error is None:
            extension = find_toolchain(line.language).row.extensions[0].lstrip(".")
            path = self._folder.keep_program(line, program, extension)
            line = line.model_copy(update={"program": path})
        self._folder.append(line)
        if line.role == "sample":
            self._progress.finish(failed=not line.passed)


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


def identity_of(line: EvaluatedSample) -> SampleId:
    """Return what names a sample; the last of several lines with it counts."""
    return line.task, line.seed, line.sample, line.role
