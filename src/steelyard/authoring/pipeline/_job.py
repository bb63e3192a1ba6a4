"""The job of authoring: a request becomes a specification, a suite and solutions."""

from collections.abc import Awaitable
from pathlib import Path
from typing import Annotated

from pydantic import Field

from steelyard.authoring import AuthorOptions, require_models, require_request
from steelyard.authoring.pipeline._author import Author
from steelyard.authoring.pipeline._results_folder import JOURNAL
from steelyard.authoring.pipeline._view import view
from steelyard.errors import UsageError
from steelyard.job import FormField, Job, JobForm, JobRequest, Needs
from steelyard.options import Flag, Options
from steelyard.reports import counted
from steelyard.schemas import AuthorReport, AuthorStop, ProblemName, Specification

_UNAUTHORED: dict[AuthorStop, str] = {
    "disputed": "solutions disagree",
    "no-outputs": "no expected outputs",
    "no-specification": "no usable specification",
    "budget": "the budget is spent",
    "models": "a model did not answer",
    "sandbox": "the machine failed",
    "logs": "files could not be written",
}


class AuthorRequest(JobRequest):
    """A request in prose, or a specification."""

    request: Annotated[str | None, Flag("TEXT")] = Field(
        default=None, min_length=1, max_length=20_000
    )
    """What is asked for, in prose."""
    specification: Specification | None = None
    """In place of a request."""
    solution: Annotated[list[bytes], Flag("FILE", takes=list[str], is_source=True)] = Field(
        default=[], max_length=20
    )
    """Source texts of right solutions."""
    name: Annotated[ProblemName | None, Flag("NAME")] = None
    """The name to store the problem under, as a new one or as a new version; None stores none."""

    def subject(self, _options: Options) -> str:
        """Name the problem."""
        spec = self.specification
        return self.name or (spec and spec.title) or self.request or ""

    def needs(self, options: Options) -> Needs:
        """Return what the request asks of a service."""
        if (self.request is None) == (self.specification is None):
            raise UsageError("give one of the two: a request, or a specification")
        if self.request is not None:
            require_request(self.request)
            assert isinstance(options, AuthorOptions)
            require_models(options)
        return super().needs(options)


def run(
    request: AuthorRequest, options: AuthorOptions, folder: Path | None
) -> Awaitable[AuthorReport]:
    """Turn a request into a specification, a suite and solutions, as a run."""
    author, out = Author(options), None if folder is None else folder / "results"
    if out is not None and (out / JOURNAL / _HEAD).exists():
        return author.aresume(out)
    return author.aauthor(
        request.request,
        out=out,
        specification=request.specification,
        solutions=[each.decode("utf-8", "surrogatepass") for each in request.solution],
    )


def outcome(report: AuthorReport) -> str:
    """Return the end of the run in a few words."""
    if report.passed:
        return f"authored, {counted(len(report.suite.cases) if report.suite else 0, 'case')}"
    why = _UNAUTHORED.get(report.stop, report.reason)
    return f"{'open' if report.status == 'open' else 'not authored'}, {why}"


_HEAD = "run.json"
JOB = Job(
    name="author",
    request=AuthorRequest,
    options=AuthorOptions,
    report=AuthorReport,
    run=run,
    view=view,
    outcome=outcome,
    advice="It asks language models, which costs money and minutes. `questions` list what "
    "the request leaves open; answer them in the next request.",
    tool=("request", "max_cost_usd", "cases", "thorough", "mutants", "solution", "name"),
    own_form=JobForm(
        "Author a problem",
        "Models turn a request into a specification, a suite with evidence, and solutions. It "
        "costs what the models cost.",
        "Author",
        (
            FormField("request", "Request", "prose"),
            FormField("cases", "Cases at most", "number", "60", least=1, most=1_000),
            FormField("mutants", "Mutants at most", "number", "200", least=0, most=10_000),
            FormField(
                "name",
                "Name under which to store the problem, such as widest-gap; none if empty",
                "line",
                is_required=False,
            ),
        ),
    ),
    scope="author",
    example={"request": "the sum of a list of integers", "max_cost_usd": 0.5},
)
