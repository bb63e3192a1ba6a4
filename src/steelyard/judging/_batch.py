"""Judge the programs of a batch, a bounded number at once, in order or as they come.

1. Each program is paired with its tests, which are read at once. Tests that cannot be read are the
   error of their program, or end the batch.
2. Programs are taken shortly before their turn, so that any number fits into bounded memory.
3. An error ends the batch, or takes its program's position.
"""

import asyncio
import itertools
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeVar, cast

from steelyard.errors import SteelyardError, UsageError
from steelyard.judging._entries import as_entry
from steelyard.judging._judges import Judges
from steelyard.judging._loading import TestSource
from steelyard.judging._rows import LoadedTask, filled, loaded
from steelyard.judging.prompts import extract_tests
from steelyard.judging.replies import program_of
from steelyard.sandbox import StoppedError, settle_on_cell_cores
from steelyard.schemas import Entry, ErrorResult, Task, VerifyResult
from steelyard.toolchains import read_source

_AHEAD = 16
"""Items for each worker that are taken before their turn: one slow item must not idle the rest."""
ProgramSource = str | bytes | Path
"""A program: a `Path` is a file; `str` and `bytes` are text."""
OnError = Literal["raise", "result"]
"""On an error, `raise` ends the batch; `result` puts the error in its program's position."""
Job = tuple[int, ProgramSource, LoadedTask | SteelyardError]
Verify = Callable[[ProgramSource, LoadedTask, Callable[[], bool]], VerifyResult]
Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    stop: Callable[[], None] = lambda: None,
) -> Iterator[Result]:
    """Yield the results in the items' order, as soon as each can be given.

    Items are taken from their iterable only shortly before their turn. Leaving the iterator early
    drops what has not begun, and calls `stop` for what has.
    """
    left = iter(items)
    executor = ThreadPoolExecutor(workers, "steelyard-batch", initializer=settle_on_cell_cores)
    under_way: deque[Future[Result]] = deque()
    try:
        for item in itertools.islice(left, _AHEAD * workers):
            under_way.append(executor.submit(work, item))
        while under_way:
            result = under_way.popleft().result()
            for item in itertools.islice(left, 1):
                under_way.append(executor.submit(work, item))
            yield result
    except BaseException as error:
        stop()
        executor.shutdown(wait=isinstance(error, Exception), cancel_futures=True)
        raise
    executor.shutdown()


async def as_completed(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    stop: Callable[[], None],
) -> AsyncIterator[Result]:
    """Yield the results as they come, without blocking the event loop; bounds as `in_order`."""
    loop = asyncio.get_running_loop()
    left = iter(items)
    executor = ThreadPoolExecutor(workers, "steelyard-batch", initializer=settle_on_cell_cores)
    under_way: set[asyncio.Future[Result]] = set()
    try:
        while True:
            room = _AHEAD * workers - len(under_way)
            for item in itertools.islice(left, room):
                under_way.add(loop.run_in_executor(executor, work, item))
            if not under_way:
                return
            done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                yield each.result()
    finally:
        if under_way:
            stop()
        for each in under_way:
            each.cancel()
        executor.shutdown(wait=False, cancel_futures=True)


def judge_rows(
    judges: Judges,
    programs: Iterable[str | bytes],
    rows: Iterable[LoadedTask],
    *,
    workers: int,
    on_error: OnError,
    on_result: Callable[[int, VerifyResult | ErrorResult], None] | None = None,
) -> list[VerifyResult | ErrorResult]:
    """Judge programs, each by its own task; results come in the programs' order.

    Args:
        judges: Make the judges.
        programs: Their texts, or replies that hold them.
        rows: A task for each.
        workers: Number of programs in flight at once.
        on_error: As for `ExecutionVerifier.verify_batch`.
        on_result: As for `ExecutionVerifier.verify_batch`.

    Raises:
        SteelyardError: with `raise`; its message names the program.
    """

    def verify(
        program: ProgramSource, row: LoadedTask, stopped: Callable[[], bool]
    ) -> VerifyResult:
        source, language = read_source(program, row.task.language or judges.options.language)
        return judges.of(row, language).judge(source, workers=1, stopped=stopped)

    work = BatchWork(verify, on_error, on_result)
    jobs = ((index, *pair) for index, pair in enumerate(zip(programs, rows, strict=True)))
    return [result for _, result in in_order(work, jobs, workers, work.stop)]


def batch_jobs(
    programs: Iterable[ProgramSource],
    usual: LoadedTask,
    on_error: OnError,
    test_cases: TestSource | None,
    suites: Sequence[TestSource | Task | LoadedTask] | None,
    prompts: Sequence[str] | None,
    entries: Sequence[str | Entry] | None,
) -> Iterable[Job]:
    """Return each program with its task, whose tests are read at once.

    Args:
        programs: In order; taken one by one.
        usual: The task if the batch has none.
        on_error: With `result`, tests that cannot be read are the error of their program.
        test_cases: The same tests for all of them. At most one of these three is given.
        suites: Tests for each of them.
        prompts: A prompt with examples for each of them.
        entries: An entry for each of them.

    Raises:
        UsageError: if more than one source of tests is given, or the lengths differ.
        TestsError: for tests that cannot be read; it names the program.
    """
    if isinstance(programs, str | bytes | Path):
        raise UsageError("verify_batch takes a list of programs; for one, use verify")
    if sum(tests is not None for tests in (test_cases, suites, prompts)) > 1:
        raise UsageError("give verify_batch one of test_cases, suites and prompts")
    if test_cases is not None and entries is None:
        usual = filled(usual.task, test_cases)
    sources = suites if prompts is None else prompts
    if sources is None and entries is None:
        return _paired(programs, itertools.repeat(usual))
    _check_lengths(programs, sources, entries)

    def read(source: object, entry: str | Entry) -> LoadedTask:
        if isinstance(source, LoadedTask):
            return source
        if isinstance(source, Task):
            return loaded(source)
        task = usual.task.model_copy(update={"entry": str(as_entry(entry))})
        if prompts is not None:
            return LoadedTask(task, extract_tests(cast("str", source)).suite)
        if source is None:
            return LoadedTask(task, usual.suite)
        return filled(task, cast("TestSource", source))

    count = len(sources if sources is not None else entries or ())
    rows = zip(
        itertools.repeat(test_cases, count) if sources is None else sources,
        itertools.repeat(usual.task.entry, count) if entries is None else entries,
        strict=True,
    )
    jobs = _paired(programs, _read_all(read, rows, on_error))
    return (_completed(job, None if sources is None else sources[job[0]]) for job in jobs)


def _check_lengths(
    programs: Iterable[ProgramSource],
    sources: Sequence[object] | None,
    entries: Sequence[object] | None,
) -> None:
    """Refuse lists of different lengths.

    Raises:
        UsageError: with both lengths.
    """
    for what, each in (("sets of tests", sources), ("entries", entries)):
        if each is not None and isinstance(programs, Sized) and len(each) != len(programs):
            raise UsageError(f"{len(programs)} programs but {len(each)} {what}; give one each")
    if sources is not None and entries is not None and len(sources) != len(entries):
        raise UsageError(f"{len(sources)} sets of tests but {len(entries)} entries; give one each")


def _paired(
    programs: Iterable[ProgramSource], each: Iterable[LoadedTask | SteelyardError]
) -> Iterator[Job]:
    """Give each program its tests.

    Raises:
        UsageError: if one of the two ends before the other.
    """
    tests = iter(each)
    endless = isinstance(each, itertools.repeat)
    index = -1
    for index, program in enumerate(programs):
        own = next(tests, None)
        if own is None:
            raise UsageError(
                f"there are more programs than the {index} sets of tests; give one each"
            )
        yield index, program, own
    if not endless and next(tests, None) is not None:
        raise UsageError(
            f"there are more sets of tests than the {index + 1} programs; give one each"
        )


def _completed(job: Job, source: object) -> Job:
    """Return a job with the program that its text makes, if a `Task` is given for it."""
    index, program, row = job
    if isinstance(source, Task) and (source.ending or source.completion != "program"):
        with suppress(UsageError):  # judging reads the file again, and reports the fault
            text, _ = read_source(program, source.language or "python")
            program = program_of(source, text.decode("utf-8", "surrogateescape"))
    return index, program, row


def _read_all(
    read: Callable[[object, str | Entry], LoadedTask],
    rows: Iterable[tuple[object, str | Entry]],
    on_error: OnError,
) -> list[LoadedTask | SteelyardError]:
    def one(index: int, source: object, entry: str | Entry) -> LoadedTask | SteelyardError:
        try:
            return read(source, entry)
        except (SteelyardError, TypeError) as raised:
            error = (
                raised
                if isinstance(raised, SteelyardError)
                else UsageError(
                    f"tests or a prompt are {type(source).__name__}; give what load_tests takes"
                )
            )
            if on_error == "raise":
                _name(index, error)
                raise error from None
            return error

    return [one(index, *row) for index, row in enumerate(rows)]


class BatchWork:
    """Judges the programs of one batch; threads share it."""

    def __init__(
        self,
        verify: Verify,
        on_error: OnError,
        on_result: Callable[[int, VerifyResult | ErrorResult], None] | None,
    ) -> None:
        if on_error not in ("raise", "result"):
            raise UsageError(f"on_error is {on_error!r}; use raise or result")
        self._verify, self._on_error, self._on_result = verify, on_error, on_result
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Stop all programs that are being judged."""
        self._stopped.set()

    def __call__(self, job: Job) -> tuple[int, VerifyResult | ErrorResult]:
        """Judge one program.

        Raises:
            SteelyardError: with `raise`; its message names the program.
        """
        index = job[0]
        result: VerifyResult | ErrorResult
        try:
            result = self._judged(job)
        except SteelyardError as error:
            if self._on_error == "raise":
                _name(index, error)
                raise
            result = ErrorResult(
                index=index,
                type=type(error).__name__,
                message=str(error),
                exit_status=error.exit_status,
            )
        except StoppedError:
            raise
        except Exception as error:  # of a checker or a reward that the caller wrote
            error.add_note(f"while judging program {index} of the batch")
            if self._on_error == "raise":
                raise
            result = ErrorResult(
                index=index,
                type=type(error).__name__,
                message=" ".join(str(error).split()) or "no message",
                exit_status=UsageError.exit_status,
            )
        if self._on_result:
            self._on_result(index, result)
        return index, result

    def _judged(self, job: Job) -> VerifyResult:
        _, program, row = job
        if isinstance(row, SteelyardError):
            raise row
        return self._verify(program, row, self._stopped.is_set)


def _name(index: int, error: SteelyardError) -> None:
    """Prefix the error's message with the program's position."""
    error.args = (f"program {index}: {error}",)
