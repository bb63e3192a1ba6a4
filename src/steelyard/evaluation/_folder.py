"""The folder of an evaluation: its head, its record, and the programs.

    DIR/run.json                                what is evaluated
    DIR/record.jsonl                            one line for each task, finished sample and run
    DIR/results/TASK/seed_S/sample_I.py         each program
    DIR/report.{html,md,json}, metrics.csv, tasks.csv

The record is only ever appended to. Each line is written whole, and a sample counts as done once
its line is on the disk. A line that a killed process left unfinished is cut off when the run
resumes.
"""

import json
import mmap
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from steelyard._replaced_files import replacing
from steelyard.datasets import file_name_of
from steelyard.errors import ArtefactError, UsageError
from steelyard.evaluation._worker import SuiteStrength
from steelyard.rendering import milliseconds
from steelyard.runs import locked
from steelyard.schemas import (
    EVALUATION_LINE,
    RECORD_VERSION,
    EvaluatedRun,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationHead,
    Event,
    OnEvent,
)
from steelyard.toolchains import find_toolchain

_SYNC_S = 0.5
Line = EvaluatedTask | EvaluatedSample | EvaluatedRun


class EvaluationFolder:
    """An evaluation's folder, open for writing by this process alone.

    Args:
        path: The folder.
        head: What is evaluated. A folder that exists must hold the same.

    Raises:
        UsageError: if it cannot be created, another process uses it, or it holds something else.
    """

    def __init__(self, path: Path, head: EvaluationHead) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{path} cannot be used: {error.strerror}; choose another folder with --out"
            ) from error
        self._lock = locked(path, "--out")
        try:
            with _disk_faults(path):
                self.resumed = (path / HEAD).exists()
                self.head = _same(path, read_head(path), head) if self.resumed else head
                if not self.resumed:
                    if (path / RECORD).exists():
                        raise UsageError(
                            f"{path} has a record without run.json; choose another folder"
                        )
                    with replacing(path / HEAD) as file:
                        file.write(head.model_dump_json(indent=1))
                self._record = (path / RECORD).open("a+b")
                _cut_torn_line(self._record.fileno())
        except BaseException:  # an interrupt, too, must let the next run write
            os.close(self._lock)
            raise
        self._unsynced: list[Callable[[], None]] = []
        self._synced_at = 0.0
        self._is_unchanged = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, line: Line, on_disk: Callable[[], None] = lambda: None) -> None:
        """Add a line to the record, which is synced twice a second: a sync takes some 5 ms.

        Args:
            line: The line.
            on_disk: Called once the line is on the disk.

        Raises:
            ArtefactError: if it cannot be written.
        """
        data = line.model_dump_json(exclude={"kind"}, exclude_defaults=True, round_trip=True)
        # The kind is a default, by which the line is read back.
        data = f'{{"kind":"{line.kind}",{data[1:]}\n'
        self._is_unchanged = False
        with _disk_faults(self.path / RECORD):
            self._record.write(data.encode())
            self._record.flush()
        self._unsynced.append(on_disk)
        if time.monotonic() - self._synced_at >= _SYNC_S:
            self.sync()

    def end(self, run: EvaluatedRun) -> None:
        """Record the end of a run, and wait until the whole record is on the disk.

        A run that records nothing ends as the one before it, except for its duration.

        Raises:
            ArtefactError: if it cannot be written.
        """
        had = last_run(self.path) if self._is_unchanged else None
        if had is None or had.model_copy(update={"seconds": run.seconds}) != run:
            self.append(run)
        self.sync()

    def sync(self) -> None:
        """Wait until the whole record is on the disk.

        Raises:
            ArtefactError: if it cannot be written.
        """
        with _disk_faults(self.path / RECORD):
            os.fsync(self._record.fileno())
        self._synced_at = time.monotonic()
        written, self._unsynced = self._unsynced, []
        for on_disk in written:
            on_disk()

    def keep_program(self, sample: EvaluatedSample, text: str, extension: str) -> str:
        """Write a program, and return its path in the folder.

        Raises:
            ArtefactError: if it cannot be written.
        """
        name = f"{sample.role}_{sample.sample}.{extension}"
        file = folder_of(sample) / name
        path, data = self.path / file, text.encode("utf-8", "surrogateescape")
        with _disk_faults(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return str(file)

    def close(self) -> None:
        """Let others write."""
        self._record.close()
        os.close(self._lock)


def _cut_torn_line(record: int) -> None:
    size = os.fstat(record).st_size
    if size:
        with mmap.mmap(record, size, access=mmap.ACCESS_READ) as data:
            whole = data.rfind(b"\n") + 1
        os.ftruncate(record, whole)


@contextmanager
def _disk_faults(file: Path) -> Iterator[None]:
    """Turn a fault of the disk into one line, with the way to resume."""
    try:
        yield
    except OSError as error:
        raise ArtefactError(
            f"{file} cannot be written: {error.strerror}; free disk space, and run the same "
            "command again to resume"
        ) from error


def _same(path: Path, had: EvaluationHead, new: EvaluationHead) -> EvaluationHead:
    """Return the head of the folder, if the new run is the same one.

    Raises:
        UsageError: if it is not; the message names the first difference.
    """
    before = had.model_dump(mode="json", exclude={"begun", "steelyard"})
    now = new.model_dump(mode="json", exclude={"begun", "steelyard"})
    before, now = before | before.pop("settings"), now | now.pop("settings")
    for name in now:
        if before.get(name) != now[name]:
            raise UsageError(
                f"{path} holds another evaluation: {name} is {before.get(name)!r} there and "
                f"{now[name]!r} here; choose another folder with --out"
            )
    if had.steelyard != new.steelyard:
        raise UsageError(
            f"{path} was begun by steelyard {had.steelyard}, and this is {new.steelyard}, whose "
            "verdicts may differ; choose another folder with --out"
        )
    return had


HEAD, RECORD, _PROGRAMS = "run.json", "record.jsonl", "results"
_RUN = b'{"kind":"run",'


def read_head(path: Path) -> EvaluationHead:
    """Return what an evaluation's folder holds.

    Raises:
        UsageError: if it is not such a folder, or one of another version.
    """
    file = path / HEAD
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}; give the folder of an evaluation"
        ) from error
    version = re.search(rb'"record_version"\s*:\s*"([^"]{1,20})"', data)
    found = version[1].decode("utf-8", "replace") if version else RECORD_VERSION
    if found != RECORD_VERSION:
        raise UsageError(
            f"{path} holds a record of version {found}, and this Steelyard writes version "
            f"{RECORD_VERSION}; choose another folder"
        )
    try:
        return EvaluationHead.model_validate_json(data)
    except ValidationError as error:
        raise UsageError(
            f"{file} is not an evaluation ({_fault(error)}); choose another folder"
        ) from error


def read_record(path: Path, task: str | None = None) -> Iterator[Line]:
    """Yield the lines of an evaluation's record; an unfinished last line is not one.

    Args:
        path: The evaluation's folder.
        task: Leave out lines that do not hold this task's id; None for all lines.

    Raises:
        UsageError: if a line cannot be read; the message names it.
    """
    sought = b"" if task is None else json.dumps(task, ensure_ascii=False).encode()
    return _lines(path, lambda line: sought in line)


def last_run(path: Path) -> EvaluatedRun | None:
    """Return the latest end of a run in a record; None if no run has ended.

    Raises:
        UsageError: if the record cannot be read.
    """
    found: EvaluatedRun | None = None
    for line in _lines(path, lambda line: line.startswith(_RUN)):
        assert isinstance(line, EvaluatedRun)
        found = line
    return found


def _lines(path: Path, is_wanted: Callable[[bytes], bool]) -> Iterator[Line]:
    """Yield the lines of a record; those that are not wanted need not be parsed."""
    file = path / RECORD
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    return
                if not is_wanted(line):
                    continue
                try:
                    yield EVALUATION_LINE.validate_json(line)
                except ValidationError as error:
                    raise UsageError(
                        f"{file}:{number}: {_fault(error)}; remove the line, and run again to "
                        "repeat its sample"
                    ) from error
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}; give the folder of an evaluation"
        ) from error


def _fault(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


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


SampleId = tuple[str, int, int, str]


class Ledger:
    """The record of a run, by sample and by key.

    Args:
        folder: The folder, open for writing.
        progress: Counts each sample once its line is on the disk.
    """

    def __init__(self, folder: EvaluationFolder, progress: SampleProgress) -> None:
        self._folder, self._progress = folder, progress
        self._keys: dict[SampleId, str] = {}
        self.tasks: dict[str, EvaluatedTask] = {}
        self.verdicts: dict[str, EvaluatedSample] = {}
        """By key: an equal program of the same task is not judged again."""
        if not folder.resumed:
            return
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
        """Record a task, unless the record holds it without a fault."""
        earlier = self.tasks.get(line.task)
        if earlier is None or earlier.digest != line.digest or earlier.fault:
            self._append_task(line)

    def add_fault(self, task: str, fault: str) -> None:
        """Record the reason why a task is left out; the next run tries it again."""
        self._append_task(self.tasks[task].model_copy(update={"fault": fault}))

    def add_strength(self, task: str, strength: SuiteStrength) -> None:
        """Record what a task's tests are worth."""
        self._append_task(
            self.tasks[task].model_copy(
                update={"mutants": strength.mutants, "mutants_killed": strength.killed}
            )
        )

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


def identity_of(line: EvaluatedSample) -> SampleId:
    """Return what names a sample; the last of several lines with it counts."""
    return line.task, line.seed, line.sample, line.role
