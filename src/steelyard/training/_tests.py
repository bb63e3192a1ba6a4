"""Read the tests of a completion as data sets hold them."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from steelyard.errors import TestsError
from steelyard.judging import load_json_tests, load_tests
from steelyard.schemas import Entry, TestCase, TestSuite

__all__ = ["RowTests", "SuiteReader"]

RowTests: TypeAlias = (
    str | TestSuite | Sequence[Mapping[str, object] | TestCase | str] | Mapping[str, object]
)
"""Tests of one completion: what `load_tests` takes, or that as JSON text; never a path."""


class SuiteReader:
    """Reads the tests of one batch: the completions of one prompt share theirs, read once."""

    def __init__(self) -> None:
        self._suites: dict[tuple[object, Entry], TestSuite] = {}

    def read(self, tests: RowTests, entry: Entry) -> TestSuite:
        """Return the tests of one completion.

        Raises:
            TestsError: for text that is not JSON, and for values that are not tests.
        """
        if isinstance(tests, TestSuite):
            return tests
        key = (tests if isinstance(tests, str) else id(tests), entry)
        suite = self._suites.get(key)
        if suite is None:
            suite = self._suites[key] = _loaded(tests, entry)
        return suite


def _loaded(tests: RowTests, entry: Entry) -> TestSuite:
    if isinstance(tests, Mapping) or (
        isinstance(tests, Sequence) and not isinstance(tests, str | bytes | bytearray)
    ):
        return load_tests(tests, entry=entry)
    if not isinstance(tests, str):
        raise TestsError(f"tests are {type(tests).__name__}; give a list of cases, or JSON text")
    try:
        value = json.loads(tests)
    except (ValueError, RecursionError) as error:
        raise TestsError(
            f"tests are text that is not JSON: {error}; give a list of cases, or JSON text"
        ) from error
    return load_json_tests(value, entry=entry)
