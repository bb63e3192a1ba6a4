"""Judge one batch: read its columns, judge what can be judged, keep the order."""

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass

from steelyard.errors import SteelyardError, TestsError, UsageError
from steelyard.judging import (
    Judges,
    LoadedTask,
    RowReader,
    RowTests,
    extract_tests,
    judge_rows,
    program_of,
    rewarded,
)
from steelyard.judging import Reward as RewardPolicy
from steelyard.schemas import Entry, ErrorResult, VerifyResult
from steelyard.training._extraction import Completion, extracted, text_of
from steelyard.training._options import RewardOptions
from steelyard.training._scored import Scored

__all__ = ["Batch", "OnScored"]

OnScored = Callable[[int, Scored], None]
"""Called with an index and its result, in order of completion, from any thread."""


@dataclass(frozen=True)
class _Row:
    """A completion that can be judged."""

    index: int
    program: str
    fault: str
    """The reason why the completion holds no program; empty if it holds one."""
    task: LoadedTask


@dataclass(frozen=True)
class Batch:
    """The columns of a batch; each has an item for each completion."""

    completions: Sequence[Completion]
    shared: LoadedTask | None
    """The task of completions if neither suites nor prompts are given."""
    suites: Sequence[RowTests] | None = None
    prompts: Sequence[str] | None = None
    entries: Sequence[str | Entry] | None = None
    policies: Sequence[RewardPolicy] | None = None

    def check(self) -> None:
        """Refuse columns that do not fit together.

        Raises:
            UsageError: if completions are not a list, or the lengths differ.
        """
        if isinstance(self.completions, str | bytes) or not isinstance(self.completions, Sized):
            kind = type(self.completions).__name__
            raise UsageError(f"completions are {kind}; give a list of them")
        count = len(self.completions)
        for name in ("suites", "prompts", "entries", "policies"):
            column = getattr(self, name)
            if isinstance(column, str | bytes):
                kind = type(column).__name__
                raise UsageError(f"{name} are {kind}; give a list with one for each completion")
            if column is not None and len(column) != count:
                raise UsageError(f"{count} completions but {len(column)} {name}; give one each")

    def score(
        self, judges: Judges, options: RewardOptions, workers: int, on_result: OnScored | None
    ) -> list[Scored]:
        """Return the reward of each completion, in order.

        Args:
            judges: Judge, under the options.
            options: The options.
            workers: Number of programs in flight at once.
            on_result: As for `Reward.score`.

        Raises:
            SteelyardError: with `on_error="raise"`; its message names the completion.
        """
        scored: dict[int, Scored] = {}

        def keep(index: int, each: Scored) -> None:
            scored[index] = each
            if on_result is not None:
                on_result(index, each)

        rows = []
        reader = RowReader(options)
        for index in range(len(self.completions)):
            try:
                rows.append(self._row(index, options, reader))
            except SteelyardError as error:
                error.args = (f"completion {index}: {error}",)
                if options.on_error == "raise":
                    raise
                keep(index, _failed(index, type(error).__name__, str(error), error.exit_status))

        def receive(position: int, result: VerifyResult | ErrorResult) -> None:
            keep(rows[position].index, self._scored(rows[position], result))

        judge_rows(
            judges,
            [row.program for row in rows],
            [row.task for row in rows],
            workers=workers,
            on_error="raise" if options.on_error == "raise" else "result",
            on_result=receive,
        )
        return [scored[index] for index in range(len(self.completions))]

    def _row(self, index: int, options: RewardOptions, reader: RowReader) -> _Row:
        text = text_of(self.completions[index])
        entry = None if self.entries is None else self.entries[index]
        row = self.shared
        if self.prompts is not None:
            row = reader.read(extract_tests(self.prompts[index]).suite, entry)
        elif self.suites is not None:
            row = reader.read(self.suites[index], entry)
        elif row is not None and entry is not None:
            row = reader.read(row.suite, entry)
        if row is None or not (row.suite.cases or options.compile_only):
            raise TestsError("there are no tests, so nothing would be proved; give it tests")
        language = row.task.language or options.language or "python"
        reply, fault = extracted(text, language, options.extraction)
        return _Row(index, "" if fault else program_of(row.task, reply), fault, row)

    def _scored(self, row: _Row, result: VerifyResult | ErrorResult) -> Scored:
        if isinstance(result, ErrorResult):
            return _failed(row.index, result.type, result.message, result.exit_status)
        if self.policies is not None:
            result = rewarded(result, self.policies[row.index])
        return Scored(reward=result.reward, reason=row.fault or result.details, result=result)


def _failed(index: int, kind: str, message: str, exit_status: int) -> Scored:
    error = ErrorResult(index=index, type=kind, message=message, exit_status=exit_status)
    return Scored(reward=None, reason=f"no verdict: {message}", error=error)
