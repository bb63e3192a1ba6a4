"""Choose the tasks of an evaluation, and report what is left out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from steelyard.datasets import Benchmark
from steelyard.errors import UsageError
from steelyard.evaluation._options import EvaluateOptions
from steelyard.evaluation._samples import SampleFile
from steelyard.rendering import counted
from steelyard.schemas import RowFault, Task
from steelyard.toolchains import language_called

_MOST_FAULTS = 1_000


@dataclass(slots=True)
class Faults:
    """The rows that are left out: the first ones, and the number of all."""

    rows: list[RowFault] = field(default_factory=list)
    count: int = 0

    def add(self, fault: RowFault) -> None:
        """Count a row."""
        self.count += 1
        if len(self.rows) < _MOST_FAULTS:
            self.rows.append(fault)


@dataclass(frozen=True, slots=True)
class Choice:
    """The tasks to evaluate."""

    tasks: Mapping[str, None]
    """Their ids, in the benchmark's order."""
    samples: int
    """Number of samples of all of them."""
    selected: int
    """Number of tasks of the selection, with and without samples."""
    notes: tuple[str, ...]
    """What the selection leaves out, one line each."""


def choose(
    benchmark: Benchmark, samples: SampleFile | None, options: EvaluateOptions, faults: Faults
) -> Choice:
    """Return the selected tasks; with samples, those that have one.

    Args:
        benchmark: Its rows are read once.
        samples: None if programs are yet to be written.
        options: The options of the run.
        faults: Receives each row that is left out.

    Raises:
        UsageError: if selected tasks have no sample, and `allow_missing` is False; for a language
            other than a task's.
    """
    seen: set[str] = set()
    selection = options.selection()
    selected: dict[str, None] = {}
    for task in selection.of(_once(benchmark, seen, faults)):
        selected[task.id] = None
        _check_language(task, options.language)
        if samples is not None:
            _leave_other_languages_out(task, samples, faults)
    notes = []
    for count, why in (
        (selection.undated, "without a date of publication"),
        (selection.outside, "published outside it"),
    ):
        if count:
            notes.append(f"the window leaves out {counted(count, 'task')} {why}")
    if samples is None:
        written = len(selected) * len(options.seeds) * options.n
        return Choice(selected, written, len(selected), tuple(notes))
    if selection.limit is None:  # all ids are known then
        for name in samples.by_task.keys() - seen:
            file, _, row = samples.by_task[name][0].place.rpartition(":")
            left = counted(len(samples.by_task[name]), "sample")
            message = f"{benchmark.name} has no task {name!r}: {left} left out"
            faults.add(RowFault(file=file, row=int(row), message=message))
    without = [name for name in selected if name not in samples.by_task]
    if without:
        missing = f"{len(without):,} of {len(selected):,} tasks have no sample"
        if not options.allow_missing and len(without) < len(selected):
            first = f" (the first row left out is {faults.rows[0]})" if faults.rows else ""
            raise UsageError(
                f"{missing}: {_some(without)}{first}; add their samples, choose tasks with "
                "--filter, or evaluate the others with --allow-missing"
            )
        notes.append(f"{missing}, and are in no metric: {_some(without)}")
    if samples.repeated:
        notes.append(
            f"{counted(samples.repeated, 'sample')} with the text of an earlier one of the same "
            "task: all count, and the text is judged once"
        )
    chosen = {name: None for name in selected if name in samples.by_task}
    given = sum(len(samples.by_task[name]) for name in chosen)
    return Choice(chosen, given, len(selected), tuple(notes))


def _once(benchmark: Benchmark, seen: set[str], faults: Faults) -> Iterator[Task]:
    """Yield each task once, by its id."""
    for task in benchmark.outlines(faults.add):
        if task.id in seen:
            origin = task.provenance
            message = f"task {task.id!r} comes a second time; the first one counts"
            faults.add(RowFault(file=origin.file, row=origin.row, message=message))
            continue
        seen.add(task.id)
        yield task


def _check_language(task: Task, given: str | None) -> None:
    own = task.language or (None if task.entry == "stdio" else "python")
    if given and own and language_called(given) != language_called(own):
        raise UsageError(
            f"{task.id} is for {own}, not for {given}; leave the language out, or the task"
        )


def _leave_other_languages_out(task: Task, samples: SampleFile, faults: Faults) -> None:
    """Leave samples out that state another language than their task."""
    kept = []
    for sample in samples.by_task.pop(task.id, []):
        try:
            _check_language(task, sample.language)
            kept.append(sample)
        except UsageError as error:
            file, _, row = sample.place.rpartition(":")
            faults.add(
                RowFault(file=file, row=int(row), message=f"the sample is left out: {error}")
            )
    if kept:
        samples.by_task[task.id] = kept


def _some(names: list[str], most: int = 5) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest:,} more" if rest > 0 else "")
