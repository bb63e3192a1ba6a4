"""Run an evaluation: take the samples that have no verdict yet, judge them, and record each."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from steelyard.datasets import Benchmark, with_sized_tests
from steelyard.errors import BudgetError, ModelError, TestsError, UsageError
from steelyard.evaluation._folder import EvaluationFolder, Ledger, SampleProgress, twin
from steelyard.evaluation._options import EvaluateOptions
from steelyard.evaluation._outcomes import (
    broken_off,
    error_of,
    judged,
    paid_for,
    solved,
    unjudged,
    without_program,
)
from steelyard.evaluation._samples import SampleFile, program_of
from steelyard.evaluation._tasks import Choice, LeftOutRows, ReadyTask, choose, prepare, suite_job
from steelyard.evaluation._worker import SolveResult, SuiteResult
from steelyard.evaluation._writing import (
    Budgets,
    SampleWriter,
    Written,
    budgets_of,
    paid_for_all_usd,
    solve_job,
)
from steelyard.evaluation.engines import open_engine
from steelyard.reports import counted
from steelyard.schemas import (
    EngineJob,
    EngineResult,
    EvaluatedSample,
    EvaluatedTask,
    RowFault,
    VerifyResult,
)
from steelyard.toolchains import language_called

_MOST_REFERENCES = 8
_NO_KEY = "0" * 64
_MOST_BROKEN_OFF = 5
"""Runs of solve in a row that broke off, after which no other begins."""


@dataclass(slots=True)
class _Waiting:
    """The samples that wait for one job: those with equal programs are judged once.

    A job that measures the tests of a task has none.
    """

    prepared: ReadyTask
    stubs: list[EvaluatedSample]
    program: str


@dataclass(slots=True)
class EvaluationRun:
    """One evaluation, on its way."""

    benchmark: Benchmark
    samples: SampleFile | None
    options: EvaluateOptions
    folder: EvaluationFolder
    faults: LeftOutRows
    notes: list[str] = field(default_factory=list)
    complete: bool = True
    unpaid: list[str] = field(default_factory=list)
    """Why runs of solve ended on their budget without a program."""
    broken_off: list[str] = field(default_factory=list)
    """The reasons of the latest runs of solve, as long as each of them broke off."""
    choice: Choice = field(init=False)
    """The tasks to evaluate."""
    waiting: dict[str, _Waiting] = field(default_factory=dict)
    """By key, until their results are there."""
    blobs: dict[str, bytes] = field(default_factory=dict)
    """By SHA-256: what jobs name."""
    strengthless: dict[str, str] = field(default_factory=dict)
    """By task: the reason why the strength of its tests is unknown."""
    progress: SampleProgress = field(init=False)
    ledger: Ledger = field(init=False)

    def go(self) -> None:
        """Judge all that has no verdict yet.

        Raises:
            UsageError: if no task is selected, or the engine cannot be used.
            InfrastructureError: if the machine failed; what is recorded is kept.
        """
        options = self.options
        choice = self.choice = choose(self.benchmark, self.samples, options, self.faults)
        self.notes += choice.notes
        if not choice.tasks:
            rows = self.faults.rows
            first = f"; the first row left out is {rows[0]}" if rows else ""
            raise UsageError(
                f"no task of {self.benchmark.name} is to be evaluated{first}; check --filter, "
                "--after, --before and the task ids of the samples"
            )
        self.progress = SampleProgress(options.emit, choice.samples)
        self.ledger = Ledger(self.folder, self.progress)
        with ExitStack() as stack:
            engine = stack.enter_context(
                open_engine(
                    options.engine,
                    jobs=options.jobs,
                    require=options.require,
                    address=options.cluster,
                )
            )
            budgets = budgets_of(options, choice.samples, engine.nodes)
            todo = stack.enter_context(closing(self._jobs(budgets, stack)))
            solves = options.origin == "solve"
            self.progress.cost_usd = paid_for_all_usd(self.folder.path) if solves else 0.0
            results = engine.run(
                todo,
                self.blobs,
                max_cost_usd=options.max_cost_usd if solves else None,
                spent_usd=self.progress.cost_usd,
                stop=lambda: len(self.broken_off) >= _MOST_BROKEN_OFF,
            )
            try:
                for result in results:
                    self._settle(result)
            except (BudgetError, ModelError) as error:
                self._stop(str(error))
            if len(self.broken_off) >= _MOST_BROKEN_OFF:
                self._stop(
                    f"{len(self.broken_off)} runs of solve in a row broke off; the last one is "
                    f"{self.broken_off[-1]}"
                )
            if self.unpaid:
                self._stop(
                    f"{counted(len(self.unpaid), 'run')} of solve without a program at the end of "
                    f"the budget, such as {self.unpaid[0]}"
                )
        if self.strengthless:
            name, why = next(iter(self.strengthless.items()))
            self.notes.append(
                "the strength of the tests is unknown for "
                f"{counted(len(self.strengthless), 'task')}, such as {name}: {why}"
            )

    def _settle(self, result: EngineResult) -> None:
        """Record the samples that waited for a result, or what a task's tests are worth."""
        waiting = self.waiting.pop(result.key)
        if not waiting.stubs:
            self._settle_strength(waiting.prepared.task.id, result)
            return
        if result.error is not None:
            if result.error.type == TestsError.__name__:
                # The task's tests cannot run, which no sample is to blame for.
                self._know(waiting.prepared.task.id, fault=result.error.message)
                self.progress.total -= sum(stub.role == "sample" for stub in waiting.stubs)
                return
            for stub in waiting.stubs:
                own = stub.model_copy(update={"node": result.node})
                self.ledger.add(unjudged(own, result.error, result.seconds))
            return
        first = waiting.stubs[0].model_copy(update={"node": result.node})
        prepared, program = waiting.prepared, waiting.program
        if self.options.origin == "solve" and first.role == "sample":
            self.progress.cost_usd += result.cost_usd
            done = SolveResult.model_validate(result.value)
            if self._breaks_off(first, done):
                return
            line, program = _of_solve(first, waiting, done)
        else:
            line = judged(first, prepared, VerifyResult.model_validate(result.value))
        self.ledger.verdicts[result.key] = line
        self.ledger.add(line, program)
        for stub in waiting.stubs[1:]:
            self.ledger.add(twin(line, stub), program)

    def _settle_strength(self, task: str, result: EngineResult) -> None:
        if result.error is not None:
            self.strengthless[task] = result.error.message
        else:
            strength = SuiteResult.model_validate(result.value)
            self._know(task, mutants=strength.mutants, mutants_killed=strength.killed)

    def _know(self, task: str, **found: object) -> None:
        """Record what has been found out about a task."""
        self.ledger.add_task(self.ledger.tasks[task].model_copy(update=found))

    def _breaks_off(self, stub: EvaluatedSample, done: SolveResult) -> bool:
        """Return True if a run of solve has earned no verdict; the next run resumes it."""
        why = broken_off(done.run)
        if why is None:
            self.broken_off.clear()
            return False
        self.broken_off.append(f"{stub.task}: {why}")
        if isinstance(why, BudgetError):
            self.unpaid.append(f"{stub.task}: {why}")
        else:
            own = paid_for(stub, done.run.spending)
            self.ledger.add(unjudged(own, error_of(why), done.run.seconds))
        return True

    def _stop(self, why: str) -> None:
        self.complete = False
        self.notes.append(f"the run stopped early: {why}")

    # ------------------------------------------------------------------------------- the jobs

    def _jobs(self, budgets: Budgets, stack: ExitStack) -> Generator[EngineJob | None, None, None]:
        """Yield all jobs, each made shortly before its turn; None: a model still writes the next.

        Args:
            budgets: What each run of solve may cost.
            stack: Closes what is opened.
        """
        if self.samples is not None:
            yield from self._of_samples(self.samples)
        elif self.options.origin == "solve":
            yield from self._of_solving(budgets)
        else:
            yield from self._of_model(stack)

    def _prepared(self) -> Iterator[ReadyTask]:
        """Yield each chosen task, ready; record why one cannot be judged."""
        left = dict(self.choice.tasks)
        for task in self.benchmark.outlines(_ignore):
            if task.id not in left:
                continue
            del left[task.id]
            ready = prepare(with_sized_tests(task, pool=self.options.pool), self.options)
            line = ready if isinstance(ready, EvaluatedTask) else ready.line
            earlier = self.ledger.tasks.get(task.id)
            if earlier is None or earlier.digest != line.digest or earlier.fault:
                self.ledger.add_task(line)
            if isinstance(ready, EvaluatedTask):
                self.progress.total -= (
                    len(self.samples.by_task[task.id])
                    if self.samples is not None
                    else self.options.n * len(self.options.seeds)
                )
            else:
                self.blobs[ready.digest] = ready.blob
                yield ready
            if not left:
                return

    def _of_task(self, prepared: ReadyTask) -> Iterator[EngineJob]:
        """Yield the jobs of a task itself: the strength of its tests, and its references."""
        if self.options.mutants and self.ledger.tasks[prepared.task.id].mutants is None:
            job = suite_job(prepared, self.options)
            if isinstance(job, str):
                self.strengthless[prepared.task.id] = job
            else:
                self.waiting[job.key] = _Waiting(prepared, [], "")
                yield job
        yield from self._of_references(prepared)

    def _of_samples(self, samples: SampleFile) -> Iterator[EngineJob]:
        for prepared in self._prepared():
            yield from self._of_task(prepared)
            for sample in samples.by_task[prepared.task.id]:
                stub = EvaluatedSample(
                    key=_NO_KEY,
                    task=sample.task,
                    seed=sample.seed,
                    sample=sample.sample,
                    language=self._language(prepared, sample.language),
                )
                yield from self._of_program(prepared, stub, program_of(sample, prepared.task))

    def _of_references(self, prepared: ReadyTask) -> Iterator[EngineJob]:
        if not self.options.efficiency:
            return
        right = [
            (each.source, language)
            for each in prepared.task.solutions
            # CodeContests has programs in Python 2, among others, which no toolchain runs.
            if each.label == "right" and (language := language_called(each.language))
        ]
        for index, (source, language) in enumerate(right[:_MOST_REFERENCES]):
            stub = EvaluatedSample(
                key=_NO_KEY,
                task=prepared.task.id,
                sample=index,
                role="reference",
                language=language,
            )
            yield from self._of_program(prepared, stub, source)

    def _of_model(self, stack: ExitStack) -> Iterator[EngineJob | None]:
        assert self.options.model is not None
        writer = stack.enter_context(
            SampleWriter(self.options.model, self.folder.path, self.options, stack)
        )
        of_tasks: list[EngineJob] = []

        def wanted() -> Iterator[tuple[ReadyTask, EvaluatedSample]]:
            for prepared in self._prepared():
                of_tasks.extend(self._of_task(prepared))
                yield from ((prepared, stub) for stub in self._unwritten(prepared))

        for written in writer.write(wanted()):
            yield from of_tasks
            of_tasks.clear()
            self.progress.cost_usd = writer.budget.spent.cost_usd or 0.0
            if written is None:
                yield None
            else:
                yield from self._of_written(written)
        yield from of_tasks

    def _of_written(self, written: Written) -> Iterator[EngineJob]:
        if written.error is None:
            yield from self._of_program(written.prepared, written.stub, written.program)
            return
        key = written.prepared.key("", written.stub.language)
        stub = written.stub.model_copy(update={"key": key})
        if isinstance(written.error, ModelError):
            self.ledger.add(unjudged(stub, error_of(written.error)))
        else:
            self.ledger.add(without_program(stub, written.prepared.line.cases, str(written.error)))

    def _of_solving(self, budgets: Budgets) -> Iterator[EngineJob]:
        for prepared in self._prepared():
            yield from self._of_task(prepared)
            for stub in self._unwritten(prepared):
                job = solve_job(prepared, stub, self.options, self.folder.path, budgets)
                self.waiting[job.key] = _Waiting(
                    prepared, [stub.model_copy(update={"key": job.key})], ""
                )
                yield job

    def _unwritten(self, prepared: ReadyTask) -> Iterator[EvaluatedSample]:
        """Yield the samples of a task that have no verdict yet."""
        language = self._language(prepared, None)
        for seed in self.options.seeds:
            for index in range(self.options.n):
                stub = EvaluatedSample(
                    key=_NO_KEY, task=prepared.task.id, seed=seed, sample=index, language=language
                )
                if self.ledger.has(stub):
                    self.progress.skip()
                else:
                    yield stub

    def _language(self, prepared: ReadyTask, own: str | None) -> str:
        named = own or self.options.language or prepared.task.language or "python"
        return language_called(named) or named

    def _of_program(
        self, prepared: ReadyTask, stub: EvaluatedSample, program: str
    ) -> Iterator[EngineJob]:
        """Yield the job of a program, unless its verdict is known or on its way."""
        key = prepared.key(program, stub.language)
        stub = stub.model_copy(update={"key": key})
        if self.ledger.has(stub, key):
            if stub.role == "sample":
                self.progress.skip()
            return
        known, waiting = self.ledger.verdicts.get(key), self.waiting.get(key)
        if known is not None:
            self.ledger.add(twin(known, stub), program)
        elif waiting is not None:
            waiting.stubs.append(stub)
        else:
            self.waiting[key] = _Waiting(prepared, [stub], program)
            yield prepared.judge_job(stub, program)


def _of_solve(
    stub: EvaluatedSample, waiting: _Waiting, done: SolveResult
) -> tuple[EvaluatedSample, str]:
    """Return the line of a run of solve, and its program."""
    prepared, code = waiting.prepared, done.run.code
    if code is not None:
        stub = stub.model_copy(update={"language": code.language})
    if done.judged is None:
        line = without_program(stub, prepared.line.cases, done.run.reason)
    else:
        line = judged(stub, prepared, done.judged)
    return solved(line, done.run), code.code_cpp if code is not None else ""


def _ignore(_: RowFault) -> None:
    """Leave a faulty row out: the selection has reported it."""
