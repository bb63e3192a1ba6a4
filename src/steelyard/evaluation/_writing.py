"""Let a model, or runs of solve, write samples; no reply is paid for twice."""

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import Field

from steelyard.errors import BudgetError, ModelError, ReplyError, SteelyardError, TestsError
from steelyard.evaluation._folder import folder_of
from steelyard.evaluation._options import EvaluateOptions
from steelyard.evaluation._outcomes import paid_for
from steelyard.evaluation._tasks import ReadyTask, own_seed
from steelyard.evaluation._worker import SolveData, paid_usd
from steelyard.judging import as_entry, extract_tests
from steelyard.models import Budget, Model, Reply, Request, Role, Temperature
from steelyard.runs import HEAD, Run, exchanges_in, open_budget, open_models
from steelyard.schemas import (
    Constraints,
    EngineJob,
    EngineNode,
    EvaluatedSample,
    Limits,
    Message,
    ProblemInput,
    Record,
    TestSuite,
    UnitTest,
    canonical_json,
)
from steelyard.solving import SolveOptions
from steelyard.toolchains import find_toolchain

_AT_ONCE = 8
"""Requests to a model that are under way at once."""
_UNREACHABLE = 5
"""Errors of a model in a row after which no further request is made."""


class SampleReply(Record):
    """A program as a model writes it."""

    code: str = Field(min_length=1, max_length=500_000)


PROGRAMMER = Role(
    "programmer",
    "programmer",
    SampleReply,
    Temperature(0.8),
    32_768,
    program_field="code",
    folder=Path(__file__).parent / "prompts",
)


class SampleHead(Message):
    """The head of a sample's artefacts."""

    seed: int
    sample: int


@dataclass(frozen=True, slots=True)
class Written:
    """A sample as a model wrote it."""

    prepared: ReadyTask
    stub: EvaluatedSample
    program: str = ""
    error: SteelyardError | None = None
    """The reason why there is no program."""


Wanted = tuple[ReadyTask, EvaluatedSample]


class SampleWriter:
    """Asks one model for samples, several at once.

    Args:
        name: The model.
        folder: The evaluation's folder: each sample's exchanges are kept next to its program.
        options: The options of the run.
        stack: Closes what is opened.
    """

    def __init__(self, name: str, folder: Path, options: EvaluateOptions, stack: ExitStack) -> None:
        self._folder, self._options = folder, options
        before = [
            exchange
            for run in sorted(folder.glob("results/*/seed_*/reply_*"))
            for exchange in exchanges_in(run)
        ]
        # Only scripts count earlier replies here; each sample has its own recording in front.
        scripted = before if name.startswith("scripted:") else ()
        models = open_models({PROGRAMMER.name: name}, scripted, stack)
        self._at_once = 1 if name.startswith("scripted:") else _AT_ONCE
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="steelyard-models", daemon=True
        )
        self._asked: set[Future[Written]] = set()
        self.budget: Budget = open_budget(options.max_cost_usd, options.max_tokens, models)
        self._model = _Paid(models[PROGRAMMER.name], self.budget)
        for exchange in before:
            self.budget.pay(exchange.reply, PROGRAMMER.name)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Cancel the requests that are under way."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def write(self, wanted: Iterable[Wanted]) -> Iterator[Written | None]:
        """Yield the samples as their replies come; None if the next reply is not there yet.

        A sample is asked for as soon as an earlier one was taken, so that few are under way.

        Raises:
            BudgetError: after the samples that fit the budget.
            ModelError: if the model gave no reply several times in a row.
        """
        left, again = iter(wanted), deque[Wanted]()
        done: queue.SimpleQueue[Future[Written]] = queue.SimpleQueue()
        at_once, failed = self._at_once, 0
        while True:
            while len(self._asked) < at_once:
                sample = again.popleft() if again else next(left, None)
                if sample is None:
                    break
                request = asyncio.run_coroutine_threadsafe(self._one(*sample), self._loop)
                self._asked.add(request)
                request.add_done_callback(done.put)
            if not self._asked:
                return
            try:
                ended = done.get_nowait()
            except queue.Empty:
                yield None
                continue
            self._asked.remove(ended)
            written = ended.result()
            if isinstance(written.error, BudgetError):
                if not self._asked:
                    raise written.error
                # What the others reserve may come back: they end first.
                again.append((written.prepared, written.stub))
                at_once = min(at_once, len(self._asked))
                continue
            failed = failed + 1 if isinstance(written.error, ModelError) else 0
            yield written
            if failed >= _UNREACHABLE and written.error is not None:
                raise written.error

    async def _end(self) -> None:
        requests = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for request in requests:
            request.cancel()
        for request in requests:
            with suppress(asyncio.CancelledError, Exception):
                await request

    async def _one(self, prepared: ReadyTask, stub: EvaluatedSample) -> Written:
        """Ask for one sample: its recorded replies come first, and are not paid for again."""
        path = self._folder / folder_of(stub) / f"reply_{stub.sample}"
        entry = as_entry(prepared.task.entry)
        head = SampleHead(seed=stub.seed, sample=stub.sample)
        run = Run("evaluate", self._options.cells, seed=own_seed(stub), option="--out")
        with ExitStack() as stack:
            if (path / HEAD).exists():
                run.reopen(path, head.task_id)
            else:
                run.begin(path, head)
            stack.callback(run.close)
            name = {PROGRAMMER.name: self._model.name}
            run.use(
                open_models(name, exchanges_in(path), stack, given={PROGRAMMER.name: self._model})
            )
            try:
                reply = await run.ask(
                    PROGRAMMER,
                    {
                        "language": find_toolchain(stub.language).row.title,
                        "kind": entry.kind,
                        "name": entry.name,
                    },
                    {"task": prepared.task.prompt},
                    attempt=stub.sample,
                )
                program, error = reply.code, None
            except (BudgetError, ReplyError, ModelError) as raised:
                program, error = "", raised
        return Written(prepared, paid_for(stub, run.spending), program, error)


class _Paid:
    """A model that is called only if the budget of all samples has room."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self._model, self._budget = model, budget
        self.name = model.name

    async def complete(self, request: Request) -> Reply:
        with self._budget.hold(request) as affordable:
            reply = await self._model.complete(affordable)
            self._budget.pay(reply, PROGRAMMER.name)
        return reply


_SHARES = 4
"""A run may cost this part of what each worker's share of the whole budget is."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """The most that one run of solve may use; None for no limit."""

    cost_usd: float | None = None
    tokens: int | None = None


def budgets_of(options: EvaluateOptions, runs: int, nodes: Iterable[EngineNode]) -> Budgets:
    """Return what one run may use, such that all workers of the engine can be busy.

    Args:
        options: The options of the evaluation, with the limits of all runs together.
        runs: Number of runs.
        nodes: The engine's machines.
    """
    workers = max(1, sum(node.workers for node in nodes))
    cost_usd, tokens = options.max_cost_usd, options.max_tokens
    return Budgets(
        None if cost_usd is None else cost_usd / max(1, min(runs, _SHARES * workers)),
        None if tokens is None else tokens // max(1, runs),
    )


def paid_for_all_usd(folder: Path) -> float:
    """Return what the runs of solve in an evaluation's folder have cost."""
    return sum(paid_usd(head.parent) for head in folder.glob("results/*/seed_*/sample_*/run.json"))


def solve_job(
    prepared: ReadyTask,
    stub: EvaluatedSample,
    options: EvaluateOptions,
    folder: Path,
    budgets: Budgets,
) -> EngineJob:
    """Return the job of one run of solve.

    Models are shown the statement and the visible tests only. The whole suite decides.

    Args:
        prepared: The task.
        stub: The sample.
        options: The options of the evaluation.
        folder: Its folder: artefacts are kept in it.
        budgets: What the run may use.
    """
    task = prepared.task
    limits = prepared.data.limits or Limits()
    problem = ProblemInput(
        task_id=f"sample_{stub.sample}",
        prompt=task.prompt,
        constraints=Constraints(
            runtime_limit=prepared.line.time_limit_ms, memory_limit=limits.memory_mib
        ),
        unit_tests=_visible(prepared),
        input_bounds=task.input_bounds,
        input_generator=task.input_generator,
        match_mode=task.match_mode,
    )
    solving = SolveOptions.of(
        **(
            {"planner": options.model, "coder": options.model, "analyst": options.model}
            if options.model
            else {}
        ),
        language=options.solve_language(),
        max_iter=options.replans + 1,
        max_cost_usd=budgets.cost_usd,
        max_tokens=budgets.tokens,
        seed=own_seed(stub),
    )
    shown = solving.model_dump(mode="json", exclude={"limits"})
    logs = folder.resolve() / folder_of(stub)
    data = SolveData(
        **prepared.data.model_dump(exclude={"program", "language"}),
        problem=problem.model_dump(mode="json"),
        options=shown,
        logs=str(logs),
    )
    shaping = {name: each for name, each in shown.items() if name not in SolveOptions.bounds}
    origin = canonical_json({"problem": data.problem, "options": shaping})
    return EngineJob(
        key=prepared.key("", shown["language"], origin=origin),
        kind="solve",
        data=data.model_dump(mode="json"),
        blobs=(prepared.digest,),
        max_cost_usd=max(0.0, (budgets.cost_usd or 0.0) - paid_usd(logs / problem.task_id)),
    )


def _visible(prepared: ReadyTask) -> tuple[UnitTest, ...]:
    """Return the tests that a task shows: those marked so, else the samples in its statement."""
    shown = [case for case in prepared.suite.cases if case.category == "visible"]
    if not shown:
        try:
            found = extract_tests(prepared.task.prompt).suite
        except TestsError:
            found = TestSuite()
        shown = list(found.cases) if found.entry_kind == "stdio" else []
    return tuple(
        UnitTest(
            input=case.input.decode("utf-8", "replace"),
            output=case.expected.decode("utf-8", "replace"),
        )
        for case in shown
    )
