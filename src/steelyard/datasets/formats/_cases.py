"""Test rows of programs that read standard input, in each way that data sets write them."""

from collections.abc import Iterable

from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.rows import RowError

__all__ = ["VISIBLE", "call_cases", "io_cases", "io_pairs"]

VISIBLE = "visible"
"""The category of cases that the statement shows."""
_NAMES = (("input", "output"), ("inputs", "outputs"), ("stdin", "stdout"))

Case = dict[str, object]


def io_cases(pairs: Iterable[tuple[object, object]], name: str, category: str = "") -> list[Case]:
    """Return a case for each pair of an input and an output. Lists of lines become text.

    Args:
        pairs: What the field holds.
        name: The field, for messages.
        category: The category of the cases.
    """
    cases = []
    for number, (given, expected) in enumerate(pairs, start=1):
        case: Case = {
            "input": _text(given, f'input {number} of "{name}"'),
            "expected": _text(expected, f'output {number} of "{name}"'),
        }
        cases.append(case | {"category": category} if category else case)
    return cases


def call_cases(calls: Iterable[tuple[object, object]], name: str, category: str = "") -> list[Case]:
    """Return a case for each pair of a list of arguments and the value that the call returns."""
    cases = []
    for number, (args, expected) in enumerate(calls, start=1):
        if not isinstance(args, list):
            raise RowError(
                f'input {number} of "{name}" is not a list of arguments; write one such as [1, 2]'
            )
        case: Case = {"args": args, "expected": expected}
        cases.append(case | {"category": category} if category else case)
    return cases


def io_pairs(row: Fields, name: str) -> list[tuple[object, object]]:
    """Return the pairs in a field: an object of two parallel lists, or a list of objects.

    Raises:
        RowError: if there are more inputs than outputs, or the reverse.
    """
    value = row.row.get(name)
    if value is None:
        return []
    if isinstance(value, dict):
        return _parallel(value, name)
    pairs: list[tuple[object, object]] = []
    for number, item in enumerate(row.objects(name), start=1):
        keys = next((keys for keys in _NAMES if keys[0] in item.row and keys[1] in item.row), None)
        if keys is None:
            raise RowError(f'item {number} of "{name}" lacks "input" or "output"; add it')
        given, expected = (_unwrapped(item.row[key]) for key in keys)
        pairs.append((given, expected))
    return pairs


def _parallel(value: dict[str, object], name: str) -> list[tuple[object, object]]:
    for keys in _NAMES:
        given, expected = (value.get(key) for key in keys)
        if isinstance(given, list) and isinstance(expected, list):
            if len(given) != len(expected):
                raise RowError(
                    f'"{name}" has {len(given)} inputs and {len(expected)} outputs; '
                    "they contradict each other"
                )
            return list(zip(given, expected, strict=True))
    raise RowError(f'"{name}" lacks the lists "input" and "output"; add them')


def _unwrapped(value: object) -> object:
    """Return the text of `{"stdin": text}` or `{"stdout": text}`."""
    if isinstance(value, dict) and len(value) == 1:
        return value.get("stdin", value.get("stdout"))
    return value


def _text(value: object, what: str) -> str:
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    if not isinstance(value, str):
        raise RowError(f"{what} is not text; write it as text")
    return value
