"""Read what is measured: the options, and a suite of any form with its specification."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, JsonValue, SkipValidation

from steelyard.errors import SpecificationError
from steelyard.families import args_of
from steelyard.judging import Checker, MatchMode, TestSource, as_entry, entry_checker, load_tests
from steelyard.options import Options
from steelyard.plain import match_mode_of, parse_type, read_arguments
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    Entry,
    Limits,
    Specification,
    StressSize,
    TestSuite,
)
from steelyard.strength._authored import (
    SpecCalls,
    plain_args,
    read_authored,
    read_specification,
)

MUTANTS = 200


class StrengthOptions(Options):
    """Options of `measure_strength`; `limits` apply to each case."""

    spec: Specification | str | Path | None = None
    """The specification, or its JSON file: for validity, bounds, and the search for inputs."""
    wrong: Sequence[str | bytes | Path] = ()
    """Planted wrong programs, which the suite must kill."""
    slow: Sequence[str | bytes | Path] = ()
    """Planted slow programs, which give right answers and must exceed a limit. The first one also
    sets the size of stress inputs."""
    growth: StressSize | None = None
    """The size of stress inputs, if it is known; None measures it."""
    references: Sequence[str | bytes | Path] = ()
    """Other solutions, written without sight of the solution."""
    mutants: int = Field(default=MUTANTS, ge=0, le=100_000)
    """Largest number of mutants of the solution."""
    entry: Entry | str | None = None
    """How programs are entered; None is `class:Solution.solve`, or `stdio` for a folder."""
    candidates: SkipValidation[Iterable[Sequence[JsonValue]] | None] = Field(
        default=None, exclude=True
    )
    """Arguments of calls that are tried on surviving mutants."""
    match_mode: MatchMode | None = None
    """How outputs or values are compared; None is the specification's, else `exact`."""
    abs_tol: float | None = None
    """For modes that compare numbers, the largest absolute difference."""
    rel_tol: float | None = None
    """For these, the largest difference relative to the expected number."""
    sequences_alike: bool = False
    """For calls, a list equals a tuple with the same items."""
    ignore_case: bool = False
    """For printed words and lines, `A` to `Z` equal `a` to `z`."""
    preload: Sequence[str] = ()
    """For Python, modules to load beforehand, such as `numpy`."""


_USUAL_CPU_MS = 2_000
_CALLED = ("function", "class")


@dataclass(frozen=True)
class Given:
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
        return self.entry.kind in _CALLED


def read_given(suite: AuthoredSuite | TestSource, options: StrengthOptions) -> Given:
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
    called = entry.kind in _CALLED
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
    return Given(
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
) -> Given:
    entry = as_entry(options.entry or "class:Solution.solve")
    known = tuple(case for case in suite.cases if case.has_expected)
    return Given(
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
    kinds = [parse_type(each.type) for each in spec.parameters]
    found: list[tuple[JsonValue, ...] | None] = []
    unread = []
    for test in tests.cases:
        try:
            found.append(read_arguments(kinds, test.input.decode()))
            unread.append("")
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
    if mode is None and entry.kind in _CALLED and (always or spec is not None):
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
