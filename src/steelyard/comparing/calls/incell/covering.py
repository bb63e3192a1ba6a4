"""Which of the function's lines and branches tests and calls reach."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
from typing import Any

from steelyard.comparing.calls.incell.calling import load_function, make_call
from steelyard.comparing.incell.told import CountLines, FunctionCoverage
from steelyard.comparing.recording.incell.watching import SETTER
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.sessions import run_session
from steelyard.project_runs.incell.task import Context

_REPORT = "/tmp/.coverage.json"  # noqa: S108 - the cell's own scratch folder


def run_covering(asked: CountLines, context: Context) -> int:
    """Runs the tests and makes the calls with every line and branch counted."""
    try:
        import coverage
    except ImportError:
        return 0
    path = f"{project.PLACE}/{context.function.path}"
    counted = coverage.Coverage(
        branch=True, include=[path], data_file=None, config_file=False, messages=False
    )
    counted.start()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        run_session(asked.session, [], "-p", "no:cov")
        if asked.calls:
            function = load_function(context.function)
            for data in asked.calls:
                with contextlib.suppress(Exception):
                    args, kwargs = pickle.loads(data)  # noqa: S301 - made in such a cell
                    make_call(function, args, kwargs)
    counted.stop()
    with contextlib.suppress(coverage.CoverageException):
        counted.json_report(outfile=_REPORT)
        with open(_REPORT, encoding="utf-8") as file:
            _tell_function(context, json.load(file)["files"])
        os.unlink(_REPORT)
    return 0


def _tell_function(context: Context, files: dict[str, Any]) -> None:
    name = context.function.qualname.removesuffix(SETTER)
    for file, report in files.items():
        if not os.path.abspath(file).endswith(context.function.path):
            continue
        found = report.get("functions", {}).get(name)
        if found is None:
            continue
        summary = found["summary"]
        context.tell(
            FunctionCoverage(
                lines=summary["num_statements"],
                lines_covered=summary["covered_lines"],
                branches=summary["num_branches"],
                branches_covered=summary["covered_branches"],
                missing=found["missing_lines"],
            )
        )
