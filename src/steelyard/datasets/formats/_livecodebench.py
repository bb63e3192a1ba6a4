"""LiveCodeBench's code generation."""

from steelyard.datasets.formats._cases import VISIBLE, call_cases, io_cases, io_pairs
from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.formats._format import TaskFields
from steelyard.datasets.formats._pickled import unpack_text
from steelyard.datasets.rows import RowError, decode_json

__all__ = ["read_livecodebench"]

_FIELDS = {"public_test_cases": VISIBLE, "private_test_cases": "private"}


def read_livecodebench(row: Fields) -> TaskFields:
    """Return the task of `question_id, question_content, *_test_cases, starter_code, metadata`.

    LiveCodeBench's own checker compares numbers by value, and takes a tuple for a list.
    """
    metadata = row.in_json("metadata").within("metadata")
    name = metadata.text_if_any("func_name")
    tests: list[dict[str, object]] = []
    for field, category in _FIELDS.items():
        cases = Fields({field: _test_cases(row, field)})
        kinds = {each.text("testtype") for each in cases.objects(field)}
        if kinds - {"functional" if name else "stdin"}:
            raise RowError(f'"testtype" in "{field}" contradicts "func_name" in "metadata"')
        pairs = io_pairs(cases, field)
        if name:
            calls = [(_arguments(given, field), _value(out, field)) for given, out in pairs]
            tests += call_cases(calls, field, category)
        else:
            tests += io_cases(pairs, field, category)
    return {
        "id": row.identifier("question_id"),
        "title": row.line("question_title"),
        "prompt": row.text("question_content"),
        "entry": f"class:Solution.{name}" if name else "stdio",
        "language": "python" if name else None,
        "starter_code": row.text_if_any("starter_code"),
        "tests": tests,
        **({"sequences_alike": True} if name else _BY_VALUE),
        "difficulty": row.line("difficulty"),
        "tags": [tag] if (tag := row.line("platform")) else [],
        "group": row.line("contest_id"),
        "published": row.day("contest_date"),
    }


_BY_VALUE = {"match_mode": "float_tokens", "abs_tol": 0.0, "rel_tol": 0.0}


def _test_cases(row: Fields, field: str) -> object:
    value = row.row.get(field)
    if isinstance(value, str) and not value.lstrip().startswith("["):
        if not value.strip():
            return None
        try:
            return decode_json(unpack_text(value))
        except RowError as error:
            raise RowError(f'"{field}": {error}') from error
    return row.decoded(field)


def _arguments(given: object, field: str) -> object:
    """Return the arguments: a JSON value on each line."""
    lines = str(given).strip("\n").split("\n") if given else []
    return [_value(line, field) for line in lines]


def _value(text: object, field: str) -> object:
    if not isinstance(text, str):
        raise RowError(f'a case in "{field}" is not text; write its input and output as text')
    try:
        return decode_json(text)
    except RowError as error:
        raise RowError(f'a case in "{field}": {error}') from error
