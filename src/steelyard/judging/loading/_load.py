"""Choose the reader for a source of tests."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from steelyard._arguments import checks_arguments
from steelyard.errors import TestsError
from steelyard.judging.loading._asserts import read_python, spread_setup
from steelyard.judging.loading._cases import example_of, suite_of, unwrap
from steelyard.judging.loading._files import read_json, read_jsonl
from steelyard.judging.loading._folder import read_folder
from steelyard.judging.loading._row import Row, kind_of
from steelyard.schemas import Entry, TestCase, TestSuite

_STDIO = Entry()

TestSource: TypeAlias = (
    Path | str | TestSuite | Sequence[Mapping[str, object] | TestCase | str] | Mapping[str, object]
)
"""Anything that tests can be read from; a `str` is a path."""

_FORMATS = ".json, .jsonl, .py, or a folder of NAME.in with NAME.ans or NAME.out"


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
    cases = unwrap(spread_setup(source) if entry.kind == "asserts" else source)
    if not isinstance(cases, Sequence) or isinstance(cases, str | bytes | bytearray):
        raise TestsError(
            f"tests are {kind_of(cases)}; give a list of cases such as {example_of(entry)}, "
            "or the path of a file"
        )
    return suite_of([Row(case) for case in cases], source="memory", entry=entry)


def load_json_tests(value: object, *, entry: Entry = _STDIO) -> TestSuite:
    """Return the suite in a JSON value: what a `.json` file would hold, and no path.

    Args:
        value: A list of cases, or an object that holds one.
        entry: The entry of the programs.

    Raises:
        TestsError: for tests that cannot be read; the message names the case.
    """
    cases = unwrap(spread_setup(value) if entry.kind == "asserts" else value)
    if not isinstance(cases, list):
        raise TestsError(
            f"tests are {kind_of(cases)}; give a list of cases such as {example_of(entry)}"
        )
    return suite_of([Row(case, "tests") for case in cases], source="tests", entry=entry)


def _load_path(path: Path, entry: Entry) -> TestSuite:
    try:
        if path.is_dir() and entry.kind == "stdio":
            return read_folder(path)
        if not path.exists():
            raise TestsError(f"{path}: no such file or folder; check the path of the tests")
        if not path.is_file():
            raise TestsError(f"{path}: neither a file nor a folder; give {_FORMATS}")
        match path.suffix.lower():
            case ".json":
                return read_json(path, entry)
            case ".jsonl":
                return read_jsonl(path, entry)
            case ".py" if entry.kind == "asserts":
                return suite_of(read_python(path), source=str(path), entry=entry)
            case _:
                raise TestsError(f"{path}: unknown format of tests; give {_FORMATS}")
    except OSError as error:
        location = error.filename or path
        raise TestsError(f"{location}: {error.strerror}; make the tests readable") from error
