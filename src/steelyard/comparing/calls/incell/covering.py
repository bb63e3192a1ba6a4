"""Which of the function's lines and branches tests and calls reach."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
from typing import Any

from steelyard.comparing.calls.incell.calling import load_function, make_call
from steelyard.comparing.recording.incell.watching import SETTER
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.sessions import pytest_arguments
from steelyard.project_runs.incell.task import Clocks, Task

_REPORT = "/tmp/.coverage.json"  # noqa: S108 - the cell's own scratch folder


def run_covering(task: Task, tell: Tell, _clocks: Clocks) -> int:
    """Runs the tests and makes the calls with every line and branch counted."""
    try:
        import coverage
    except ImportError:
        tell("notes", notes=["coverage is not installed: line coverage was not measured"])
        return 0
    import pytest

    path = f"{project.PLACE}/{task.said['path']}"
    counted = coverage.Coverage(
        branch=True, include=[path], data_file=None, config_file=False, messages=False
    )
    counted.start()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        if task.said["tests"] is not None:
            pytest.main([*pytest_arguments(task.said), "-p", "no:cov"])
        if task.calls:
            function = load_function(task.said)
            for data in task.calls:
                with contextlib.suppress(Exception):
                    args, kwargs = pickle.loads(data)  # noqa: S301 - made in such a cell
                    make_call(function, args, kwargs)
    counted.stop()
    with contextlib.suppress(coverage.CoverageException):
        counted.json_report(outfile=_REPORT)
        with open(_REPORT, encoding="utf-8") as file:
            _tell_function(task, tell, json.load(file)["files"])
        os.unlink(_REPORT)
    return 0


def _tell_function(task: Task, tell: Tell, files: dict[str, Any]) -> None:
    name = task.said["qualname"].removesuffix(SETTER)
    for file, report in files.items():
        if not os.path.abspath(file).endswith(task.said["path"]):
            continue
        found = report.get("functions", {}).get(name)
        if found is None:
            continue
        summary = found["summary"]
        tell(
            "coverage",
            lines=summary["num_statements"],
            lines_covered=summary["covered_lines"],
            branches=summary["num_branches"],
            branches_covered=summary["covered_branches"],
            missing=found["missing_lines"],
        )
