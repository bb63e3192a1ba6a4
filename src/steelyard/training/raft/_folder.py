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

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from steelyard.errors import UsageError
from steelyard.runs import HEAD, ResultsFolder, holds_results, read_lines, read_record
from steelyard.schemas import TrainingCycle, TrainingSample

_SAMPLE = TypeAdapter(TrainingSample)
_OPTION = "output_dir"


class RaftFolder(ResultsFolder):
    """A run's folder, open for writing by this process alone.

    Args:
        path: The folder.
        shape: What shapes the run.
        resume: The folder holds the run to resume.

    Raises:
        UsageError: if the folder holds a run and `resume` is false, holds none or another one and
            it is true, or another process uses it.
        ArtefactError: if it cannot be written.
    """

    def __init__(self, path: Path, shape: Mapping[str, Any], *, resume: bool) -> None:
        check_run(path, shape, resume=resume)
        super().__init__(path, shape, _OPTION)

    def done(self) -> tuple[TrainingCycle, ...]:
        """Return the complete cycles, from 0.

        Raises:
            UsageError: if a cycle's figures cannot be read.
        """
        found: list[TrainingCycle] = []
        while (file := self.path / f"cycle_{len(found)}" / "cycle.json").exists():
            found.append(read_record(file, TrainingCycle))
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

    def samples(self, name: str) -> list[TrainingSample]:
        """Return the samples of a file; none if there is no file.

        Raises:
            UsageError: if a line cannot be read.
        """
        self.cut_torn_line(name)
        return list(read_lines(self.path / name, _SAMPLE))

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


def lines_of(samples: Iterable[TrainingSample]) -> str:
    """Return samples as lines of a file."""
    return "".join(f"{each.model_dump_json(exclude_defaults=True)}\n" for each in samples)


def check_run(path: Path, shape: Mapping[str, Any], *, resume: bool) -> None:
    """Refuse a folder in which a run can be neither begun nor resumed; nothing is written.

    Raises:
        UsageError: as for `RunFolder`.
    """
    if not resume and (path / HEAD).exists():
        raise UsageError(
            f"{path} holds a run; resume it with --resume {path}, or choose another {_OPTION}"
        )
    if resume and not holds_results(path, shape, _OPTION):
        raise UsageError(f"{path} holds no run to resume; give a run's folder")
    above = next(each for each in (path, *path.absolute().parents) if os.path.lexists(each))
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        why = "cannot be written to" if above.is_dir() else "is not a folder"
        raise UsageError(f"{_OPTION} is {path}, and {above} {why}; choose another {_OPTION}")
