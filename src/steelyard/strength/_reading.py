"""Read what is measured: the options, and a suite of any form with its specification.

`read_given` gives a suite that is ready to be run. `SpecCalls` makes the calls of a specification,
and compares their answers.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field, JsonValue, SkipValidation, ValidationError

from steelyard.errors import SpecificationError, TestsError
from steelyard.families import args_of
from steelyard.inputs import read_specification
from steelyard.judging import (
    Checker,
    ComparisonOptions,
    Outcome,
    TestSource,
    ValueChecker,
    as_entry,
    entry_checker,
    load_tests,
    value_checker_for,
)
from steelyard.options import EntryText, Flag, PythonOptions
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    Entry,
    Limits,
    Specification,
    StressSize,
    TestCase,
    TestSuite,
    fault_of_record,
    values,
)
from steelyard.values import PlainType, layout_of, match_mode_of, parse_type, plain_of

MUTANTS = 200
_USUAL_CPU_MS = 2_000
Program = str | bytes | Path
_Texts = Annotated[list[str], Field(max_length=50)]


class StrengthOptions(ComparisonOptions, PythonOptions):
    """Options of `measure_strength`; `limits` apply to each case."""

    group: ClassVar[str] = "Tests"
    usual_limits: ClassVar[Mapping[str, str]] = {
        "cpu_ms": str(_USUAL_CPU_MS),
        "memory_mib": str(Limits().memory_mib),
    }

    spec: Annotated[
        Specification | str | Path | None,
        Flag("FILE", group="Program", takes=Specification | None, local=True),
    ] = None
    """Specification, for validity and bounds of the inputs."""
    wrong: Annotated[
        Sequence[Program],
        Flag("FILE", note="A folder is all of its files. Repeat for more.", takes=_Texts),
    ] = ()
    """Wrong programs, which the suite must kill."""
    slow: Annotated[Sequence[Program], Flag("FILE", takes=_Texts)] = ()
    """Programs that are right and too slow; the first sets the size of stress inputs."""
    growth: Annotated[StressSize | None, Flag(local=True)] = None
    """The size of stress inputs, if it is known; None measures it."""
    references: Annotated[Sequence[Program], Flag("FILE", takes=_Texts)] = ()
    """Solutions that were written independently."""
    mutants: Annotated[int, Flag("N")] = Field(default=MUTANTS, ge=0, le=100_000)
    """Largest number of mutants of the solution."""
    entry: Annotated[
        Entry | str | None,
        Flag("ENTRY", "class:Solution.solve", group="Program", takes=EntryText | None),
    ] = None
    """Entry point of a Python program: stdio, function:NAME or class:NAME.METHOD; None is
    class:Solution.solve, or stdio for a folder."""
    candidates: SkipValidation[Iterable[Sequence[JsonValue]] | None] = Field(
        default=None, exclude=True
    )
    """Arguments of calls that are tried on surviving mutants."""


_LONGEST_TIMES, _ALWAYS_BYTES = 16, 1 << 16
_BACK_ARGS = 1
"""Asks the harness for the arguments after the call (toolchains/incell/calls.py)."""


class SpecCalls:
    """The calls of `solve` of a specification, and the comparison of its answers.

    Args:
        spec: The specification. None: arguments are passed as they are, and a tuple equals a list.
    """

    def __init__(self, spec: Specification | None) -> None:
        self._types = [parse_type(each.type) for each in spec.parameters] if spec else []
        self._returns = parse_type(spec.returns) if spec else None
        self._in_place = spec is not None and spec.output_type == "in-place"
        mode = spec.match_mode if spec else "exact"
        alike = spec is None or spec.output_type != "exact"
        plain = value_checker_for(mode, sequences_alike=alike)
        self.checker: ValueChecker = plain
        if self._in_place:
            self.checker = InPlaceChecker(plain.mode, plain.tolerance, plain.sequences_alike)
        elif not alike:
            self.checker = TypedChecker(
                plain.mode, plain.tolerance, plain.sequences_alike, returns=self._returns
            )

    def call_of(self, args: Sequence[JsonValue]) -> bytes:
        """Return the call with these arguments, as the harness reads it."""
        given: list[Any] = list(args)
        if len(self._types) == len(given):
            pairs = zip(self._types, given, strict=True)
            given = [
                kind.value_of(each) if kind.fault_of(each) is None else each for kind, each in pairs
            ]
        return values.encode([given, None, _BACK_ARGS if self._in_place else 0]).encode()

    def case_of(self, case: AuthoredCase, args: Sequence[JsonValue]) -> TestCase:
        """Return a case with an expected output as a test."""
        return TestCase(
            input=self.call_of(args),
            expected=self._outcome(case.expected),
            name=case.name,
            category=case.category,
        )

    def typed(self, test: TestCase, args: Sequence[JsonValue] | None) -> TestCase:
        """Return a test of a call with the types of the specification, which JSON has not.

        Args:
            test: The test. One that expects an exception, or states the arguments after the call,
                stays as it is.
            args: Its arguments; None if they are not JSON.
        """
        try:
            kind, expected = _plain(test.expected)
        except (ValueError, TypeError):
            return test
        if kind != "ok" or args is None:
            return test
        typed = {"input": self.call_of(args), "expected": self._outcome(expected)}
        return test.model_copy(update=typed)

    def _outcome(self, expected: Any) -> bytes:
        if self._returns is not None and self._returns.fault_of(expected) is None:
            expected = self._returns.value_of(expected)
        return values.encode(["ok", expected]).encode()

    def suite_of(self, cases: Sequence[AuthoredCase]) -> TestSuite:
        """Return the tests of the cases that have an expected output.

        Raises:
            SpecificationError: if an input cannot be expanded.
            TestsError: if no case has an expected output.
        """
        known = [case for case in cases if case.has_expected]
        if not known:
            raise TestsError("no case of the suite has an expected output; compute outputs first")
        tests = tuple(self.case_of(case, args_of(case.input)) for case in known)
        return TestSuite(cases=tests, entry_kind="class", source="suite")


class InPlaceChecker(ValueChecker):
    """Decides on the first argument after the call, whatever the call returned."""

    __slots__ = ()

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept the expected value in place of the first argument."""
        longest = _LONGEST_TIMES * (len(case.expected) + len(case.input)) + _ALWAYS_BYTES
        if len(output) > longest:
            return Outcome(False, "the arguments are far longer than before the call")
        expected = case.model_copy(update={"expected": _first_argument(case.expected)})
        return ValueChecker.check(self, expected, _first_argument(output))


@dataclass(frozen=True, slots=True)
class TypedChecker(ValueChecker):
    """Decides on the value and on its type: `True` and `1.0` are not the int 1."""

    returns: PlainType | None = None

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept the expected value if it has the type that is asked for."""
        outcome = ValueChecker.check(self, case, output)
        if not outcome.passed or self.returns is None:
            return outcome
        try:
            fault = self.returns.fault_of(plain_of(output)[1])
        except (ValueError, LookupError, TypeError) as error:
            fault = str(error)
        return Outcome(False, f"returned a wrong type: {fault}") if fault else outcome


def _first_argument(outcome: bytes) -> bytes:
    """Return an outcome with the first argument after the call as its value.

    One without arguments, such as an exception, is returned as it is.
    """
    try:
        kind, _, after = json.loads(outcome)
        return json.dumps([kind, after[0]], separators=(",", ":")).encode()
    except (ValueError, TypeError, LookupError, RecursionError):
        return outcome


def _plain(text: bytes) -> Any:
    """Return an encoded value as JSON, with lists for tuples.

    Raises:
        ValueError: if JSON has no such value.
    """
    return json.loads(json.dumps(plain_of(text)))


@dataclass(frozen=True)
class ReadySuite:
    """A suite, ready to be run."""

    tests: TestSuite
    entry: Entry
    checker: Checker
    limits: Limits
    spec: Specification | None
    calls: SpecCalls
    args: tuple[tuple[JsonValue, ...] | None, ...]
    """The arguments of each test; None if they are not known."""
    unread: tuple[str, ...] = ()
    """The reason for each test whose arguments are not known; empty for the others."""
    authored: tuple[AuthoredCase, ...] = ()
    """The case of each test, if the suite is an authored one."""
    notes: tuple[str, ...] = ()
    stated_ms: float | None = None
    """CPU time of each case, if the suite or the caller states it."""

    @property
    def is_called(self) -> bool:
        """True if programs are called with arguments."""
        return self.entry.is_call


def read_given(suite: AuthoredSuite | TestSource, options: StrengthOptions) -> ReadySuite:
    """Return a suite with all that is needed to run it.

    Raises:
        TestsError: if the suite cannot be read, or has no expected output.
        SpecificationError: if an input or a type cannot be read.
        UsageError: if the specification cannot be read, or an option does not apply.
    """
    spec = None if options.spec is None else read_specification(options.spec)
    calls = SpecCalls(spec)
    authored = read_authored(suite)
    if authored is not None:
        return _of_authored(authored, spec, calls, options)
    assert not isinstance(suite, AuthoredSuite)
    entry = _entry_of(options.entry, suite)
    tests = load_tests(suite, entry=entry)
    called = entry.is_call
    names = [parameter.name for parameter in spec.parameters] if spec else []
    unread: tuple[str, ...] = ()
    if called:
        args = tuple(plain_args(test, names) for test in tests.cases)
    elif spec is not None:
        args, unread = _texts(tests, spec)
    else:
        args = (None,) * len(tests.cases)
    if spec is not None and called:
        typed = zip(tests.cases, args, strict=True)
        cases = tuple(calls.typed(test, given) for test, given in typed)
        tests = tests.model_copy(update={"cases": cases})
    return ReadySuite(
        tests=tests,
        entry=entry,
        checker=_checker_of(entry, spec, calls, options),
        limits=_limits_of(options.limits, None),
        spec=spec,
        calls=calls,
        args=args,
        unread=unread,
        stated_ms=_stated_ms(options.limits),
    )


def _of_authored(
    suite: AuthoredSuite,
    spec: Specification | None,
    calls: SpecCalls,
    options: StrengthOptions,
) -> ReadySuite:
    entry = as_entry(options.entry or "class:Solution.solve")
    known = tuple(case for case in suite.cases if case.has_expected)
    return ReadySuite(
        tests=calls.suite_of(known),
        entry=entry,
        checker=_checker_of(entry, spec, calls, options, always=True),
        limits=_limits_of(options.limits, suite.time_limit_ms),
        spec=spec,
        calls=calls,
        args=tuple(args_of(case.input) for case in known),
        authored=known,
        notes=tuple(_notes(suite, known, spec)),
        stated_ms=_stated_ms(options.limits) or suite.time_limit_ms,
    )


def _notes(
    suite: AuthoredSuite, known: Sequence[AuthoredCase], spec: Specification | None
) -> list[str]:
    notes = []
    left = len(suite.cases) - len(known)
    if left:
        notes.append(f"{left:,} cases without an expected output were left out")
    if spec is not None and spec.digest != suite.spec_digest:
        notes.append("the suite was made for another version of the specification")
    return notes


def _entry_of(entry: Entry | str | None, suite: TestSource) -> Entry:
    """Return the entry that is named; else the usual one for these tests."""
    if entry is not None:
        return as_entry(entry)
    if isinstance(suite, TestSuite):
        is_stdio = suite.entry_kind == "stdio"
    else:
        is_stdio = isinstance(suite, str | Path) and Path(suite).is_dir()
    return as_entry("stdio" if is_stdio else "class:Solution.solve")


def _texts(
    tests: TestSuite, spec: Specification
) -> tuple[tuple[tuple[JsonValue, ...] | None, ...], tuple[str, ...]]:
    """Return the arguments that standard inputs hold, and why some cannot be read.

    Raises:
        SpecificationError: if a type cannot be read.
    """
    layout = layout_of(spec)
    found: list[tuple[JsonValue, ...] | None] = []
    unread = []
    for test in tests.cases:
        try:
            calls = layout.read(test.input.decode())
            found.append(calls[0] if len(calls) == 1 else None)
            unread.append("" if found[-1] else "it has several tests")
        except (UnicodeDecodeError, SpecificationError) as error:
            found.append(None)
            fault = "not UTF-8" if isinstance(error, UnicodeError) else str(error).split(":")[0]
            unread.append(f"the documented form of arguments: {fault}")
    return tuple(found), tuple(unread)


def _checker_of(
    entry: Entry,
    spec: Specification | None,
    calls: SpecCalls,
    options: StrengthOptions,
    *,
    always: bool = False,
) -> Checker:
    """Return the checker that is asked for, else the specification's, if there is one.

    Args:
        entry: How programs are entered.
        spec: The specification.
        calls: Its calls.
        options: What is asked for.
        always: Compare calls as a specification does even if there is none.
    """
    mode = options.match_mode
    if mode is None and entry.is_call and (always or spec is not None):
        return calls.checker
    if mode is None and spec is not None:
        mode = match_mode_of(spec)
    return entry_checker(
        entry,
        mode or "exact",
        options.abs_tol,
        options.rel_tol,
        sequences_alike=options.sequences_alike,
        ignore_case=options.ignore_case,
    )


def _stated_ms(limits: Limits | None) -> float | None:
    return limits.cpu_ms if limits is not None and "cpu_ms" in limits.model_fields_set else None


def _limits_of(limits: Limits | None, suite_ms: float | None) -> Limits:
    if limits is not None and _stated_ms(limits) is not None:
        return limits
    return (limits or Limits()).replace(cpu_ms=round(suite_ms or _USUAL_CPU_MS))


def read_authored(source: TestSource | AuthoredSuite) -> AuthoredSuite | None:
    """Return the authored suite that a source is or holds; None for tests of another form.

    Raises:
        TestsError: if a file holds an authored suite with a fault.
    """
    if isinstance(source, AuthoredSuite):
        return source
    if not isinstance(source, str | Path) or Path(source).suffix.lower() != ".json":
        return None
    try:
        plain = json.loads(Path(source).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None  # `load_tests` names the fault
    if not isinstance(plain, dict) or "spec_digest" not in plain:
        return None
    try:
        return AuthoredSuite.model_validate(plain)
    except ValidationError as error:
        raise TestsError(f"{source}: {fault_of_record(error, plain, AuthoredSuite)}") from error


def plain_args(test: TestCase, names: Sequence[str]) -> tuple[JsonValue, ...] | None:
    """Return the arguments of a call as JSON values: lists for tuples; None if it has others.

    Args:
        test: The call.
        names: The parameters, in order, for arguments that are passed by name.
    """
    try:
        args, named, _ = _plain(test.input)
        if named:
            args += [named.pop(name) for name in names[len(args) :]]
        return None if named else tuple(args)
    except (ValueError, TypeError, LookupError):
        return None
