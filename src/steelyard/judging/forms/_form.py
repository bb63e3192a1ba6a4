"""A form: the conventions by which a source's own evaluator judges a program.

1. It reads the tests as the source writes them, into the fields of a `Task`.
2. It decides how printed text and values are compared, where the task does not.
3. It gives programs the names that the evaluator imports for them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

TaskFields = dict[str, Any]
"""Fields of a `Task`. It is validated as a whole, so their values may be of any type here."""

_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Source:
    """The fields of one row that its tests depend on, in every source."""

    tests: object
    """In the source's own shape, decoded if it was JSON text."""
    name: str = ""
    """The function or class under test, if the source names one apart from the tests."""
    prompt: str = ""
    starter_code: str = ""
    setup: str = ""
    """Python text that runs before assertions."""
    language: str = ""
    """The language of programs, as the source names it."""


@dataclass(frozen=True, slots=True)
class Form:
    """The conventions of one source."""

    name: str
    read: Callable[[Source], TaskFields]
    """Returns `entry`, `tests` and whatever else of a task follows from them.

    Raises TestsError for tests that are not in this form.
    """
    printed: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    """How printed text is compared, as fields of a `Task`."""
    values: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    """How the values of calls are compared, as fields of a `Task`."""
    limits: Mapping[str, int] = field(default_factory=lambda: _NONE)
    """Limits of a case if the row states none, as fields of a `Task`: those that the evaluator
    gives, if they are above the usual ones."""
    usual_names: bool = False
    """Python programs may use the names of contest sites without importing them, and recurse
    deep, even if they read standard input. (Functions always may.)"""
    source: str = ""
    """The address of the evaluator."""
    note: str = ""
    """One line for results: what a verdict of this form does not prove."""

    def fields(self, source: Source) -> TaskFields:
        """Return the fields of a task that its source's tests decide.

        Raises:
            TestsError: if the tests are not in this form.
        """
        read = self.read(source)
        return {"form": self.name, **self.conventions(str(read["entry"])), **read}

    def conventions(self, entry: str) -> TaskFields:
        """Return the fields of a task that the form decides for an entry, whatever its tests."""
        kind = entry.partition(":")[0]
        comparison = (
            self.printed if kind == "stdio" else _NONE if kind == "asserts" else self.values
        )
        return {**self.limits, **comparison}
