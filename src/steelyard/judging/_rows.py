"""Read the tests of a program in every form that callers and data sets hold them: a row is a task.

1. Cases in memory or as JSON text, as `load_tests` takes them, are judged by the caller's options.
2. A row with `tests` and other fields of `Task`, as `datasets export` writes it, decides how
   programs are judged; the options fill in what it leaves out.
3. Parallel lists, `{"inputs", "outputs", "fn_name"}`, have the form of their source.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast, get_args

from pydantic import ValidationError

from steelyard.errors import TestsError
from steelyard.judging._entries import as_entry
from steelyard.judging._loading import TestSource, load_json_tests, load_tests
from steelyard.judging._options import JudgeOptions, stated
from steelyard.judging._test_cases import ROW_FIELDS, WRAPPERS, spread_setup
from steelyard.judging.forms import Source, form_called, form_of_tests
from steelyard.judging.forms._pairs import decoded
from steelyard.schemas import (
    COMPARISON,
    Completion,
    Entry,
    Task,
    TestCase,
    TestSuite,
    fault_of_record,
)

RowTests: TypeAlias = (
    str | Task | TestSuite | Sequence[Mapping[str, object] | TestCase | str] | Mapping[str, object]
)
"""Tests of one program: a `Task`, or a row of one; what `load_tests` takes, but never a path;
parallel lists of `inputs` and `outputs` with an optional `fn_name`, or `assert_case`; or one of
these as JSON text."""
_ADVICE = "give a list of cases, a row with tests, or JSON text"
_OUTPUTS = ("output", "outputs", "stdout")


@dataclass(frozen=True, slots=True, eq=False)
class LoadedTask:
    """A task with its tests, read once for all its programs."""

    task: Task
    suite: TestSuite


def loaded(task: Task) -> LoadedTask:
    """Return a task with its tests, which are as in a JSON file.

    Raises:
        TestsError: if they cannot be read, or their inputs are still to be made.
    """
    return _with_tests(task, list(task.tests))


def filled(task: Task, tests: TestSource) -> LoadedTask:
    """Return a task with other tests.

    Raises:
        TestsError: if they cannot be read for its entry.
    """
    return LoadedTask(task, load_tests(tests, entry=as_entry(task.entry)))


def _with_tests(task: Task, tests: object) -> LoadedTask:
    if task.sized_tests:
        raise TestsError(f"task {task.id}: the inputs of sized_tests are not made; export the task")
    entry = as_entry(task.entry)
    if isinstance(tests, tuple):
        tests = list(tests)
    if task.setup:
        if entry.kind != "asserts":
            raise TestsError(f"setup is for assertions, not for {entry}; leave it out")
        tests = {"setup": task.setup, "tests": tests}
    return LoadedTask(task, load_json_tests(tests, entry=entry))


class RowReader:
    """Reads the rows of one batch: the programs of one prompt share its tests, read once.

    Args:
        options: How tests are judged that do not say it themselves.
    """

    def __init__(self, options: JudgeOptions) -> None:
        self._options = options
        self._usual = options.task()
        # With the tests themselves: while they live, no other object has their id.
        self._read: dict[tuple[object, str], tuple[object, LoadedTask]] = {}

    def read(self, row: RowTests, entry: str | Entry | None = None) -> LoadedTask:
        """Return the task that a row states, with its tests.

        Args:
            row: The row.
            entry: The entry if the row names none, in place of the options'.

        Raises:
            TestsError: for text that is not JSON, and for values that are not tests.
            UsageError: if the entry is unknown.
        """
        key = (row if isinstance(row, str) else id(row), "" if entry is None else str(entry))
        known = self._read.get(key)
        if known is None:
            usual = self._usual
            if entry is not None:
                usual = usual.model_copy(update={"entry": str(as_entry(entry))})
            known = self._read[key] = (row, _read(row, usual, self._options))
        return known[1]


def _read(row: RowTests, usual: Task, options: JudgeOptions) -> LoadedTask:
    if isinstance(row, TestSuite):
        return LoadedTask(usual, row)
    if isinstance(row, Task):
        return loaded(row)
    value = decoded(row)
    entry = as_entry(usual.entry)
    if isinstance(value, Mapping) and (form_of_tests(value) or _is_row(value)):
        return _of_row(value, usual, options)
    if isinstance(row, str):
        return LoadedTask(usual, load_json_tests(value, entry=entry))
    if isinstance(value, Mapping | Sequence) and not isinstance(value, bytes | bytearray):
        return LoadedTask(usual, load_tests(cast("TestSource", value), entry=entry))
    raise TestsError(f"tests are {type(value).__name__}; {_ADVICE}")


def _is_row(value: Mapping[str, object]) -> bool:
    """Tell whether a mapping is a row, and not only a wrapper of cases."""
    has_tests = any(name in value for name in WRAPPERS)
    return has_tests and any(name in value for name in (*ROW_FIELDS, "prompt"))


def _of_row(row: Mapping[str, object], usual: Task, options: JudgeOptions) -> LoadedTask:
    """Return the task of a row.

    Args:
        row: The fields of a `Task`, which may be JSON text; others are not read. Or parallel lists.
        usual: The task whose fields hold where the row has none.
        options: Its options.

    Raises:
        TestsError: if the tests are not in the row's form, or a field is wrong.
    """
    has_tests = any(row.get(name) is not None for name in WRAPPERS)
    tests = _decoded_tests(row) if has_tests or not form_of_tests(row) else row
    own: dict[str, Any] = {
        name: decoded(row[name], '"checker"') if name == "checker" else row[name]
        for name in ROW_FIELDS
        if row.get(name) is not None
        # Data sets for fine-tuning hold an answer in a column of this name.
        and (name != "completion" or row[name] in get_args(Completion))
    }
    own |= {"id": str(row.get("id") or row.get("task_id") or usual.id)[:200]}
    if isinstance(row.get("prompt"), str):
        own["prompt"] = row["prompt"]
    whole = "schema_version" in row  # a `Task`, whose defaults it leaves out
    given = {} if whole else stated(options)
    usual = Task(id=usual.id, prompt="") if whole else usual
    filled: dict[str, Any] = {}
    if isinstance(tests, str) or form_of_tests(tests) or _are_pairs(tests):
        filled = _by_form(tests, own, usual)
    elif own.get("form") and "match_mode" not in row and not whole:
        filled = form_called(str(own["form"])).conventions(str(own.get("entry", usual.entry)))
    if own.get("checker"):
        filled = {name: value for name, value in filled.items() if name not in COMPARISON}
    fields = {
        **usual.model_dump(exclude_defaults=True),
        **{name: value for name, value in filled.items() if name != "tests"},
        **{name: value for name, value in given.items() if name != "entry"},
        **own,
    }
    try:
        task = Task.model_validate(fields)
    except ValidationError as error:
        raise TestsError(f"the row: {fault_of_record(error, fields, Task, 'a row')}") from error
    return _with_tests(task, filled.get("tests", tests))


def _by_form(tests: object, own: Mapping[str, Any], usual: Task) -> dict[str, Any]:
    """Return the fields that the row's form makes of its tests."""
    name = as_entry(own["entry"]).name if "entry" in own else ""
    source = Source(
        tests,
        name.rpartition(".")[2],
        own.get("prompt", ""),
        own.get("starter_code", ""),
        own.get("setup", ""),
    )
    filled = form_called(str(own.get("form") or form_of_tests(tests) or "stdio")).fields(source)
    if as_entry(usual.entry).kind == filled["entry"]:
        filled["entry"] = usual.entry  # the options may name what assertions call
    return filled


def _are_pairs(tests: Any) -> bool:
    """Tell whether tests are a source's objects of an input and an output, and not our cases."""
    first = tests[0] if isinstance(tests, Sequence) and tests else None
    return isinstance(first, Mapping) and any(name in first for name in _OUTPUTS)


def _decoded_tests(row: Mapping[str, object]) -> Any:
    given = [row[name] for name in WRAPPERS if row.get(name) is not None]
    if len(given) > 1:
        raise TestsError(f"both {' and '.join(WRAPPERS)} are given; keep one")
    held = given[0] if given else ()
    is_json = not row.get("form") or str(held).lstrip().startswith(("[", "{"))
    value = decoded(held) if is_json else held
    if isinstance(value, Mapping) and not form_of_tests(value):
        value = cast("Mapping[str, Any]", spread_setup(value))
        inner = [value[name] for name in WRAPPERS if name in value]
        value = inner[0] if len(inner) == 1 else value
    if not isinstance(value, Mapping | Sequence) or isinstance(value, bytes):
        raise TestsError(f"tests are {type(value).__name__}; {_ADVICE}")
    return value
