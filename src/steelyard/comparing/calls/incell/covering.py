"""Which of the function's lines and branches tests and calls reach."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
from collections.abc import Iterator, Sequence
from typing import Any

from steelyard.comparing.calls.incell.calling import load_function, make_call
from steelyard.comparing.incell.told import CountLines, FunctionCoverage
from steelyard.comparing.recording.incell.watching import SETTER
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.sessions import run_session
from steelyard.project_runs.incell.task import Context, Function

_REPORT = "/tmp/.coverage.json"  # noqa: S108 - the cell's own scratch folder


def run_covering(asked: CountLines, context: Context) -> int:
    """Make the calls, and run the tests if they may reach more, with lines and branches counted."""
    try:
        import coverage
    except ImportError:
        return 0
    path = f"{project.PLACE}/{context.function.path}"
    counted = coverage.Coverage(
        branch=True, include=[path], data_file=None, config_file=False, messages=False
    )
    with _counting(counted), contextlib.suppress(Exception):
        _make_calls(asked.calls, context.function)
    found = _found(counted, context.function)
    if found is None or found.missing or found.branches_covered < found.branches:
        with _counting(counted):
            run_session(asked.session, [], "-p", "no:cov")
        found = _found(counted, context.function)
    if found is not None:
        context.tell(found)
    return 0


@contextlib.contextmanager
def _counting(counted: Any) -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        counted.start()
        try:
            yield
        finally:
            counted.stop()


def _make_calls(calls: Sequence[bytes], function: Function) -> None:
    made = load_function(function) if calls else None
    for data in calls:
        with contextlib.suppress(Exception):
            args, kwargs = pickle.loads(data)  # noqa: S301 - made in such a cell
            make_call(made, args, kwargs)


def _found(counted: Any, function: Function) -> FunctionCoverage | None:
    """Return what was reached of the function so far; None if its module was not loaded."""
    from coverage import CoverageException

    files: dict[str, Any] = {}
    with contextlib.suppress(CoverageException):
        counted.json_report(outfile=_REPORT)
        with open(_REPORT, encoding="utf-8") as written:
            files = json.load(written)["files"]
        os.unlink(_REPORT)
    name = function.qualname.removesuffix(SETTER)
    for file, report in files.items():
        found = report.get("functions", {}).get(name)
        if os.path.abspath(file).endswith(function.path) and found is not None:
            summary = found["summary"]
            return FunctionCoverage(
                lines=summary["num_statements"],
                lines_covered=summary["covered_lines"],
                branches=summary["num_branches"],
                branches_covered=summary["covered_branches"],
                missing=found["missing_lines"],
            )
    return None
