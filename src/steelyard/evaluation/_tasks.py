"""Choose the tasks of an evaluation, and make each ready: its suite, its digest, its jobs."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from steelyard import __version__
from steelyard.datasets import Benchmark
from steelyard.errors import SteelyardError, UsageError
from steelyard.evaluation._options import EvaluateOptions
from steelyard.evaluation._samples import SampleFile
from steelyard.evaluation._worker import JudgeData, SuiteData
from steelyard.judging import loaded, task_limits
from steelyard.reports import counted
from steelyard.schemas import (
    EngineJob,
    EvaluatedSample,
    EvaluatedTask,
    Limits,
    RowFault,
    Task,
    TestSuite,
    canonical_json,
    sha256_of,
)
from steelyard.toolchains import language_called

_MOST_FAULTS = 1_000


@dataclass(slots=True)
class LeftOutRows:
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
    benchmark: Benchmark, samples: SampleFile | None, options: EvaluateOptions, faults: LeftOutRows
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


def _once(benchmark: Benchmark, seen: set[str], faults: LeftOutRows) -> Iterator[Task]:
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


def _leave_other_languages_out(task: Task, samples: SampleFile, faults: LeftOutRows) -> None:
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


_UNUSED: dict[str, object] = {
    "solutions": (),
    "extra": {},
    "prompt": "",
    "starter_code": "",
    "input_generator": None,
}
"""Fields that judging does not read: they are not sent to nodes."""
_STATEMENT_CHARS = 20_000
_MOST_MS = 86_000_000


@dataclass(frozen=True, slots=True)
class ReadyTask:
    """A task that is ready to be judged."""

    task: Task
    line: EvaluatedTask
    digest: str
    """SHA-256 of the blob that nodes receive."""
    blob: bytes
    suite: TestSuite
    """Its tests as they are run, which `task` itself does not hold."""
    data: JudgeData
    """The data of its jobs, without a program."""

    def key(self, program: str, language: str | None, *, origin: str = "") -> str:
        """Return the SHA-256 of everything that shapes a program's verdict.

        Args:
            program: Its text.
            language: Its language.
            origin: For a program that is not written yet, what it will be written by.
        """
        shaping = self.data.model_dump(mode="json", exclude={"program", "language"})
        return sha256_of(
            canonical_json(
                {
                    **shaping,
                    "suite": self.line.suite,
                    "program": hashlib.sha256(
                        program.encode("utf-8", "surrogateescape")
                    ).hexdigest(),
                    "language": language,
                    "origin": origin,
                    "judge": __version__,
                }
            )
        )

    def judge_job(self, stub: EvaluatedSample, program: str) -> EngineJob:
        """Return the job that judges a program."""
        data = self.data.model_copy(
            update={"program": program, "language": stub.language or None}
        ).model_dump(mode="json")
        return EngineJob(key=stub.key, kind="judge", data=data, blobs=(self.digest,))


def own_seed(stub: EvaluatedSample) -> int:
    """Return the seed of one sample: with one seed for all, all samples would be alike."""
    return (stub.seed * 65_537 + stub.sample) % (1 << 31)


def prepare(task: Task, options: EvaluateOptions) -> ReadyTask | EvaluatedTask:
    """Return a task ready to be judged, or its line with the reason why it is left out."""
    lean = task.model_copy(update=_UNUSED)
    blob = lean.model_dump_json().encode()
    digest = hashlib.sha256(blob).hexdigest()
    limits = task_limits(task, options.limits)
    given = options.limits or Limits()  # which sets `wall_ms` by itself
    sets_time = "cpu_ms" in given.model_fields_set or given.wall_ms != Limits().wall_ms
    line = EvaluatedTask(
        task=task.id,
        digest=sha256_of(task.model_dump_json()),
        statement=task.prompt[:_STATEMENT_CHARS],
        suite="0" * 64,
        cases=0,
        group=task.group,
        difficulty=task.difficulty,
        time_complexity=task.time_complexity,
        published=task.published,
        time_limit_ms=limits.cpu_ms,
        memory_limit_mib=limits.memory_mib,
        limits_stated=task.time_limit_ms is not None or sets_time,
    )
    try:
        suite = loaded(task).suite
    except SteelyardError as error:
        return line.model_copy(update={"fault": str(error)})
    if not suite.cases:
        return line.model_copy(update={"fault": "it has no tests"})
    if options.origin == "solve" and task.entry != "stdio":
        fault = f"it calls {task.entry}, and solve writes programs that read standard input"
        return line.model_copy(update={"fault": f"{fault}; evaluate it with a model"})
    slack_ms = round(limits.cpu_ms * options.slack)
    data = JudgeData(
        task=digest,
        program="",
        limits=limits if options.slack == 1 else limits.replace(cpu_ms=min(slack_ms, _MOST_MS)),
        fail_fast=not options.all_cases,
        repeats=options.repeats,
    )
    return ReadyTask(
        task=task.model_copy(update={"tests": ()}),
        line=line.model_copy(update={"suite": suite.digest, "cases": len(suite)}),
        digest=digest,
        blob=blob,
        suite=suite,
        data=data,
    )


def suite_job(prepared: ReadyTask, options: EvaluateOptions) -> EngineJob | str:
    """Return the job that measures a task's tests, or the reason why they cannot be measured."""
    task = prepared.task
    if task.checker is not None:
        return "a checker program decides its answers"
    reference = next(
        (each for each in task.solutions if each.label == "right" and each.language == "python"),
        None,
    )
    if reference is None:
        return "no right solution in Python is there to mutate"
    data = SuiteData(
        task=prepared.digest,
        reference=reference.source,
        mutants=options.mutants,
        limits=prepared.data.limits,
    ).model_dump(mode="json")
    key = sha256_of(canonical_json({**data, "judge": __version__}))
    return EngineJob(key=key, kind="suite", data=data, blobs=(prepared.digest,))
