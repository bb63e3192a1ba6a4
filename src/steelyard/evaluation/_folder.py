"""The folder of an evaluation: its head, its record, and the programs.

    DIR/run.json                                what is evaluated
    DIR/record.jsonl                            one line for each task, finished sample and run
    DIR/results/TASK/seed_S/sample_I.py         each program
    DIR/report.{html,md,json}, metrics.csv, tasks.csv

The record is only ever appended to. Each line is written whole, and a sample counts as done once
its line is on the disk. A line that a killed process left unfinished is cut off when the run
resumes.
"""

import mmap
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from steelyard._replaced_files import replacing
from steelyard.errors import ArtefactError, UsageError
from steelyard.evaluation._record import HEAD, RECORD, Line, last_run, place_of, read_head
from steelyard.journal import locked
from steelyard.schemas import EvaluatedRun, EvaluatedSample, EvaluationHead

_SYNC_S = 0.5


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
        file = place_of(sample) / name
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
