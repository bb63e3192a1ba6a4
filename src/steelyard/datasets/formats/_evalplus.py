"""EvalPlus: HumanEval+ and MBPP+, as its package publishes them.

A row has inputs and a reference solution, and no outputs. The assertions compare the candidate
with the reference, which runs in their cell.
"""

from steelyard.datasets.formats._evalplus_rules import ALIKE, CONVERSIONS, RULES, TOO_LARGE
from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.formats._format import TaskFields
from steelyard.datasets.rows import RowError

__all__ = ["read_evalplus"]

_CASES = {"base_input": "base", "plus_input": "plus"}
_TIME_MS = 8_000
"""For one input. EvalPlus gives a candidate at least 4 s; here the reference runs as well."""
_MEMORY_MIB = 4_096
"""EvalPlus's own limit."""

_SETUP = """\
import copy
import math
from math import inf, nan

_reference = {{}}
exec(compile({source!r}, "<reference>", "exec"), _reference)
_reference = _reference[{name!r}]
_tolerance = {tolerance!r}


def _convert(call):
    return {conversion}


def _is_float(value):
    if isinstance(value, (list, tuple)) and value:
        return all(isinstance(item, float) for item in value)
    return isinstance(value, float)


def _near(actual, expected, tolerance):
    if type(actual) is not type(expected):
        return False
    if isinstance(expected, (list, tuple)):
        return len(actual) == len(expected) and all(
            _near_number(*pair, tolerance) for pair in zip(actual, expected)
        )
    return _near_number(actual, expected, tolerance)


def _near_number(actual, expected, tolerance):
    if isinstance(expected, (list, tuple)):
        return _near(actual, expected, tolerance)
    if actual == expected:
        return True
    return abs(actual - expected) <= tolerance + 1e-7 * abs(expected)


def _is_found(value):
    return value if isinstance(value, bool) else value is not None


def _is_like(actual, expected):
    tolerance = _tolerance or (1e-6 if _is_float(expected) else 0)
    return actual == expected or (tolerance != 0 and _near(actual, expected, tolerance))


def _check(candidate, call):
    call = _convert(call)
    expected = _reference(*copy.deepcopy(call))
    actual = candidate(*copy.deepcopy(call))
    assert {rule}, (call, actual)
"""


def read_evalplus(row: Fields) -> TaskFields:
    """Return the task of `task_id, prompt, canonical_solution, entry_point, *_input, atol`."""
    prompt, name = row.text("prompt"), row.text("entry_point")
    identifier = row.identifier("task_id")
    if not name.isidentifier():
        raise RowError('"entry_point" is not a name; name a function')
    reference = prompt + row.text("canonical_solution")
    setup = _SETUP.format(
        source=reference, name=name, tolerance=row.number("atol") or 0,
        conversion=CONVERSIONS.get(identifier, "call"), rule=RULES.get(name, ALIKE),
    )  # fmt: skip
    return {
        "id": identifier,
        "title": name,
        "prompt": prompt,
        "entry": f"asserts:{name}",
        "form": "evalplus",
        "language": "python",
        "completion": "continuation",
        "tests": [
            {"code": f"_check({name}, {_python(call)})", "category": category}
            for field, category in _CASES.items()
            for call in _calls(row, field)
            if call != TOO_LARGE.get(identifier)
        ],
        "setup": setup,
        "time_limit_ms": _TIME_MS,
        "memory_limit_mib": _MEMORY_MIB,
        "solutions": [{"source": reference}],
        "extra": row.kept("contract"),
    }


def _calls(row: Fields, field: str) -> list[list[object]]:
    value = row.row.get(field)
    if not isinstance(value, list) or not all(isinstance(call, list) for call in value):
        if field == "plus_input" and not value:
            return []
        raise RowError(f'"{field}" is not a list of lists of arguments; write one such as [[1, 2]]')
    return value


def _python(value: object) -> str:
    """Return a value of JSON as Python text; Python reads decimal digits up to a limit only."""
    if isinstance(value, list):
        return f"[{', '.join(map(_python, value))}]"
    if isinstance(value, dict):
        if value.keys() == {"$", "v"} and value["$"] == "int":
            return str(value["v"])
        return f"{{{', '.join(f'{key!r}: {_python(item)}' for key, item in value.items())}}}"
    return repr(value)
