"""The folder of a training run. Each file appears whole, or line by line.

    DIR/run.json                    what shapes the run: it resumes only with the same
    DIR/cycle_C/samples.jsonl       what the model sampled, a line as soon as it is there
    DIR/cycle_C/judged.jsonl        the same with rewards
    DIR/cycle_C/kept.jsonl          what the cycle learned from
    DIR/cycle_C/held_out_samples.jsonl, held_out.jsonl
                                    samples of held-out prompts, without and with rewards
    DIR/cycle_C/trainer/            checkpoints within the training of this cycle
    DIR/cycle_C/model/              the model after the cycle
    DIR/cycle_C/cycle.json          its figures; the cycle is complete once it is there
    DIR/history.json, report.html, prompt_stats.json

Cycle 0 is the model before training.
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from steelyard._replaced_files import replacing
from steelyard.errors import ArtefactError, UsageError
from steelyard.runs import locked
from steelyard.schemas import TrainingCycle, TrainingSample

R = TypeVar("R")

_HEAD = "run.json"
_CYCLE, _SHAPE = TypeAdapter(TrainingCycle), TypeAdapter(dict[str, Any])


class RunFolder:
    """A run's folder, open for writing by this process alone.

    Args:
        path: The folder.
        head: What shapes the run.
        resume: The folder holds the run to resume.

    Raises:
        UsageError: if the folder holds a run and `resume` is false, holds none or another one and
            it is true, or another process uses it.
        ArtefactError: if it cannot be written.
    """

    def __init__(self, path: Path, head: dict[str, Any], *, resume: bool) -> None:
        self.path, self._begun = path, not resume
        check_run(path, head, resume=resume)
        with disk_faults(path, resume=False):
            path.mkdir(parents=True, exist_ok=True)
        self._lock = locked(path, "output_dir")
        try:
            if not resume:  # before the model is open: a run that is killed then can be resumed
                self.write(_HEAD, json.dumps(head, indent=1))
            with suppress(OSError):
                for part in path.glob("**/.steelyard-*"):  # of a process that was killed
                    part.unlink()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if self._begun and isinstance(error, UsageError) and not any(self.path.glob("cycle_*")):
            (self.path / _HEAD).unlink()  # such as for a model that cannot be opened
        self.close()

    def close(self) -> None:
        """Let other processes write."""
        os.close(self._lock)

    def cycle(self, number: int) -> Path:
        """Return the folder of a cycle, which exists then."""
        folder = self.path / f"cycle_{number}"
        with disk_faults(folder):
            folder.mkdir(exist_ok=True)
        return folder

    def done(self) -> tuple[TrainingCycle, ...]:
        """Return the complete cycles, from 0.

        Raises:
            UsageError: if a cycle's figures cannot be read.
        """
        found: list[TrainingCycle] = []
        while (file := self.path / f"cycle_{len(found)}" / "cycle.json").exists():
            found.append(read_file(file, _CYCLE, "remove it to repeat the end of that cycle"))
        return tuple(found)

    def checkpoint(self) -> tuple[int, Path] | None:
        """Return the last cycle that has a model, with that model; None before the first training.

        Raises:
            UsageError: if the model of the last complete cycle is missing.
        """
        last = max(self.models(), default=None)
        complete = len(self.done()) - 1
        if complete > (0 if last is None else last[0]):
            raise UsageError(
                f"{self.path / f'cycle_{complete}' / 'model'} is missing, and cycle {complete} is "
                "complete; remove its cycle.json to train that cycle again"
            )
        return last

    def write(self, name: str, text: str) -> None:
        """Write a file whole.

        Raises:
            ArtefactError: if it cannot be written.
        """
        file = self.path / name
        with disk_faults(file), replacing(file) as out:
            out.buffer.write(text.encode("utf-8", "surrogateescape"))

    def samples(self, name: str) -> list[TrainingSample]:
        """Return the samples of a file; an unfinished last line is cut off, and none if no file.

        Raises:
            UsageError: if a line cannot be read.
        """
        file = self.path / name
        if not file.exists():
            return []
        data = file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole != len(data):
            with disk_faults(file):
                os.truncate(file, whole)
        found: list[TrainingSample] = []
        for number, line in enumerate(data[:whole].splitlines(), 1):
            try:
                found.append(TrainingSample.model_validate_json(line))
            except ValidationError as error:
                raise UsageError(
                    f"{file}:{number} is not a sample; remove the file, and resume"
                ) from error
        return found

    def append(self, name: str, samples: Iterable[TrainingSample]) -> None:
        """Add samples to a file; they are on the disk then.

        Raises:
            ArtefactError: if they cannot be written.
        """
        file = self.path / name
        with disk_faults(file), file.open("ab") as stream:
            stream.write(_lines_of(samples).encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())

    def write_samples(self, name: str, samples: Iterable[TrainingSample]) -> None:
        """Write a file of samples whole.

        Raises:
            ArtefactError: if it cannot be written.
        """
        self.write(name, _lines_of(samples))

    def models(self) -> Iterator[tuple[int, Path]]:
        """Yield each cycle that has a model, from the first, with the model's folder."""
        names = (each.name.removeprefix("cycle_") for each in self.path.glob("cycle_*"))
        for number in sorted(int(each) for each in names if each.isdecimal()):
            folder = self.path / f"cycle_{number}" / "model"
            if folder.exists():
                yield number, folder

    def drop_trainer(self, cycle: int) -> None:
        """Remove the checkpoints within the training of a cycle; its model is saved."""
        shutil.rmtree(self.path / f"cycle_{cycle}" / "trainer", ignore_errors=True)

    def drop_models(self, keep: set[int]) -> None:
        """Remove the models of all cycles but these."""
        for number, folder in list(self.models()):
            if number not in keep:
                shutil.rmtree(folder, ignore_errors=True)


def _lines_of(samples: Iterable[TrainingSample]) -> str:
    return "".join(f"{each.model_dump_json(exclude_defaults=True)}\n" for each in samples)


@contextmanager
def disk_faults(file: Path, *, resume: bool = True) -> Iterator[None]:
    """Turn a fault of the disk into one line.

    Libraries in Rust and C++ report a full disk by exceptions of their own, so the message counts.

    Raises:
        ArtefactError: for a fault of the disk.
    """
    after = "then resume" if resume else "or choose another output_dir"
    try:
        yield
    except OSError as error:
        raise ArtefactError(
            f"{file} cannot be written: {error.strerror or error}; free disk space, {after}"
        ) from error
    except Exception as error:
        if any(each in str(error).lower() for each in ("no space left", "os error 28", "enospc")):
            raise ArtefactError(
                f"{file} cannot be written: no space left; free disk space, {after}"
            ) from error
        raise


def read_file(file: Path, form: TypeAdapter[R], advice: str) -> R:
    """Return what a JSON file of a run holds.

    Raises:
        UsageError: if it cannot be read; the message ends with the advice.
    """
    try:
        return form.validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise UsageError(f"{file} cannot be read; {advice}") from error


def check_run(path: Path, head: dict[str, Any], *, resume: bool) -> None:
    """Refuse a folder in which a run can be neither begun nor resumed; nothing is written.

    Raises:
        UsageError: as for `RunFolder`.
    """
    held = (path / _HEAD).exists()
    if held and not resume:
        raise UsageError(
            f"{path} holds a run; resume it with --resume {path}, or choose another output_dir"
        )
    if resume and not held:
        raise UsageError(f"{path} holds no run to resume; give a run's folder")
    above = next(each for each in (path, *path.absolute().parents) if os.path.lexists(each))
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        why = "cannot be written to" if above.is_dir() else "is not a folder"
        raise UsageError(f"output_dir is {path}, and {above} {why}; choose another output_dir")
    if not resume:
        return
    had = read_file(path / _HEAD, _SHAPE, "choose another output_dir")
    now = json.loads(json.dumps(head))
    for name in [*now, *had]:
        if had.get(name) != now.get(name):
            raise UsageError(
                f"{path} holds another run: {name} is {_short(had.get(name))} there and "
                f"{_short(now.get(name))} here; choose another output_dir"
            )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
