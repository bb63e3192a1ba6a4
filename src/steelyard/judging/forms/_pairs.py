"""Read tests that are pairs of an input and an output, in each way that data sets write them.

Pairs come as parallel lists, `{"inputs": [...], "outputs": [...], "fn_name": "..."}`, as a list of
objects with `input` and `output`, or as JSON text of either. With a function's name they are calls.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from steelyard.errors import TestsError
from steelyard.schemas import JsonError, decode_json

VISIBLE = "visible"
"""The category of cases that the statement shows."""
_KEYS = (
    ("input", "output"),
    ("inputs", "outputs"),
    ("stdin", "stdout"),
    ("input", "expected"),
)
_FUNCTION_KEYS = ("fn_name", "func_name")
Case = dict[str, Any]
Pair = tuple[object, object]
TaskFields = dict[str, Any]
"""Fields of a `Task`. It is validated as a whole, so their values may be of any type here."""


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


def decoded(value: object, what: str = "tests") -> object:
    """Return a value that may be JSON text.

    Raises:
        TestsError: if it is text that is not JSON.
    """
    if not isinstance(value, str):
        return value
    try:
        return decode_json(value)
    except JsonError as error:
        raise TestsError(f"{what}: {error}") from error


def read_pairs(source: Source) -> TaskFields:
    """Return the entry and the cases of pairs; with a name they are calls.

    For calls an input is a list of arguments, or text with one JSON value a line.

    Raises:
        TestsError: if a list is missing, or the lists contradict each other.
    """
    tests = decoded(source.tests)
    name = _function_in(tests)
    if source.name and name not in ("", source.name):
        raise TestsError(f"tests call {name}, and the row names {source.name}; keep one")
    name = source.name or name
    pairs = pairs_of(tests)
    if not name:
        return {"entry": "stdio", "tests": _io_cases(pairs)}
    in_class = "class Solution" in source.starter_code
    return {
        "entry": f"class:Solution.{name}" if in_class else f"function:{name}",
        "language": "python",
        "tests": _call_cases(pairs),
    }


def _function_in(tests: object) -> str:
    """Return the name of the function that all tests call; empty if they name none."""
    holders = tests if isinstance(tests, list) else [tests]
    found = {_function_of(each) for each in holders if isinstance(each, Mapping)} or {""}
    if len(found) > 1:
        names = ", ".join(each or "none" for each in sorted(found))
        raise TestsError(f"tests call different functions ({names}); split them")
    return found.pop()


def _function_of(holder: Mapping[str, object]) -> str:
    metadata = holder.get("metadata")
    holders = (holder, metadata if isinstance(metadata, Mapping) else {})
    given = next((each[key] for each in holders for key in _FUNCTION_KEYS if each.get(key)), "")
    if given and (not isinstance(given, str) or not given.isidentifier()):
        raise TestsError(f'"fn_name" must name a function such as add, got {str(given)[:100]!r}')
    return str(given)


def read_design(source: Source) -> TaskFields:
    """Return the entry and cases of a class whose methods are called in turn.

    An input is the list of names and the list of their arguments: two lists, or one on each line.

    Raises:
        TestsError: if the names and arguments do not fit together.
    """
    calls = [(_arguments(given), _value(output)) for given, output in pairs_of(source.tests)]
    cases, made = [], source.name
    for number, (given, output) in enumerate(calls, start=1):
        names, arguments = given if len(given) == 2 else (None, None)
        if (
            not isinstance(names, list)
            or not isinstance(arguments, list)
            or not names
            or not all(isinstance(each, str) and each.isidentifier() for each in names)
            or len(names) != len(arguments)
            or not all(isinstance(each, list) for each in arguments)
        ):
            raise TestsError(
                f"case {number}: write the names of the class and its methods, and as many lists "
                'of arguments, such as [["LRUCache", "get"], [[2], [1]]]'
            )
        made = made or names[0]
        if names[0] != made:
            raise TestsError(f"case {number} makes {names[0]}, and others {made}; split the task")
        cases.append({"args": [names, arguments], "expected": output})
    return {"entry": f"methods:{made}", "language": "python", "tests": cases}


def pairs_of(tests: object) -> list[Pair]:
    """Return the pairs in a value: parallel lists, or a list of objects.

    Raises:
        TestsError: if there are more inputs than outputs, or the reverse.
    """
    value = decoded(tests)
    if value is None:
        return []
    if isinstance(value, Mapping):
        return _parallel(value)
    if not isinstance(value, list):
        raise TestsError("tests are neither an object of lists nor a list of objects")
    pairs: list[Pair] = []
    for number, item in enumerate(value, start=1):
        keys = isinstance(item, Mapping) and next(
            (keys for keys in _KEYS if keys[0] in item and keys[1] in item), None
        )
        if not keys:
            raise TestsError(f'item {number} of tests lacks "input" or "output"; add it')
        given, expected = (_unwrapped(item[key]) for key in keys)
        pairs.append((given, expected))
    return pairs


def _parallel(value: Mapping[str, object]) -> list[Pair]:
    for keys in _KEYS:
        given, expected = (value.get(key) for key in keys)
        if isinstance(given, list) and isinstance(expected, list):
            if len(given) != len(expected):
                raise TestsError(
                    f"{len(given)} inputs but {len(expected)} outputs in tests; give one output "
                    "for each input"
                )
            return list(zip(given, expected, strict=True))
    raise TestsError('tests lack the lists "inputs" and "outputs"; add them')


def _unwrapped(value: object) -> object:
    """Return the text of `{"stdin": text}` or `{"stdout": text}`."""
    if isinstance(value, Mapping) and len(value) == 1:
        return value.get("stdin", value.get("stdout"))
    return value


def _io_cases(pairs: Iterable[Pair]) -> list[Case]:
    """Return a case for each pair of an input and an output. Lists of lines become text.

    Raises:
        TestsError: for anything but text.
    """
    return [
        {
            "input": _text(given, f"input {number} of tests"),
            "expected": _text(expected, f"output {number} of tests"),
        }
        for number, (given, expected) in enumerate(pairs, start=1)
    ]


def _text(value: object, what: str) -> str:
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    if not isinstance(value, str):
        raise TestsError(f"{what} is not text; write it as text")
    return value


def _call_cases(pairs: Iterable[Pair]) -> list[Case]:
    """Return a case for each pair of arguments and the value that the call returns.

    Text is JSON: the arguments with one value a line, and the expected value.

    Raises:
        TestsError: for arguments that are not a list, and for text that is not JSON.
    """
    cases: list[Case] = []
    for number, (given, output) in enumerate(pairs, start=1):
        args = _arguments(given)
        if not isinstance(args, list):
            raise TestsError(
                f"input {number} of tests is not a list of arguments; write one such as [1, 2]"
            )
        as_text = isinstance(given, str)
        cases.append({"args": args, "expected": _value(output) if as_text else output})
    return cases


def _arguments(given: object) -> Any:
    if not isinstance(given, str):
        return given
    return [_value(line) for line in given.strip("\n").split("\n")] if given else []


def _value(text: object) -> object:
    return decoded(text, "the values of a call")
