"""Run an evaluation: take the samples that have no verdict yet, judge them, and record each."""

from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from steelyard.datasets import Benchmark
from steelyard.errors import BudgetError, ModelError, TestsError, UsageError
from steelyard.evaluation._choice import Faults, choose
from steelyard.evaluation._folder import EvaluationFolder
from steelyard.evaluation._job_data import Solved, SuiteStrength
from steelyard.evaluation._jobs import Jobs, Waiting
from steelyard.evaluation._ledger import Ledger, twin
from steelyard.evaluation._options import EvaluateOptions
from steelyard.evaluation._outcomes import (
    broken_off,
    error_of,
    judged,
    solved,
    unjudged,
    without_program,
)
from steelyard.evaluation._progress import Progress
from steelyard.evaluation._samples import SampleFile
from steelyard.evaluation._solving import budgets_of, paid_for_all_usd
from steelyard.evaluation.engines import open_engine
from steelyard.rendering import counted
from steelyard.schemas import EngineResult, EvaluatedSample, VerifyResult

__all__ = ["Run"]

_MOST_BROKEN_OFF = 5
"""Runs of solve in a row that broke off, after which no other begins."""


@dataclass(slots=True)
class Run:
    """One evaluation, on its way."""

    benchmark: Benchmark
    samples: SampleFile | None
    options: EvaluateOptions
    folder: EvaluationFolder
    faults: Faults
    notes: list[str] = field(default_factory=list)
    complete: bool = True
    selected: int = 0
    """Number of tasks of the selection."""
    unpaid: list[str] = field(default_factory=list)
    """Why runs of solve ended on their budget without a program."""
    broken_off: list[str] = field(default_factory=list)
    """The reasons of the latest runs of solve, as long as each of them broke off."""

    def go(self) -> None:
        """Judge all that has no verdict yet.

        Raises:
            UsageError: if no task is selected, or the engine cannot be used.
            InfrastructureError: if the machine failed; what is recorded is kept.
        """
        options = self.options
        choice = choose(self.benchmark, self.samples, options, self.faults)
        self.notes += choice.notes
        self.selected = choice.selected
        if not choice.tasks:
            rows = self.faults.rows
            first = f"; the first row left out is {rows[0]}" if rows else ""
            raise UsageError(
                f"no task of {self.benchmark.name} is to be evaluated{first}; check --filter, "
                "--after, --before and the task ids of the samples"
            )
        progress = Progress(options.emit)
        progress.total = choice.samples
        ledger = Ledger(self.folder, progress)
        jobs = Jobs(
            self.benchmark, choice.tasks, self.samples, options, self.folder.path, ledger, progress,
            waiting={}, blobs={}, strengthless={},
        )  # fmt: skip
        with ExitStack() as stack:
            engine = stack.enter_context(
                open_engine(
                    options.engine, jobs=options.jobs, require=options.require,
                    address=options.cluster,
                )
            )  # fmt: skip
            budgets = budgets_of(options, choice.samples, engine.nodes)
            todo = stack.enter_context(closing(jobs.of(budgets, stack)))
            limit = options.max_cost_usd if options.origin == "solve" else None
            progress.cost_usd = (
                paid_for_all_usd(self.folder.path) if options.origin == "solve" else 0.0
            )
            results = engine.run(
                todo, jobs.blobs, max_cost_usd=limit, spent_usd=progress.cost_usd,
                stop=lambda: len(self.broken_off) >= _MOST_BROKEN_OFF,
            )  # fmt: skip
            try:
                for result in results:
                    self._settle(result, jobs)
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
        if jobs.strengthless:
            name, why = next(iter(jobs.strengthless.items()))
            self.notes.append(
                "the strength of the tests is unknown for "
                f"{counted(len(jobs.strengthless), 'task')}, such as {name}: {why}"
            )

    def _settle(self, result: EngineResult, jobs: Jobs) -> None:
        """Record the samples that waited for a result, or what a task's tests are worth."""
        ledger, waiting = jobs.ledger, jobs.waiting.pop(result.key)
        if not waiting.stubs:
            self._settle_strength(waiting.prepared.task.id, result, jobs)
            return
        if result.error is not None or result.value is None:
            assert result.error is not None  # a result holds one of the two
            if result.error.type == TestsError.__name__:
                jobs.leave_out(waiting, result.error.message)
                return
            for stub in waiting.stubs:
                own = stub.model_copy(update={"node": result.node})
                ledger.add(unjudged(own, result.error, result.seconds))
            return
        first = waiting.stubs[0].model_copy(update={"node": result.node})
        prepared, program = waiting.prepared, waiting.program
        if self.options.origin == "solve" and first.role == "sample":
            jobs.progress.cost_usd += result.cost_usd
            done = Solved.model_validate(result.value)
            if self._breaks_off(first, done, ledger):
                return
            line, program = _of_solve(first, waiting, done)
        else:
            verdict = VerifyResult.model_validate(result.value)
            line = judged(first, prepared, verdict)
        ledger.verdicts[result.key] = line
        ledger.add(line, program)
        for stub in waiting.stubs[1:]:
            ledger.add(twin(line, stub), program)

    def _settle_strength(self, task: str, result: EngineResult, jobs: Jobs) -> None:
        if result.error is not None:
            jobs.strengthless[task] = result.error.message
            return
        strength = SuiteStrength.model_validate(result.value)
        if strength.unknown:
            jobs.strengthless[task] = strength.unknown
        else:
            jobs.ledger.add_strength(task, strength)

    def _breaks_off(self, stub: EvaluatedSample, done: Solved, ledger: Ledger) -> bool:
        """Return True if a run of solve has earned no verdict; the next run resumes it."""
        why = broken_off(done.run)
        if why is None:
            self.broken_off.clear()
            return False
        self.broken_off.append(f"{stub.task}: {why}")
        if isinstance(why, BudgetError):
            self.unpaid.append(f"{stub.task}: {why}")
        else:
            spent = done.run.spending
            costs = {"cost_usd": spent.cost_usd, "tokens_in": spent.tokens_in,
                     "tokens_out": spent.tokens_out}  # fmt: skip
            ledger.add(unjudged(stub.model_copy(update=costs), error_of(why), done.run.seconds))
        return True

    def _stop(self, why: str) -> None:
        self.complete = False
        self.notes.append(f"the run stopped early: {why}")


def _of_solve(stub: EvaluatedSample, waiting: Waiting, done: Solved) -> tuple[EvaluatedSample, str]:
    """Return the line of a run of solve, and its program."""
    prepared, code = waiting.prepared, done.run.code
    if code is not None:
        stub = stub.model_copy(update={"language": code.language})
    if done.judged is None:
        line = without_program(stub, prepared.line.cases, done.run.reason)
    else:
        line = judged(stub, prepared, done.judged)
    return solved(line, done.run), code.code_cpp if code is not None else ""
