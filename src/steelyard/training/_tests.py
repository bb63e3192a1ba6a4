"""Read the tests of a completion as data sets hold them."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from steelyard.errors import TestsError
from steelyard.judging import load_json_tests, load_tests
from steelyard.schemas import Entry, TestCase, TestSuite, no_repeats
from steelyard.training._ground_truth import cases_of, entry_of, is_ground_truth

__all__ = ["RowTests", "SuiteReader"]

RowTests: TypeAlias = (
    str | TestSuite | Sequence[Mapping[str, object] | TestCase | str] | Mapping[str, object]
)
"""Tests of one completion: what `load_tests` takes, but never a path; parallel lists of `inputs`
and `outputs` with an optional `fn_name`, or `assert_case`; or one of these as JSON text."""

_ADVICE = "give a list of cases, or JSON text"


class SuiteReader:
    """Reads the tests of one batch: the completions of one prompt share theirs, read once."""

    def __init__(self) -> None:
        self._values: dict[str, object] = {}
        # With the tests themselves: while they live, no other object has their id.
        self._suites: dict[tuple[object, Entry], tuple[object, TestSuite]] = {}

    def read(self, tests: RowTests, entry: Entry, program: str) -> tuple[TestSuite, Entry]:
        """Return the tests of one completion, and its entry.

        Args:
            tests: The tests.
            entry: The entry if the tests name none.
            program: The completion's text.

        Raises:
            TestsError: for text that is not JSON, and for values that are not tests.
        """
        if isinstance(tests, TestSuite):
            return tests, entry
        value = self._value_of(tests) if isinstance(tests, str) else tests
        if is_ground_truth(value):
            assert isinstance(value, Mapping)
            entry = entry_of(value, program, entry)
        key = (tests if isinstance(tests, str) else id(tests), entry)
        if key not in self._suites:
            suite = _loaded(value, entry, is_json=isinstance(tests, str))
            self._suites[key] = tests, suite
        return self._suites[key][1], entry

    def _value_of(self, text: str) -> object:
        value = self._values.get(text)
        if value is None:
            try:
                value = self._values[text] = json.loads(text, object_pairs_hook=no_repeats)
            except (ValueError, RecursionError) as error:
                raise TestsError(f"tests are text that is not JSON: {error}; {_ADVICE}") from error
        return value


def _loaded(value: object, entry: Entry, *, is_json: bool) -> TestSuite:
    if is_ground_truth(value):
        assert isinstance(value, Mapping)
        return load_tests(cases_of(value, entry), entry=entry)  # type: ignore[arg-type]
    if is_json:
        return load_json_tests(value, entry=entry)
    if isinstance(value, Mapping):
        return load_tests(value, entry=entry)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return load_tests(value, entry=entry)
    raise TestsError(f"tests are {type(value).__name__}; {_ADVICE}")
