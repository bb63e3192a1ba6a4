"""Read tests as parallel lists, as data sets for reinforcement learning hold them.

Source: `ground_truth` of verl's PRIME code rewards and `unit_tests` of NeMo-Gym's `code_gen`, both
after APPS: `{"inputs": [...], "outputs": [...], "fn_name": "..."}`, or `{"assert_case": [...]}`.
"""

import json
from collections.abc import Mapping

from steelyard.errors import TestsError
from steelyard.schemas import Entry

__all__ = ["cases_of", "entry_of", "is_ground_truth"]


def is_ground_truth(tests: object) -> bool:
    """Return True if tests are parallel lists, not a list of cases."""
    return isinstance(tests, Mapping) and ("inputs" in tests or "assert_case" in tests)


def entry_of(tests: Mapping[str, object], program: str, usual: Entry) -> Entry:
    """Return the entry that the tests name: a function, or a method of the program's `Solution`.

    Raises:
        TestsError: if `fn_name` is not a name.
    """
    if tests.get("assert_case"):
        return usual if usual.kind == "asserts" else Entry(kind="asserts")
    name = tests.get("fn_name")
    if not name:
        return usual
    if not isinstance(name, str) or not name.isidentifier():
        raise TestsError(f'"fn_name" must name a function such as add, got {str(name)[:100]!r}')
    if "class Solution" in program:
        return Entry(kind="class", name=f"Solution.{name}")
    return Entry(kind="function", name=name)


def cases_of(tests: Mapping[str, object], entry: Entry) -> list[object]:
    """Return the cases, in the form that `load_tests` reads.

    For calls an input is a list of arguments, or text with one JSON value a line. If all outputs
    are lists of one item, as APPS writes them, the item is what the call returns.

    Raises:
        TestsError: if a list is missing or the lists contradict each other.
    """
    if tests.get("assert_case"):
        return _list_of(tests, "assert_case")
    inputs, outputs = _list_of(tests, "inputs"), _list_of(tests, "outputs")
    if len(inputs) != len(outputs):
        raise TestsError(
            f"{len(inputs)} inputs but {len(outputs)} outputs; give one output for each input"
        )
    pairs = list(zip(inputs, outputs, strict=True))
    if entry.kind == "stdio":
        return [{"input": _lines(given), "expected": _lines(output)} for given, output in pairs]
    if any(isinstance(given, str) for given in inputs):
        return [
            {"args": _values(str(given)), "expected": _value(str(output))}
            for given, output in pairs
        ]
    items = [output[0] for output in outputs if isinstance(output, list) and len(output) == 1]
    expected = items if len(items) == len(outputs) else outputs
    return [{"args": given, "expected": each} for given, each in zip(inputs, expected, strict=True)]


def _list_of(tests: Mapping[str, object], key: str) -> list[object]:
    value = tests.get(key)
    if not isinstance(value, list | tuple):
        raise TestsError(f'"{key}" is not a list; make it a list')
    return list(value)


def _lines(value: object) -> object:
    """Return a text; a list of its lines becomes one."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return value


def _values(text: str) -> list[object]:
    return [_value(line) for line in text.split("\n")]


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TestsError(f"a value of a call is not JSON: {error}; write it as JSON") from error
