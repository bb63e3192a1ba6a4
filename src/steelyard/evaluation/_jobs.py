"""The jobs of an evaluation: the programs that have no verdict yet."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from steelyard.datasets import Benchmark, with_sized_tests
from steelyard.errors import ModelError
from steelyard.evaluation._ledger import Ledger, twin
from steelyard.evaluation._options import EvaluateOptions
from steelyard.evaluation._outcomes import error_of, unjudged, without_program
from steelyard.evaluation._progress import Progress
from steelyard.evaluation._samples import SampleFile, program_of
from steelyard.evaluation._solving import Budgets, solve_job
from steelyard.evaluation._tasks import Prepared, prepare, suite_job
from steelyard.evaluation._writing import Writer, Written
from steelyard.schemas import (
    EngineJob,
    EvaluatedSample,
    EvaluatedTask,
    RowFault,
)
from steelyard.toolchains import language_called

__all__ = ["Jobs", "Waiting"]

_MOST_REFERENCES = 8
_NO_KEY = "0" * 64


@dataclass(slots=True)
class Waiting:
    """The samples that wait for one job: those with equal programs are judged once.

    A job that measures the tests of a task has none.
    """

    prepared: Prepared
    stubs: list[EvaluatedSample]
    program: str


@dataclass(slots=True)
class Jobs:
    """Makes the jobs of one run, each shortly before its turn."""

    benchmark: Benchmark
    chosen: Mapping[str, None]
    samples: SampleFile | None
    options: EvaluateOptions
    folder: Path
    ledger: Ledger
    progress: Progress
    waiting: dict[str, Waiting]
    """By key, until their results are there."""
    blobs: dict[str, bytes]
    """By SHA-256: what jobs name."""
    strengthless: dict[str, str]
    """By task: the reason why the strength of its tests is unknown."""

    def of(self, budgets: Budgets, stack: ExitStack) -> Generator[EngineJob | None, None, None]:
        """Yield all jobs; None means that a model is still writing the next program.

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

    def leave_out(self, waiting: Waiting, fault: str) -> None:
        """Record that a task's tests cannot run, which no sample is to blame for."""
        self.ledger.add_fault(waiting.prepared.task.id, fault)
        self.progress.total -= sum(stub.role == "sample" for stub in waiting.stubs)

    def _prepared(self) -> Iterator[Prepared]:
        """Yield each chosen task, ready; record why one cannot be judged."""
        left = dict(self.chosen)
        for task in self.benchmark.outlines(_ignore):
            if task.id not in left:
                continue
            del left[task.id]
            ready = prepare(with_sized_tests(task, pool=self.options.pool), self.options)
            if isinstance(ready, EvaluatedTask):
                self.ledger.add_task(ready)
                self.progress.total -= self._samples_of(task.id)
            else:
                self.ledger.add_task(ready.line)
                self.blobs[ready.digest] = ready.blob
                yield ready
            if not left:
                return

    def _samples_of(self, task: str) -> int:
        if self.samples is not None:
            return len(self.samples.by_task[task])
        return self.options.n * len(self.options.seeds)

    def _of_task(self, prepared: Prepared) -> Iterator[EngineJob]:
        """Yield the jobs of a task itself: the strength of its tests, and its references."""
        if self.options.mutants and self.ledger.tasks[prepared.task.id].mutants is None:
            job = suite_job(prepared, self.options)
            if isinstance(job, str):
                self.strengthless[prepared.task.id] = job
            else:
                self.waiting[job.key] = Waiting(prepared, [], "")
                yield job
        yield from self._of_references(prepared)

    def _of_samples(self, samples: SampleFile) -> Iterator[EngineJob]:
        for prepared in self._prepared():
            yield from self._of_task(prepared)
            for sample in samples.by_task[prepared.task.id]:
                language = self._language(prepared, sample.language)
                stub = EvaluatedSample(
                    key=_NO_KEY, task=sample.task, seed=sample.seed, sample=sample.sample,
                    language=language,
                )  # fmt: skip
                yield from self._of_program(prepared, stub, program_of(sample, prepared.task))

    def _of_references(self, prepared: Prepared) -> Iterator[EngineJob]:
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
                key=_NO_KEY, task=prepared.task.id, sample=index, role="reference",
                language=language,
            )  # fmt: skip
            yield from self._of_program(prepared, stub, source)

    def _of_model(self, stack: ExitStack) -> Iterator[EngineJob | None]:
        assert self.options.model is not None
        writer = stack.enter_context(Writer(self.options.model, self.folder, self.options, stack))
        of_tasks: list[EngineJob] = []

        def wanted() -> Iterator[tuple[Prepared, EvaluatedSample]]:
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
            cases = written.prepared.line.cases
            self.ledger.add(without_program(stub, cases, str(written.error)))

    def _of_solving(self, budgets: Budgets) -> Iterator[EngineJob]:
        for prepared in self._prepared():
            yield from self._of_task(prepared)
            for stub in self._unwritten(prepared):
                job = solve_job(prepared, stub, self.options, self.folder, budgets)
                keyed = stub.model_copy(update={"key": job.key})
                self.waiting[job.key] = Waiting(prepared, [keyed], "")
                yield job

    def _unwritten(self, prepared: Prepared) -> Iterator[EvaluatedSample]:
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

    def _language(self, prepared: Prepared, own: str | None) -> str:
        named = own or self.options.language or prepared.task.language or "python"
        return language_called(named) or named

    def _of_program(
        self, prepared: Prepared, stub: EvaluatedSample, program: str
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
            self.waiting[key] = Waiting(prepared, [stub], program)
            yield prepared.judge_job(stub, program)


def _ignore(_: RowFault) -> None:
    """Leave a faulty row out: the selection has reported it."""
