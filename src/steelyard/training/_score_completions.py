"""`reward(...)`: judge batches of completions, keep their order, and give each its reward.

1. The text is taken out of a completion, and `extraction` decides if it holds a program.
2. The judge takes the program out of the text, and judges it; programs are judged in parallel.
3. A policy turns the judgement into the reward. Without a verdict there is no reward, but a reason.

docs/decisions/0024-rewards.md has the reasons.
"""

from collections.abc import Callable, Mapping, Sequence, Sized
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from steelyard.errors import SteelyardError, TestsError, UsageError
from steelyard.judging import (
    CaseIsolation,
    Checker,
    JudgeOptions,
    Judges,
    LoadedTask,
    MatchMode,
    RowReader,
    RowTests,
    TestSource,
    as_entry,
    extract_tests,
    judge_rows,
    load_tests,
    program_of,
    rewarded,
    take_code,
)
from steelyard.judging import Reward as RewardPolicy
from steelyard.options import in_thread
from steelyard.sandbox import CellPool
from steelyard.schemas import Entry, ErrorResult, Limits, Policy, Record, VerifyResult
from steelyard.toolchains import source_bytes
from steelyard.training._reward_policies import at_step, policy_of

OnFailure = Literal["raise", "none"]
"""On an error, `raise` ends the batch; `none` leaves that completion without a reward."""


Extraction = Literal["reply", "fenced", "whole"]
"""Rule that takes the program out of a text.

`reply`: as `code_of_reply`, so a text without a fenced block is the program. `fenced`: a text
without a fenced block holds no program. `whole`: the text is the program, and a text with a fenced
block or reasoning around it is not one.
"""


Completion = str | Sequence[Mapping[str, object]]
"""A model's text, or the messages of a conversation, of which the last of the assistant counts."""


IN_FLIGHT = 2
"""Programs in flight for each cell: while one runs, the next is compiled or checked."""


class RewardOptions(JudgeOptions):
    """Options of `reward`: those of `judge`, and those of a batch of completions.

    `reward` also takes a policy's name, or its name with arguments, as configuration files hold it.
    """

    language: str | None = "python"
    """A name from the language table; None is Python."""
    extraction: Extraction = "reply"
    """Rule that takes the program out of a completion."""
    on_error: OnFailure = "raise"
    """On an error, `raise` ends the batch; `none` leaves that completion without a reward."""
    jobs: int | None = Field(default=None, ge=1)
    """Number of cells of a pool of the reward's own; None is the pool that the process shares."""

    @field_validator("reward", mode="before")
    @classmethod
    def _named_policy(cls, given: object) -> object:
        return None if given is None else policy_of(given)

    @model_validator(mode="after")
    def _fit_together(self) -> "RewardOptions":
        if self.pool is not None and self.jobs is not None:
            raise UsageError("pool and jobs are both given; omit one")
        if self.on_event is not None:
            raise UsageError("a reward has no on_event; pass on_result to score")
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the options again in another process, which has pools of its own."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return partial(type(self).of, **fields | {"pool": None}), ()


class Scored(Record):
    """One completion's reward, with what it rests on."""

    reward: float | None
    """None if there is no verdict: the machine failed, or the tests cannot be read."""
    reason: str
    """One line for people."""
    result: VerifyResult | None = None
    """The judgement; None if there is no verdict."""
    error: ErrorResult | None = None
    """The error, if there is no verdict."""

    @property
    def passed(self) -> bool:
        """True if the program passed every test."""
        return self.result is not None and self.result.passed


OnScored = Callable[[int, Scored], None]
"""Called with an index and its result, in order of completion, from any thread."""


class Reward:
    """Judges batches of completions; threads may share it.

    It can be pickled, and so sent to a worker process, which uses the pool that it shares.

    Args:
        options: How completions are judged.
        test_cases: Tests for calls that give none, as `ExecutionVerifier` takes them.

    Raises:
        UsageError: if options are out of range or do not fit together.
        TestsError: if the tests cannot be read.
    """

    def __init__(
        self, options: RewardOptions | None = None, test_cases: TestSource | None = None
    ) -> None:
        self.options = options or RewardOptions()
        self._shared = None if test_cases is None else self._read(test_cases)
        self._own_pool = CellPool(self.options.jobs) if self.options.jobs else None
        pool = self._own_pool or self.options.cells
        self._judges = Judges(self.options.model_copy(update={"pool": pool}))
        self._workers = IN_FLIGHT * pool.size
        self._judges.check()

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the reward again in another process."""
        return type(self), (self.options, self._shared and self._shared.suite)

    def _read(self, test_cases: TestSource) -> LoadedTask:
        suite = load_tests(test_cases, entry=as_entry(self.options.entry))
        return LoadedTask(self.options.task(), suite)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._own_pool is not None:
            self._own_pool.__exit__(kind, error, trace)

    def close(self) -> None:
        """End the cells of the reward's own pool (`jobs`); other pools are not touched."""
        if self._own_pool is not None:
            self._own_pool.close()

    def score(
        self,
        completions: Sequence[Completion],
        suites: Sequence[RowTests] | None = None,
        *,
        test_cases: TestSource | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        policies: Sequence[RewardPolicy] | None = None,
        step: int | None = None,
        on_result: OnScored | None = None,
    ) -> list[Scored]:
        """Judge all completions on all cells; rewards come in the order of `completions`.

        Args:
            completions: Texts, or conversations, of which the assistant's last message counts.
            suites: Tests for each of them: a list of cases, a `TestSuite`, or a task as a `Task`
                or a row, which decides how programs are judged; any of them as JSON text too.
            test_cases: The same tests for all of them.
            prompts: A prompt with examples for each of them.
            entries: An entry for each of them, such as `function:NAME`, in place of the option.
            policies: A reward policy for each of them, in place of the option.
            step: The step of training, for policies that change with it, such as `Annealed`.
            on_result: Called with an index and its result, in order of completion, from any
                thread.

        Raises:
            UsageError: if the columns do not fit together; if `on_error` is `raise`, also for
                something that is not a completion.
            TestsError: if there are no tests, or some cannot be read; nothing is run then. Not
                with `none`.
            InfrastructureError: if the machine failed. Not with `none`.
        """
        if sum(each is not None for each in (suites, test_cases, prompts)) > 1:
            raise UsageError("give score one of suites, test_cases and prompts")
        _check_columns(
            completions, suites=suites, prompts=prompts, entries=entries, policies=policies
        )
        shared = self._shared if test_cases is None else self._read(test_cases)
        if step is not None:
            own = self.options.reward
            if policies is None and own is not None and at_step(own, step) is not own:
                policies = [own] * len(completions)
            policies = policies and [at_step(policy, step) for policy in policies]
        scored: dict[int, Scored] = {}

        def keep(index: int, each: Scored) -> None:
            scored[index] = each
            if on_result is not None:
                on_result(index, each)

        reader = RowReader(self.options)

        def read(index: int) -> tuple[int, str, str, LoadedTask]:
            """Return the index, the program, the reason if there is none, and the task."""
            text, task = text_of(completions[index]), shared
            entry = None if entries is None else entries[index]
            if prompts is not None:
                task = reader.read(extract_tests(prompts[index]).suite, entry)
            elif suites is not None:
                task = reader.read(suites[index], entry)
            elif task is not None and entry is not None:
                task = reader.read(task.suite, entry)
            if task is None or not (task.suite.cases or self.options.compile_only):
                raise TestsError("there are no tests, so nothing would be proved; give it tests")
            language = task.task.language or self.options.language or "python"
            reply, fault = extracted(text, language, self.options.extraction)
            return index, "" if fault else program_of(task.task, reply), fault, task

        rows = []
        for index in range(len(completions)):
            try:
                rows.append(read(index))
            except SteelyardError as error:
                error.args = (f"completion {index}: {error}",)
                if self.options.on_error == "raise":
                    raise
                keep(index, _failed(index, type(error).__name__, str(error), error.exit_status))

        def receive(position: int, result: VerifyResult | ErrorResult) -> None:
            index, _, fault, _ = rows[position]
            if isinstance(result, ErrorResult):
                keep(index, _failed(index, result.type, result.message, result.exit_status))
                return
            if policies is not None:
                result = rewarded(result, policies[index])
            keep(index, Scored(reward=result.reward, reason=fault or result.details, result=result))

        judge_rows(
            self._judges,
            [program for _, program, _, _ in rows],
            [task for *_, task in rows],
            workers=self._workers,
            on_error="raise" if self.options.on_error == "raise" else "result",
            on_result=receive,
        )
        return [scored[index] for index in range(len(completions))]

    ascore = in_thread(score, "ascore")


def reward(
    test_cases: TestSource | None = None,
    *,
    language: str | None = "python",
    compiler: str | None = None,
    flags: Sequence[str] | None = None,
    entry: Entry | str = "stdio",
    match_mode: MatchMode | None = None,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
    sequences_alike: bool = False,
    ignore_case: bool = False,
    checker: Checker | None = None,
    reward: RewardPolicy | str | None = None,
    partial_credit: bool = True,
    compile_only: bool = False,
    fail_fast: bool = False,
    isolation: CaseIsolation = "per_case",
    preload: Sequence[str] = (),
    policy: str | Policy | None = None,
    compile_timeout_s: float = 30.0,
    binary_cache_dir: str | Path | None = None,
    extraction: Extraction = "reply",
    on_error: OnFailure = "raise",
    jobs: int | None = None,
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
) -> Reward:
    """Return a reward for a trainer: an object that judges batches of completions.

    Args:
        test_cases: Tests for completions that have none of their own, as `load_tests` takes them.
        language: A name from the language table.
        compiler: One of the language's compilers; None is the first that is installed.
        flags: Flags for the compiler; None is the table's.
        entry: `stdio`, or for Python `function:NAME`, `class:NAME.METHOD`, `methods:NAME`,
            `asserts` or `asserts:NAME`.
        match_mode: Comparison of outputs or values; None is `exact`.
        abs_tol: For modes that compare numbers, the largest absolute difference.
        rel_tol: For these, the largest difference relative to the expected number.
        sequences_alike: For calls, a list equals a tuple with the same items.
        ignore_case: For printed words and lines, `A` to `Z` equal `a` to `z`.
        checker: Decides on outputs in place of `match_mode`.
        reward: A reward policy, or the name of one: `graduated`, `pass_rate`, `binary` or
            `hidden_only`; None is `graduated`.
        partial_credit: Reward each passed case; False is `binary`.
        compile_only: Judge compiling alone; cases are skipped, and there may be none.
        fail_fast: Stop at the first case that fails; the rest are skipped.
        isolation: `per_candidate` lets the calls of one program share a process.
        preload: For Python, modules to load beforehand, such as `numpy`.
        policy: For Python, restricts the source text: `no-imports`, the modules that it may
            import (`math,collections`), or a `Policy`.
        compile_timeout_s: CPU time for compiling, in seconds.
        binary_cache_dir: Folder of the compile cache; None is the configured one.
        extraction: Rule that takes the program out of a completion. `reply`: as
            `code_of_reply`, so a text without a block is the program. `fenced`: a text without a
            block earns 0. `whole`: the text itself; one with a fenced block earns 0.
        on_error: `raise` ends the batch with the first error. `none` leaves that completion
            without a reward, and the others continue.
        jobs: Number of cells of a pool of its own, which `close` ends; None is the pool that the
            process shares.
        pool: Where programs run, in place of these.
        limits: Limits of each case.
        seed: For Python, the seed of hashing and `random`; None picks a new one per run.

    Raises:
        UsageError: if options are out of range or do not fit together.
        TestsError: if the tests cannot be read.
    """
    options = RewardOptions.among(locals())
    return Reward(options, test_cases)


def _check_columns(completions: object, **columns: Sequence[object] | None) -> None:
    """Refuse columns that do not fit together.

    Raises:
        UsageError: if completions are not a list, or the lengths differ.
    """
    if isinstance(completions, str | bytes) or not isinstance(completions, Sized):
        raise UsageError(f"completions are {type(completions).__name__}; give a list of them")
    for name, column in columns.items():
        if isinstance(column, str | bytes):
            raise UsageError(
                f"{name} are {type(column).__name__}; give a list with one for each completion"
            )
        if column is not None and len(column) != len(completions):
            raise UsageError(
                f"{len(completions)} completions but {len(column)} {name}; give one each"
            )


def _failed(index: int, kind: str, message: str, exit_status: int) -> Scored:
    error = ErrorResult(index=index, type=kind, message=message, exit_status=exit_status)
    return Scored(reward=None, reason=f"no verdict: {message}", error=error)


def text_of(completion: object) -> str:
    """Return the text of a completion.

    Raises:
        UsageError: if it is neither a text nor messages with a text.
    """
    if isinstance(completion, str):
        return completion
    if not isinstance(completion, Sequence) or isinstance(completion, bytes | bytearray):
        raise UsageError(
            f"a completion is {type(completion).__name__}; give a str, or a list of messages"
        )
    messages = [each for each in completion if _role_of(each) in ("assistant", None)]
    for message in reversed(messages):
        text = _text_of_content(message)
        if text is not None:
            return text
    raise UsageError("the messages of a completion hold no text of the assistant; add it")


def _role_of(message: object) -> object:
    if not isinstance(message, Mapping):
        raise UsageError(
            f"a message is {type(message).__name__}; give an object with role and content"
        )
    return message.get("role")


def _text_of_content(message: Mapping[str, object]) -> str | None:
    """Return the text of a message, whose content may come in parts; None if it has none."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return None
    parts = [part.get("text") for part in content if isinstance(part, Mapping)]
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if texts else None


def extracted(text: str, language: str, extraction: Extraction) -> tuple[str, str]:
    """Return the reply to judge, and the reason if it holds no program; the reply is empty then.

    The judge takes the program out of the reply, as it knows how the program is entered.
    """
    if extraction == "reply":
        return text, ""
    taken = take_code(source_bytes(text), language)
    if extraction == "fenced":
        return (text, "") if taken.fenced else ("", "no code: the reply has no fenced block")
    if taken.wrapped:
        return "", "no code: the text has a fenced block or reasoning, so it is not a program"
    return text, ""
