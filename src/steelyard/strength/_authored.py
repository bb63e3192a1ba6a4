"""Read a suite with its specification: calls, how answers are compared, and plain arguments."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue, ValidationError

from steelyard.errors import TestsError, UsageError
from steelyard.families import args_of
from steelyard.judging import Outcome, TestSource, ValueChecker, value_checker_for
from steelyard.plain import PlainType, parse_type, plain_of
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    Specification,
    TestCase,
    TestSuite,
    fault_of_record,
    values,
)

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
        self.checker: ValueChecker = value_checker_for(mode, sequences_alike=alike)
        if self._in_place:
            plain = self.checker
            self.checker = InPlaceChecker(plain.mode, plain.tolerance, plain.sequences_alike)
        elif not alike:
            plain = self.checker
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
            kind, value = json.loads(test.expected)
            expected = _plain(value)
        except (ValueError, TypeError, LookupError, RecursionError):
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
        fault = fault_of_record(error, plain, AuthoredSuite)
        raise TestsError(f"{source}: {fault}") from error


def read_specification(source: Specification | str | Path) -> Specification:
    """Return a specification, or the one in a JSON file.

    Raises:
        UsageError: if the file cannot be read, or holds no specification.
    """
    if isinstance(source, Specification):
        return source
    try:
        plain = json.loads(Path(source).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or "it is not JSON"
        raise UsageError(f"{source} cannot be read: {why}; give a specification") from error
    try:
        return Specification.model_validate(plain)
    except ValidationError as error:
        fault = fault_of_record(error, plain, Specification)
        raise UsageError(f"{source}: {fault}") from error


def plain_args(test: TestCase, names: Sequence[str]) -> tuple[JsonValue, ...] | None:
    """Return the arguments of a call as JSON values: lists for tuples; None if it has others.

    Args:
        test: The call.
        names: The parameters, in order, for arguments that are passed by name.
    """
    try:
        given, named, _ = json.loads(test.input)
        args = [_plain(each) for each in given]
        if named is not None:
            by_name = {key: _plain(value) for key, value in named["v"]}
            args += [by_name.pop(name) for name in names[len(args) :]]
            if by_name:
                return None
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    return tuple(args)


def _plain(tree: Any) -> JsonValue:
    """Return an encoded value as JSON.

    Raises:
        ValueError: if JSON has no such value.
    """
    if isinstance(tree, list):
        return [_plain(item) for item in tree]
    if not isinstance(tree, dict):
        return tree  # type: ignore[no-any-return]
    kind, inner = tree["$"], tree["v"]
    if kind == "tuple":
        return [_plain(item) for item in inner]
    if kind == "int":
        return int(inner, 16)
    if kind == "dict" and all(isinstance(key, str) for key, _ in inner):
        return {key: _plain(value) for key, value in inner}
    raise ValueError(kind)
