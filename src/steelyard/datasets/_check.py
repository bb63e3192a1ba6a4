"""Check a data set: judge each task's own solutions, and programs that must not pass.

1. Tasks are taken in groups of bounded size, and the tasks of a group are checked in parallel.
2. Right solutions are judged, then wrong, slow and hungry ones, then programs that solve nothing.
3. Once a group is done, its right solutions are judged again with another seed: a different
   verdict means a flaky task. (To change the seed, a cell starts a new interpreter.)
4. Programs and answers that solve nothing are tried too: tests that accept them prove nothing.
5. Digests find tasks that an earlier task, or another data set, has too.

Each program stops at its first case that fails.
"""

import ast
import builtins
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from pydantic import Field

from steelyard._python_trees import python_tree
from steelyard.datasets._copies import Copies, digests_of
from steelyard.datasets._read import with_sized_tests
from steelyard.errors import CheckerError, LanguageError, UsageError
from steelyard.judging import (
    Judge,
    Judges,
    LoadedTask,
    ProgramChecker,
    RunningOptions,
    in_order,
    loaded,
    program_of,
)
from steelyard.options import Options
from steelyard.reports import clause, counted, percent
from steelyard.schemas import (
    FAULTS,
    CheckedTask,
    Event,
    FaultKind,
    SolutionLabel,
    Task,
    TaskFinding,
    TaskSolution,
    VerifyResult,
    WarningKind,
)
from steelyard.toolchains import source_bytes

_GROUP_BYTES, _GROUP_TASKS = 4 << 20, 256
_MORE_TRIES = 3
"""Before a task is unsolvable, up to this many times as many solutions are tried."""
_MARGIN = 0.5
_MANY = 0.8
"""Share of the cases from which on a constant answer's success is reported."""
_OTHER_SEED = 1
_MOST_CHARS = 200
_MISSING = re.compile(
    r"([\w./+-]+\.h(?:pp)?): No such file or directory|No module named '?([\w.]+)'?"
    r"|package ([\w.]+) does not exist|Cannot find module '([^'\n]+)'"
    r"|can't find crate for `(\w+)`"
)
"""What compilers and interpreters write if a header or a package is not installed."""


class CheckOptions(Options):
    """Options of `check_tasks`; `limits` replace those of the tasks."""

    solutions: int = Field(default=3, ge=1, le=1_000)
    """Most right solutions, and most other ones, that are judged for each task."""


def check_tasks(
    tasks: Iterable[Task],
    *,
    against: Iterable[Task] = (),
    options: CheckOptions | None = None,
) -> Iterator[tuple[Task, CheckedTask]]:
    """Yield each task with what its check has found, in order.

    Memory holds a group of tasks, and two digests of every task.

    Args:
        tasks: The tasks; they are taken a group at a time.
        against: Tasks of other data sets, whose statements and tests must not appear.
        options: How to check.

    Raises:
        InfrastructureError: if the machine failed.
    """
    options = options or CheckOptions()
    copies = Copies(against)
    groups = _groups(tasks, options.cells.size)
    every = chain.from_iterable(_checked(group, options) for group in groups)
    for number, found in enumerate(every, 1):
        options.emit(Event(job="check", stage=f"task {number:,}", message=found.task.id))
        found.findings += copies.findings(found.task, found.digests)
        yield found.task, found.checked()


def _groups(tasks: Iterable[Task], least: int) -> Iterator[list[Task]]:
    """Yield the tasks in groups of bounded size, each of which has work for all cells."""
    group: list[Task] = []
    size = 0
    for task in tasks:
        group.append(task)
        size += _size(task.tests) + sum(len(each.source) for each in task.solutions)
        if (size >= _GROUP_BYTES and len(group) >= least) or len(group) >= _GROUP_TASKS:
            yield group
            group, size = [], 0
    yield group


def _size(value: object) -> int:
    """Return about how many bytes a JSON value takes."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return 8 + sum(map(_size, value)) if isinstance(value, list | tuple) else 8


def _checked(group: list[Task], options: CheckOptions) -> Iterator["_TaskFindings"]:
    stopped = threading.Event()
    checks, workers = _Checks(options, stopped), options.cells.size
    try:
        found = list(in_order(checks.check, group, workers, stopped.set))
        yield from in_order(checks.repeat, found, workers, stopped.set)
    finally:
        checks.forget()


@dataclass(frozen=True, slots=True)
class _Tried:
    """A right solution, and its first run."""

    solution: TaskSolution
    success: bool
    verdicts: list[str]
    details: str
    missing: str
    """The header or the package that it lacks; empty if it lacks none."""
    share: tuple[float, str]
    """The largest share of a limit that it took, with a sentence about it."""


@dataclass(slots=True)
class _TaskFindings:
    """Findings about one task, and its first runs until they are repeated."""

    task: Task
    digests: dict[str, bytes] = field(default_factory=dict)
    findings: list[TaskFinding] = field(default_factory=list)
    row: LoadedTask | None = None
    tried: list[_Tried] = field(default_factory=list)
    solved: int = 0

    def add(self, kind: FaultKind | WarningKind, message: str) -> None:
        self.findings.append(TaskFinding(kind=kind, message=clause(message, _MOST_CHARS)))

    def checked(self) -> CheckedTask:
        origin = self.task.provenance
        findings = sorted(self.findings, key=lambda each: each.kind not in FAULTS)
        return CheckedTask(
            id=self.task.id,
            file=origin.file,
            row=origin.row,
            solved=self.solved,
            findings=tuple(findings),
        )


class _Checks:
    """Checks the tasks of one group by themselves; threads share it."""

    def __init__(self, options: CheckOptions, stopped: threading.Event) -> None:
        running = RunningOptions(pool=options.pool, limits=options.limits, fail_fast=True)
        self._judges = Judges(running)
        self._reseeded = Judges(running.model_copy(update={"seed": _OTHER_SEED}))
        self._most, self._stopped = options.solutions, stopped

    def forget(self) -> None:
        """Drop the judges with their tests at once, which refer to each other."""
        self._judges.of.cache_clear()
        self._reseeded.of.cache_clear()

    def check(self, task: Task) -> _TaskFindings:
        """Return what is found of a task in the first runs."""
        found = _TaskFindings(task)
        with _unusable(found):
            row = loaded(with_sized_tests(task))
            found.digests = digests_of(task, row.suite)
            judge = self._judges.of(row)
            self._try_right_solutions(row, found)
            self._try_other_solutions(row, found)
            self._try_trivial_programs(row, judge, found)
            found.row = row if found.tried else None
        found.digests = found.digests or digests_of(task)
        return found

    def repeat(self, found: _TaskFindings) -> _TaskFindings:
        """Run right solutions again, and add what is found of them."""
        row, found.row = found.row, None
        failed: list[_Tried] = []
        flaky: list[str] = []
        for number, tried in enumerate(found.tried):
            verdicts, details = tried.verdicts, tried.details
            if row is not None and (tried.success or number < self._most):
                with _unusable(found):
                    verdicts, details = self._again(row, tried)
            if verdicts != tried.verdicts:
                flaky.append(details if tried.success else tried.details)
            elif tried.success:
                found.solved += 1
            else:
                failed.append(tried)
        if flaky:
            found.add("flaky", f"one of two runs of a solution fails; {flaky[0]}")
        elif failed:
            found.add(*_of_failures(failed, found.solved))
        share, what = max((each.share for each in found.tried), default=(0.0, ""))
        if share > _MARGIN:
            found.add("margin", what)
        return found

    def _try_right_solutions(self, row: LoadedTask, found: _TaskFindings) -> None:
        for solution in self._runnable(row, ("right",)):
            solved = any(each.success for each in found.tried)
            if len(found.tried) >= self._most * (1 if solved else _MORE_TRIES):
                return
            judge = self._judges.of(row, solution.language)
            result = self._judged(judge, row.task, solution)
            found.tried.append(
                _Tried(
                    solution,
                    result.success,
                    _verdicts(result),
                    result.details,
                    _missing(result),
                    _largest_share(result, judge) if result.success else (0.0, ""),
                )
            )

    def _again(self, row: LoadedTask, tried: _Tried) -> tuple[list[str], str]:
        """Return the verdicts and the details of another run, for Python with another seed."""
        language = tried.solution.language
        judge = self._judges.of(row, language)
        if judge.toolchain.harness is not None:
            judge = self._reseeded.of(row, language)
        result = self._judged(judge, row.task, tried.solution)
        return _verdicts(result), result.details

    def _try_other_solutions(self, row: LoadedTask, found: _TaskFindings) -> None:
        tried = self._runnable(row, ("wrong", "slow", "hungry"))[: self._most]
        passed = dict.fromkeys((each.label for each in tried), 0)
        for solution in tried:
            judge = self._judges.of(row, solution.language)
            passed[solution.label] += self._judged(judge, row.task, solution).success
        wrong = sum(each.label == "wrong" for each in tried)
        if wrong and passed["wrong"] == wrong:
            found.add("indifferent", f"wrong programs of its own that pass: {wrong} of {wrong}")
        elif any(passed.values()):
            which = ", ".join(f"{number} {label}" for label, number in passed.items() if number)
            found.add("lenient", f"programs of its own that must fail and pass: {which}")

    def _try_trivial_programs(self, row: LoadedTask, judge: Judge, found: _TaskFindings) -> None:
        total = len(row.suite)
        passed = constant_answers(judge)
        for what, source in trivial_programs(row.task, judge).items():
            with suppress(UsageError):  # the tests call nothing that it has
                passed[what] = total * self._result(judge, source).success
        what, number = max(passed.items(), key=lambda each: each[1], default=("", 0))
        message = f"a program that {what} passes {number} of {counted(total, 'case')}"
        # The answer of the only case is right for all of them.
        if number and number == total and (total > 1 or what == NOTHING):
            found.add("vacuous", message)
        elif judge.vacuous:
            found.add("weak", judge.vacuous)
        elif number and number >= _MANY * total:
            found.add("weak", message)

    def _runnable(self, row: LoadedTask, labels: tuple[SolutionLabel, ...]) -> list[TaskSolution]:
        """Return the solutions that can be run here, of each language in turn."""
        by_language: dict[str, list[TaskSolution]] = {}
        own_language = row.task.language
        for each in row.task.solutions:
            if each.label in labels and own_language in (None, each.language):
                by_language.setdefault(each.language, []).append(each)
        able = [own for language, own in by_language.items() if self._can_run(row, language)]
        return [each for turn in zip_longest(*able) for each in turn if each is not None]

    def _can_run(self, row: LoadedTask, language: str) -> bool:
        try:
            return self._judges.of(row, language).toolchain.runnable
        except UsageError:
            return False

    def _judged(self, judge: Judge, task: Task, solution: TaskSolution) -> VerifyResult:
        is_answer = task.completion in ("expression", "arguments")
        source = program_of(task, solution.source) if is_answer else solution.source
        return self._result(judge, source)

    def _result(self, judge: Judge, source: str) -> VerifyResult:
        return judge.judge(source_bytes(source), workers=1, stopped=self._stopped.is_set)


def _verdicts(result: VerifyResult) -> list[str]:
    return [case.verdict for case in result.cases]


@contextmanager
def _unusable(found: _TaskFindings) -> Iterator[None]:
    """Turn errors of a task's own into findings."""
    try:
        yield
    except (UsageError, CheckerError) as error:
        is_missing = isinstance(error, LanguageError) or _MISSING.search(str(error))
        found.add("unavailable" if is_missing else "broken", str(error))


def _of_failures(failed: list[_Tried], solved: int) -> tuple[FaultKind | WarningKind, str]:
    """Return the finding about solutions that fail."""
    first = failed[0].details
    if solved:
        number = f"{len(failed)} of {counted(len(failed) + solved, 'solution')}"
        return "disputed", f"{number} of its own fail; {first}"
    if missing := next((each.missing for each in failed if each.missing), ""):
        return "unavailable", f"its solutions need {missing}, which is not installed"
    return "unsolvable", f"none of {counted(len(failed), 'solution')} of its own passes; {first}"


def _missing(result: VerifyResult) -> str:
    """Return the header or the package whose absence made a program fail; empty if none did."""
    texts = [str(each) for each in result.compile.errors]
    texts += [f"{case.message}\n{case.stderr}" for case in result.cases]
    match = _MISSING.search("\n".join(texts))
    return next(filter(None, match.groups())) if match else ""


def _largest_share(result: VerifyResult, judge: Judge) -> tuple[float, str]:
    """Return the largest share of a limit that a case took, and a sentence about it."""
    shares = [(0.0, "")]
    for case, given in zip(result.cases, judge.suite.cases, strict=True):
        ms = given.timeout * 1000 if given.timeout else judge.limits.cpu_ms
        mib = judge.limits.memory_mib
        for share, limit in (
            (case.cpu_ms / ms, f"{ms:,.0f} ms"),
            (case.memory_mib / mib, f"{mib:,} MiB"),
        ):
            taken = f"a right solution takes {percent(share)} of {limit} in case {case.name}"
            shares.append((share, taken))
    return max(shares)


NOTHING, CONSTANT = "does nothing", "always gives the same answer"
_FUNCTION = "def {name}(*args, **named):\n    return {value}\n"
_CLASS = (
    "class {name}:\n    def __init__(self, *args, **named):\n        pass\n\n"
    "    def __getattr__(self, name):\n        return lambda *args, **named: {value}\n"
)
_EQUALITIES = ("assertEqual", "assertEquals")


def constant_answers(judge: Judge) -> dict[str, int]:
    """Return, for answers that are the same for each input, the number of cases that accept them.

    The checker decides at once: no program has to run. There are none for assertions.
    """
    cases = judge.suite.cases
    if judge.entry.kind == "asserts" or not cases:
        return {}
    ((answer, _),) = Counter(each.expected for each in cases).most_common(1)
    passed = {
        NOTHING: len(judge.passed_by_nothing),
        CONSTANT: sum(judge.checker.check(case, answer).passed for case in cases),
    }
    if isinstance(judge.checker, ProgramChecker):
        passed[NOTHING] = sum(judge.checker.check(case, b"").passed for case in cases)
    return passed


def trivial_programs(task: Task, judge: Judge) -> dict[str, str]:
    """Return programs for assertions: functions that return None, or the first expected value."""
    if judge.entry.kind != "asserts":
        return {}
    code = str(task.tests[0].get("code", "")) if task.tests else ""
    try:
        tree: ast.AST = python_tree(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    names = [judge.entry.name] if judge.entry.name else _called(tree)
    values = {NOTHING: "None"}
    if (expected := _expected(tree)) not in ("", "None"):
        values[CONSTANT] = expected
    return {
        what: "\n\n".join(
            (_CLASS if name[:1].isupper() else _FUNCTION).format(name=name, value=value)
            for name in names
        )
        for what, value in values.items()
    }


def _called(tree: ast.AST) -> list[str]:
    """Return the names of the functions that a text calls and does not have itself."""
    called = dict.fromkeys(
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    )
    own = {getattr(node, "name", "") for node in ast.walk(tree)}
    return [name for name in called if not hasattr(builtins, name) and name not in own]


def _expected(tree: ast.AST) -> str:
    """Return the first plain value that a text expects, as Python text; empty if there is none."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left, [ast.Eq()], [right]):
                sides = [left, right]
            case ast.Call(ast.Attribute(_, name), [left, right, *_]) if name in _EQUALITIES:
                sides = [left, right]
            case _:
                continue
        for side in sides:
            with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                ast.literal_eval(side)
                return ast.unparse(side)
    return ""
