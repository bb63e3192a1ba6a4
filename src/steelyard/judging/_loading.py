"""Load tests from mappings in memory, a JSON, JSONL or Python file, or a folder."""

import ast
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from steelyard._arguments import checks_arguments
from steelyard.errors import TestsError
from steelyard.judging._test_cases import (
    WRAPPERS,
    ReadCase,
    example_of,
    kind_of,
    suite_of,
    unwrap,
)
from steelyard.schemas import (
    Entry,
    JsonError,
    RepeatedKeyError,
    TestCase,
    TestSuite,
    decode_json,
    no_repeats,
)

TestSource: TypeAlias = (
    Path | str | TestSuite | Sequence[Mapping[str, object] | TestCase | str] | Mapping[str, object]
)
"""Anything that tests can be read from; a `str` is a path."""
_STDIO = Entry()
_FORMATS = ".json, .jsonl, .py, or a folder of NAME.in with NAME.ans or NAME.out"
_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder(object_pairs_hook=no_repeats, parse_int=str)
_PLAIN_DECODER = json.JSONDecoder(parse_int=str)
_ANSWERS = (".ans", ".out")
_PACKAGES = {"problem.yaml": "Kattis", "problem.xml": "Polygon", "init.yml": "DMOJ"}
"""The file that each kind of problem package has; its tests alone are not the whole problem."""


@checks_arguments
def load_tests(source: TestSource, *, entry: Entry = _STDIO) -> TestSuite:
    """Return the suite that a source holds, in the source's order.

    A test case is a mapping with `input` and `expected` (text, or bytes in memory), and
    optionally `name`, `timeout` (seconds of CPU time) and `category`. A case without a name is
    named by its number, from "1"; no two cases may share a name.

    Args:
        source: Cases in memory (a sequence, or a mapping that holds one under `test_cases` or
            `tests`), or the path of

            - a `.json` file: a list of cases, or an object that holds one as above;
            - a `.jsonl` file: one case a line, blank lines are skipped;
            - a folder: each `NAME.in` is a case whose answer is `NAME.ans` or `NAME.out`, byte
              for byte, subfolders included. Cases are in natural order (2 before 10), named by
              their path in the folder without `.in`; the subfolder is the category. Other files,
              and names that start with a dot, are skipped. A folder with a problem package
              (`problem.yaml`, `problem.xml` or `init.yml`) is refused.

            - a `.py` file, for assertions: each assert statement outside of functions is a
              case, a `check(candidate)` function is one, and the rest is their setup.

            A file or folder is read into memory whole.
        entry: The entry of the programs. For a function or class a case has `args`, `kwargs`, and
            `expected` or `expected_exception`, and `expected_args` and `expected_kwargs` if the
            arguments after the call are compared too. For assertions a case is their text, or has
            `code` and `setup`.

    Returns:
        The suite. It is empty only for an empty sequence in memory.

    Raises:
        TestsError: for tests that cannot be read, in one line with the file and the line.
    """
    if isinstance(source, TestSuite):
        return source
    if isinstance(source, str | Path):
        return _load_path(Path(source), entry)
    cases = unwrap(source, entry)
    if not isinstance(cases, Sequence) or isinstance(cases, str | bytes | bytearray):
        raise TestsError(
            f"tests are {kind_of(cases)}; give a list of cases such as {example_of(entry)}, "
            "or the path of a file"
        )
    return suite_of([ReadCase(case) for case in cases], source="memory", entry=entry)


def load_json_tests(value: object, *, entry: Entry = _STDIO) -> TestSuite:
    """Return the suite in a JSON value: what a `.json` file would hold, and no path.

    Args:
        value: A list of cases, or an object that holds one.
        entry: The entry of the programs.

    Raises:
        TestsError: for tests that cannot be read; the message names the case.
    """
    cases = unwrap(value, entry)
    if not isinstance(cases, list):
        raise TestsError(
            f"tests are {kind_of(cases)}; give a list of cases such as {example_of(entry)}"
        )
    return suite_of([ReadCase(case, "tests") for case in cases], source="tests", entry=entry)


def _load_path(path: Path, entry: Entry) -> TestSuite:
    try:
        if path.is_dir() and entry.kind == "stdio":
            return _read_folder(path)
        if not path.exists():
            raise TestsError(f"{path}: no such file or folder; check the path of the tests")
        if not path.is_file():
            raise TestsError(f"{path}: neither a file nor a folder; give {_FORMATS}")
        match path.suffix.lower():
            case ".json":
                return _read_json(path, entry)
            case ".jsonl":
                return _read_jsonl(path, entry)
            case ".py" if entry.kind == "asserts":
                return suite_of(_read_python(path), source=str(path), entry=entry)
            case _:
                raise TestsError(f"{path}: unknown format of tests; give {_FORMATS}")
    except OSError as error:
        location = error.filename or path
        raise TestsError(f"{location}: {error.strerror}; make the tests readable") from error


def _read_json(path: Path, entry: Entry) -> TestSuite:
    """Return the suite in a file that holds a list of cases, or an object with such a list.

    Raises:
        TestsError: with the file and the line.
        OSError: if the file cannot be read.
    """
    text = _text_of(path)
    if not text.strip():
        raise _no_cases(str(path))
    try:
        value = decode_json(text)
    except RepeatedKeyError as error:
        raise TestsError(f"{path}:{_line_of_repeated_key(text)}: {error}") from error
    except JsonError as error:
        hint = ""
        if "Extra data" in str(error):
            hint = ", put all cases into one list, or name the file .jsonl"
        raise TestsError(f"{path}:{error.line}: {error}{hint}") from error
    try:
        cases = unwrap(value, entry)
    except TestsError as error:
        raise TestsError(f"{path}:1: {error}") from error
    if not isinstance(cases, list):
        raise TestsError(
            f"{path}:1: {kind_of(cases)} is not a list of cases; "
            f"write a list of cases such as {example_of(entry)}"
        )
    if not cases:
        raise _no_cases(str(path))
    rows = [ReadCase(case, str(path)) for case in cases]
    try:
        return suite_of(rows, source=str(path), entry=entry)
    except TestsError:
        lines = (line for _, line in _entries(text))  # looked for only if a message needs them
        located = [ReadCase(case, str(path), line) for case, line in zip(cases, lines, strict=True)]
        return suite_of(located, source=str(path), entry=entry)


def _read_jsonl(path: Path, entry: Entry) -> TestSuite:
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
            value = decode_json(line)
        except JsonError as error:
            hint = ", or write the list of cases in a .json file" if line.startswith("[") else ""
            raise TestsError(f"{path}:{number}: {error}{hint}") from error
        if isinstance(value, list):
            raise TestsError(
                f"{path}:{number}: a list is not a case; "
                "write one case a line, or name the file .json"
            )
        rows.append(ReadCase(value, str(path), number))
    if not rows:
        raise _no_cases(str(path))
    return suite_of(rows, source=str(path), entry=entry)


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


def _line_of_repeated_key(text: str) -> int:
    """Return the line of the entry that repeats a key, or of the object around the entries."""
    with suppress(json.JSONDecodeError, IndexError):  # what follows the key may be no JSON
        for start, line in _entries(text):
            try:
                _DECODER.raw_decode(text, start)
            except RepeatedKeyError:
                return line
    return 1


def _entries(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offset and the line of each case in valid JSON."""
    at = _skip(text, 0)
    if text[at] == "{":
        at = _list_in_object(text, at)
    if at >= len(text) or text[at] != "[":
        return
    at = _skip(text, at + 1)
    line = 1 + text.count("\n", 0, at)
    while text[at] != "]":
        yield at, line
        _, end = _PLAIN_DECODER.raw_decode(text, at)
        after = _skip(text, end)
        if text[after] == ",":
            after = _skip(text, after + 1)
        line += text.count("\n", at, after)
        at = after


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


def _read_folder(root: Path) -> TestSuite:
    """Return the suite in a folder and its subfolders.

    Raises:
        TestsError: with the file that lacks its partner, disagrees with it, leads out of the
            folder, or makes it a problem package.
        OSError: if a file cannot be read.
    """
    files = _files_below(root)
    stems = {path.with_suffix("") for path in files if path.suffix == ".in"}
    for path in files:
        if path.suffix in _ANSWERS and path.with_suffix("") not in stems:
            raise TestsError(f"{path}: an answer without {path.stem}.in; add the input")
    if not stems:
        raise TestsError(f"{root}: no NAME.in in this folder; add tests, or check the path")
    entries = []
    for stem in sorted(stems, key=lambda stem: _natural(stem.relative_to(root))):
        relative = stem.relative_to(root)
        entries.append(
            ReadCase(
                {
                    "name": _shown(relative),
                    "category": "" if relative.parent == Path() else _shown(relative.parent),
                    "input": _with_suffix(stem, ".in").read_bytes(),
                    "expected": _answer_of(stem, files),
                },
                str(_with_suffix(stem, ".in")),
            )
        )
    return suite_of(entries, source=str(root), entry=Entry())


def _files_below(root: Path) -> set[Path]:
    inside = root.resolve()
    found = set()
    for folder, subfolders, names in os.walk(root, onerror=_raise):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        for name in names:
            if name in _PACKAGES:
                raise TestsError(
                    f"{Path(folder, name)}: a problem package of {_PACKAGES[name]}, which is not "
                    "read, as its checker, limits and groups would be left out; copy its tests as "
                    "NAME.in with NAME.ans into a folder of their own"
                )
            path = Path(folder, name)
            if name.startswith(".") or path.suffix not in (".in", *_ANSWERS):
                continue
            if path.is_symlink() and not path.resolve().is_relative_to(inside):
                raise TestsError(f"{path}: a link that leads out of the folder; copy the file")
            if not path.is_file():
                raise TestsError(f"{path}: not a regular file; remove it or fix the link")
            found.add(path)
    return found


def _raise(error: OSError) -> None:
    raise error


def _answer_of(stem: Path, files: set[Path]) -> bytes:
    held = [path for suffix in _ANSWERS if (path := _with_suffix(stem, suffix)) in files]
    if not held:
        raise TestsError(
            f"{_with_suffix(stem, '.in')}: no answer; add {stem.name}.ans or {stem.name}.out"
        )
    answers = [path.read_bytes() for path in held]
    if len(set(answers)) > 1:
        raise TestsError(
            f"{_with_suffix(stem, '.in')}: {stem.name}.ans and {stem.name}.out differ; keep one"
        )
    return answers[0]


def _with_suffix(stem: Path, suffix: str) -> Path:
    return stem.with_name(stem.name + suffix)


def _shown(relative: Path) -> str:
    """Return a path as text; bytes that are not UTF-8 become escapes."""
    return os.fsencode(relative).decode("utf-8", "backslashreplace")


def _natural(relative: Path) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    """Return a sort key that puts 2 before 10, folder by folder."""
    return tuple(_natural_name(part) for part in relative.parts)


def _natural_name(name: str) -> tuple[tuple[int, int, str], ...]:
    return tuple(
        (0, int(run), run) if run[0] in "0123456789" else (1, 0, run)
        for run in re.findall(r"[0-9]+|[^0-9]+", name)
    )


def _read_python(path: Path) -> list[ReadCase]:
    """Return the assert statements and the `check` function of a file, the rest as setup.

    Raises:
        TestsError: if the file is not Python, or asserts nothing.
        OSError: if it cannot be read.
    """
    try:
        text = path.read_text("utf-8-sig")
        tree = ast.parse(text)
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""
        raise TestsError(f"{path}{line}: {error.msg}; correct this line") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise TestsError(
            f"{path}: not Python that can be read ({error}); save it as UTF-8 text"
        ) from error
    setup: list[str] = []
    cases: list[tuple[int, str]] = []
    for node in tree.body:
        source = _source_of(node, text)
        is_check = isinstance(node, ast.FunctionDef) and node.name == "check"
        if isinstance(node, ast.Assert) or is_check:
            cases.append((node.lineno, source))
        else:
            setup.append(source)
    if not cases:
        raise TestsError(f"{path}: no assert statement and no check(candidate); add one")
    shared = "\n".join(setup)
    return [ReadCase({"code": code, "setup": shared}, str(path), line) for line, code in cases]


def _source_of(node: ast.stmt, text: str) -> str:
    """Return the text of a statement, with its decorators, which `ast` leaves out."""
    above = [ast.get_source_segment(text, each) for each in getattr(node, "decorator_list", ())]
    return "\n".join([*(f"@{each}" for each in above), ast.get_source_segment(text, node) or ""])
