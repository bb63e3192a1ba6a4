"""The job of measuring a suite: which wrong and slow programs it kills."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from steelyard.job import Job, JobRequest, Needs
from steelyard.judging import as_entry, load_json_tests
from steelyard.options import Flag, Options
from steelyard.reports import counted
from steelyard.schemas import Specification, StrengthReport
from steelyard.strength._measure import StrengthMeasurement
from steelyard.strength._reading import StrengthOptions
from steelyard.strength._view import view


class StrengthRequest(JobRequest):
    """A suite, and a right program that passes it."""

    tests: Annotated[list[dict[str, Any]], Flag(group="Tests")] = Field(
        min_length=1, fail_fast=True
    )
    """Cases as in a JSON file of tests."""
    solution: Annotated[bytes, Flag("FILE", takes=str, is_source=True)]
    """A right program, which passes every case."""
    specification: Specification | None = None
    """Specification, for validity and bounds of the inputs."""

    def subject(self, _options: Options) -> str:
        """Name the suite: by its specification, else by its size."""
        spec = self.specification
        return (spec and spec.title) or f"suite of {counted(len(self.tests), 'test')}"

    def needs(self, options: Options) -> Needs:
        """Return what the request asks of a service."""
        return super().needs(options)._replace(tests=len(self.tests))


def run(request: StrengthRequest, options: StrengthOptions, _folder: Path | None) -> StrengthReport:
    """Measure how strong a suite of a Python program is, by the programs that it kills."""
    options = options.model_copy(
        update={"entry": options.entry or _ENTRY, "spec": request.specification}
    )
    suite = load_json_tests(request.tests, entry=as_entry(options.entry or _ENTRY))
    return StrengthMeasurement(suite, request.solution, options).report()


def outcome(report: StrengthReport) -> str:
    """Return a suite's strength in a few words."""
    if report.passed:
        return "strong, no weakness found"
    if report.unmeasured:
        return "weak, no wrong program was tried"
    if report.survivors:
        return f"weak, misses {counted(len(report.survivors), 'wrong or slow program')}"
    return "weak, some inputs or outputs are in doubt"


_ENTRY = "class:Solution.solve"
JOB = Job(
    name="strength",
    request=StrengthRequest,
    options=StrengthOptions,
    report=StrengthReport,
    run=run,
    view=view,
    outcome=outcome,
    advice="Use it after you have written tests. Each survivor is a wrong program that no "
    "test rejects; add its `killing_input` as a case. It takes from seconds to "
    "minutes.",
    tool=("tests", "solution", "entry", "wrong", "slow", "mutants"),
    example={
        "tests": [{"args": [2], "expected": 4}, {"args": [-3], "expected": 9}],
        "solution": "def square(x):\n    return x * x\n",
        "entry": "function:square",
        "mutants": 20,
    },
)
