"""`steelyard evaluate`: programs on a benchmark, with metrics, reports and comparisons."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from steelyard.cli._flags import Chosen, takes
from steelyard.cli._groups import ClosingCommand, DefaultGroup
from steelyard.cli._options import Json
from steelyard.cli._outputs import is_verbose, print_result
from steelyard.cli._progress import progress
from steelyard.cli._runs import announce_scripts
from steelyard.errors import InfrastructureError, UsageError
from steelyard.evaluation import EvaluateOptions
from steelyard.reports import Code, print_blocks
from steelyard.schemas import EvaluationDiff, EvaluationReport

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of an evaluation.")]
K = Annotated[str, typer.Option("--k", metavar="K,...", help="The k of pass@k and its relatives.")]
Plots = Annotated[
    bool, typer.Option("--plots/--no-plots", help="Draw runtime curves with plotnine.")
]
evaluate = typer.Typer(cls=DefaultGroup, add_completion=False)


@evaluate.callback()
def options() -> None:
    """Evaluate programs on a benchmark, with metrics and reports.

    The same command resumes: what has a verdict is neither paid for nor judged again.
    """


@evaluate.command(cls=ClosingCommand)
@takes(EvaluateOptions, "seed")
def run(
    chosen: Chosen[EvaluateOptions],
    benchmark: Annotated[
        str | None,
        typer.Argument(
            metavar="BENCHMARK",
            show_default="core",
            help="core, humaneval, a file or folder of tasks, or hf:NAME.",
        ),
    ] = None,
    named: Annotated[
        str | None,
        typer.Option("--benchmark", metavar="NAME", help="The benchmark, as an option."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", show_default="evaluations/NAME", help="Folder of the results."),
    ] = None,
    json: Json = False,
) -> None:
    """Evaluate programs: what `steelyard evaluate BENCHMARK` does."""
    from steelyard.evaluation import run_evaluation  # noqa: PLC0415

    if benchmark is not None and named is not None and benchmark != named:
        raise UsageError(f"two benchmarks are given, {benchmark} and {named}; omit one")
    given = chosen.given
    if not given.keys() & {"samples", "model", "solve"}:
        raise UsageError("give programs: --samples FILE, --model MODEL, or --solve")
    if "model" in given and not json:
        announce_scripts([given["model"]])
    try:
        with progress("reading tasks") as on_event:
            report = run_evaluation(
                benchmark or named or "core", chosen.options(on_event=on_event), out
            )
    except KeyboardInterrupt:
        print_blocks([Code("nothing is lost: the same command resumes")], sys.stderr)
        raise
    _print(report, json=json)
    raise typer.Exit(_status(report))


@evaluate.command(cls=ClosingCommand)
def view(folder: Folder, k: K = "1,10,100", plots: Plots = True, json: Json = False) -> None:
    """Count the figures of an evaluation again from its record, and write its reports."""
    from steelyard.evaluation import view_evaluation  # noqa: PLC0415

    report = view_evaluation(folder, k=_numbers("--k", k), plots=plots)
    _print(report, json=json)
    raise typer.Exit(_status(report))


@evaluate.command(cls=ClosingCommand)
def diff(
    first: Annotated[Path, typer.Argument(metavar="A", help="Folder of the first evaluation.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Folder of the second one.")],
    k: K = "1,10,100",
    json: Json = False,
) -> None:
    """Compare two evaluations task by task.

    The command passes unless B is shown to be worse.
    """
    from steelyard.evaluation import diff_evaluations, diff_view  # noqa: PLC0415

    found: EvaluationDiff = diff_evaluations(first, second, k=_numbers("--k", k))
    print_result(found, diff_view(found, brief=True), json=json)
    raise typer.Exit(0 if found.passed else 1)


@evaluate.command(cls=ClosingCommand)
def merge(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders of all shards, each once.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the whole evaluation.")],
    k: K = "1,10,100",
    plots: Plots = True,
    json: Json = False,
) -> None:
    """Merge the shards of an evaluation, and write its reports."""
    from steelyard.evaluation import merge_evaluations  # noqa: PLC0415

    report = merge_evaluations(folders, out, k=_numbers("--k", k), plots=plots)
    _print(report, json=json)
    raise typer.Exit(_status(report))


@evaluate.command(cls=ClosingCommand)
def export(
    folder: Folder,
    to: Annotated[Literal["inspect"], typer.Option(help="A log of Inspect.")] = "inspect",  # noqa: ARG001
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default="DIR/inspect.eval", help="File NAME.eval."),
    ] = None,
    json: Json = False,
) -> None:
    """Write an evaluation in another tool's form.

    `inspect view --log-dir` shows a log of Inspect.
    """
    from steelyard.evaluation import export_evaluation  # noqa: PLC0415

    file = export_evaluation(folder, out)
    print_result(
        {"file": str(file)},
        [Code(f"{file}: to open it, inspect view --log-dir {file.parent}")],
        json=json,
    )


def _numbers(option: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(each) for each in text.split(","))
    except ValueError as error:
        raise UsageError(f"{option} takes whole numbers such as 1,10, got {text!r}") from error


def _print(report: EvaluationReport, *, json: bool) -> None:
    from steelyard.evaluation import view  # noqa: PLC0415

    print_result(report, view(report, brief=not is_verbose()), json=json)


def _status(report: EvaluationReport) -> int:
    if report.passed:
        return 0
    return InfrastructureError.exit_status if report.unjudged else 1
