"""Read cases from a JSON or a JSONL file."""

import json
from collections.abc import Iterator
from pathlib import Path

from steelyard.errors import TestsError
from steelyard.judging.loading._asserts import spread_setup
from steelyard.judging.loading._cases import WRAPPERS, example_of, suite_of, unwrap
from steelyard.judging.loading._row import Row, kind_of
from steelyard.schemas import Entry, RepeatedKeyError, TestSuite, no_repeats

_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder(object_pairs_hook=no_repeats)
_PLAIN_DECODER = json.JSONDecoder()


def read_json(path: Path, entry: Entry) -> TestSuite:
    """Return the suite in a file that holds a list of cases, or an object with such a list.

    Raises:
        TestsError: with the file and the line.
        OSError: if the file cannot be read.
    """
    text = _text_of(path)
    if not text.strip():
        raise _no_cases(str(path))
    try:
        value = _decode(text)
    except json.JSONDecodeError as error:
        location = f"{path}:{error.lineno}: column {error.colno}"
        if error.msg == "Extra data":
            raise TestsError(
                f"{location}: more after the end of the JSON value; "
                "put all cases into one list, or name the file .jsonl"
            ) from error
        raise TestsError(f"{location}: not JSON ({error.msg}); correct this line") from error
    except RepeatedKeyError as error:
        raise TestsError(f"{path}{_line_of_repeated_key(text)}: {error}") from error
    except (RecursionError, ValueError) as error:
        raise TestsError(f"{path}: {_cannot_decode(error)}") from error
    try:
        cases = unwrap(spread_setup(value) if entry.kind == "asserts" else value)
    except TestsError as error:
        raise TestsError(f"{path}:1: {error}") from error
    if not isinstance(cases, list):
        raise TestsError(
            f"{path}:1: {kind_of(cases)} is not a list of cases; "
            f"write a list of cases such as {example_of(entry)}"
        )
    if not cases:
        raise _no_cases(str(path))
    rows = [Row(case, str(path)) for case in cases]
    try:
        return suite_of(rows, source=str(path), entry=entry)
    except TestsError:
        lines = _entry_lines(text)  # looked for only if a message needs them
        located = [Row(case, str(path), line) for case, line in zip(cases, lines, strict=True)]
        return suite_of(located, source=str(path), entry=entry)


def read_jsonl(path: Path, entry: Entry) -> TestSuite:
    """Return the suite in a file of one case a line; blank lines are skipped.

    Raises:
        TestsError: with the file and the line.
        OSError: if the file cannot be read.
    """
    rows = []
    for number, line in enumerate(_text_of(path).split("\n"), start=1):
        if not line.strip(_BLANK):
            continue
        try:
            value = _decode(line)
        except json.JSONDecodeError as error:
            hint = "; a list of cases belongs in a .json file" if line.startswith("[") else ""
            raise TestsError(
                f"{path}:{number}: column {error.colno}: not JSON ({error.msg}); "
                f"write one case a line{hint}"
            ) from error
        except (RecursionError, ValueError) as error:
            raise TestsError(f"{path}:{number}: {_cannot_decode(error)}") from error
        if isinstance(value, list):
            raise TestsError(
                f"{path}:{number}: a list is not a case; "
                "write one case a line, or name the file .json"
            )
        rows.append(Row(value, str(path), number))
    if not rows:
        raise _no_cases(str(path))
    return suite_of(rows, source=str(path), entry=entry)


def _decode(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except RepeatedKeyError:
        _PLAIN_DECODER.decode(text)  # a fault of syntax has precedence
        raise


def _text_of(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TestsError(
            f"{path}:{line}: a byte that is not UTF-8; save the file as UTF-8, "
            "or keep binary tests as NAME.in and NAME.ans in a folder"
        ) from error


def _no_cases(location: str) -> TestsError:
    return TestsError(f"{location}:1: no test cases; add at least one")


def _cannot_decode(error: Exception) -> str:
    if isinstance(error, RepeatedKeyError):
        return str(error)
    if isinstance(error, RecursionError):
        return "JSON nested too deep; flatten it"
    return "a number with too many digits; write it as text"


def _line_of_repeated_key(text: str) -> str:
    """Return `:LINE` of the entry that repeats a key, or of the object around the entries."""
    line, seen = 1, 0
    for start in _entry_starts(text):
        line += text.count("\n", seen, start)
        seen = start
        try:
            _DECODER.raw_decode(text, start)
        except RepeatedKeyError:
            return f":{line}"
    return ":1"


def _entry_lines(text: str) -> list[int]:
    lines = []
    line, seen = 1, 0
    for start in _entry_starts(text):
        line += text.count("\n", seen, start)
        seen = start
        lines.append(line)
    return lines


def _entry_starts(text: str) -> Iterator[int]:
    """Yield the offset of each case in valid JSON."""
    at = _skip(text, 0)
    if text[at] == "{":
        at = _list_in_object(text, at)
    if at >= len(text) or text[at] != "[":
        return
    at = _skip(text, at + 1)
    while text[at] != "]":
        yield at
        _, end = _PLAIN_DECODER.raw_decode(text, at)
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _list_in_object(text: str, at: int) -> int:
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, end = _PLAIN_DECODER.raw_decode(text, at)
        at = _skip(text, _skip(text, end) + 1)  # past the colon
        if key in WRAPPERS:
            return at
        _, end = _PLAIN_DECODER.raw_decode(text, at)
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return len(text)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at
