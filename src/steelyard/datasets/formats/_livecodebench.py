"""LiveCodeBench's code generation."""

from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.formats._format import TaskFields
from steelyard.datasets.formats._pickled import unpack_text
from steelyard.datasets.rows import RowError, decode_json
from steelyard.judging import FORMS, VISIBLE, call_cases, io_cases, pairs_of

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
        pairs = pairs_of(cases.row[field], f'"{field}"')
        tests += (call_cases if name else io_cases)(pairs, f'"{field}"', category)
    form = FORMS["livecodebench"]
    return {
        "id": row.identifier("question_id"),
        "title": row.line("question_title"),
        "prompt": row.text("question_content"),
        "entry": f"class:Solution.{name}" if name else "stdio",
        "language": "python" if name else None,
        "starter_code": row.text_if_any("starter_code"),
        "tests": tests,
        "form": form.name,
        **(form.values if name else form.printed),
        "difficulty": row.line("difficulty"),
        "tags": [tag] if (tag := row.line("platform")) else [],
        "group": row.line("contest_id"),
        "published": row.day("contest_date"),
    }


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
