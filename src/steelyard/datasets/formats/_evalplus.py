"""EvalPlus: HumanEval+ and MBPP+, as its package publishes them.

A row has inputs and a reference solution, and no outputs. The assertions compare the candidate
with the reference, which runs in their cell.

The tables hold facts about single tasks of EvalPlus 0.3.1 that its rows leave to its package. JSON
has no tuples, sets or complex numbers; and some tasks accept more than the reference's value.
"""

from collections.abc import Mapping

from steelyard.datasets.formats._columns import TaskFields
from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.rows import RowError

_BY_CONVERSION: dict[str, tuple[int, ...]] = {
    "[tuple(each) for each in call]": (
        2,
        116,
        132,
        143,
        222,
        261,
        273,
        394,
        399,
        421,
        424,
        429,
        470,
        560,
        579,
        596,
        616,
        630,
        726,
        740,
        744,
        809,
    ),
    "[[tuple(item) for item in each] for each in call]": (
        63,
        64,
        70,
        94,
        120,
        237,
        272,
        299,
        400,
        409,
        417,
        438,
        473,
        614,
        780,
    ),
    "[[tuple(item) for item in call[0]], call[1]]": (75, 413, 444, 753),
    "[call[0], tuple(call[1])]": (106, 750),
    "[[set(item) if item and isinstance(item, list) else {} for item in call[0]]]": (115,),
    "[float(call[0]), complex(call[1])]": (124,),
    "[tuple(call[0]), *call[1:]]": (250, 307, 405, 446, 617, 720, 763, 808),
    "[tuple(tuple(item) for item in each) for each in call]": (259, 401, 445),
    "[tuple(tuple(item) if isinstance(item, list) else item for item in call[0])]": (278,),
    "[{key: tuple(value) for key, value in call[0].items()}, *call[1:]]": (722,),
    "[complex(call[0])]": (252,),
    "(turn := lambda it: tuple(map(turn, it)) if isinstance(it, list) else it)(call)": (
        580,
        615,
        791,
    ),
}
CONVERSIONS: Mapping[str, str] = {
    f"Mbpp/{number}": text for text, numbers in _BY_CONVERSION.items() for number in numbers
}
"""By task: an expression that makes the arguments of the list `call` in JSON."""

ALIKE = "_is_like(actual, expected)"
_AS_SETS = f"set(actual) == set(expected) or {ALIKE}"
_NOT_NONE = "_is_found(actual) == _is_found(expected)"
RULES: Mapping[str, str] = {
    "are_equivalent": "True",
    "sum_div": f"actual == 0 or {ALIKE}",
    "surface_Area": (
        "abs(actual - round(call[0] ** 2 + 2 * call[0] * math.hypot(call[0] / 2, call[1])))"
        f" <= _tolerance or {ALIKE}"
    ),
    "digit_distance_nums": (
        "actual == sum(abs(int(a) - int(b)) for a, b in zip(*("
        f"str(each).zfill(max(len(str(one)) for one in call)) for each in call))) or {ALIKE}"
    ),
    "find_zero": (
        "abs(sum(factor * math.pow(actual, power) for power, factor in enumerate(call[0])))"
        " <= _tolerance"
    ),
    **dict.fromkeys(
        (
            "similar_elements",
            "find_char_long",
            "common_in_nested_lists",
            "extract_singly",
            "larg_nnum",
            "intersection_array",
            "find_dissimilar",
            "Diff",
        ),
        _AS_SETS,
    ),
    **dict.fromkeys(("check_str", "text_match_three", "text_starta_endb"), _NOT_NONE),
}
"""By function: the condition under which `actual` is right; of others it is `ALIKE`."""

TOO_LARGE: Mapping[str, list[object]] = {
    "Mbpp/255": [["Dog", "Cat", "CatBird", "Bird", "Fish"], 77],
}
"""By task: an input that is left out. Its answer is a list of 128 million words, over 1 GiB as
text, and answers pass from the candidate's process to that of the tests."""


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
        source=reference,
        name=name,
        tolerance=row.number("atol") or 0,
        conversion=CONVERSIONS.get(identifier, "call"),
        rule=RULES.get(name, ALIKE),
    )
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
        "extra": {"contract": row.row["contract"]} if row.row.get("contract") else {},
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
