"""`steelyard evaluate`: programs on a benchmark, with metrics, reports and comparisons."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer

from steelyard.cli._groups import Command, DefaultGroup
from steelyard.cli._options import (
    Jobs,
    Json,
    MaxCost,
    MaxTokens,
    flags_named,
    limits_of,
    memory_limit,
    time_limit,
)
from steelyard.cli._outputs import is_verbose, print_result
from steelyard.cli._progress import progress
from steelyard.cli._runs import announce_scripts
from steelyard.errors import InfrastructureError, UsageError
from steelyard.reports import Code
from steelyard.schemas import EvaluationDiff, EvaluationReport, IsolationLevel

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of an evaluation.")]
K = Annotated[str, typer.Option("--k", metavar="K,...", help="The k of pass@k and its relatives.")]
Plots = Annotated[
    bool, typer.Option("--plots/--no-plots", help="Draw runtime curves with plotnine.")
]
Day = Annotated[
    datetime | None,
    typer.Option(metavar="DATE", formats=["%Y-%m-%d"], help="First day of publication to take."),
]

evaluate = typer.Typer(cls=DefaultGroup, add_completion=False)


@evaluate.callback()
def options() -> None:
    """Evaluate programs on a benchmark, with metrics and reports.

    The same command resumes: what has a verdict is neither paid for nor judged again.
    """


@evaluate.command(cls=Command)
def run(
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
    samples: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Samples to judge: JSONL, JSON, gzip or parquet."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="provider:model that writes the samples."),
    ] = None,
    solve: Annotated[
        bool, typer.Option("--solve", help="Write each program with a whole run of solve.")
    ] = False,
    n: Annotated[int, typer.Option("--n", metavar="N", help="Samples for each task and seed.")] = 1,
    seeds: Annotated[
        str, typer.Option(metavar="S,...", help="Seeds of models; each gives --n samples.")
    ] = "0",
    replans: Annotated[
        int,
        typer.Option(metavar="N", help="With --solve, programs that a run may write again."),
    ] = 2,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            show_default="the sample's, the task's, or python",
            help="Programming language of programs.",
        ),
    ] = None,
    k: K = "1,10,100",
    limit: Annotated[
        int | None,
        typer.Option(metavar="N", show_default="all", help="Number of tasks to take."),
    ] = None,
    filter: Annotated[  # noqa: A002  (the option's name)
        str | None,
        typer.Option(metavar="GLOB,...", help="Take tasks whose id or tag matches: HumanEval/1*."),
    ] = None,
    after: Day = None,
    before: Annotated[
        datetime | None,
        typer.Option(
            metavar="DATE", formats=["%Y-%m-%d"], help="First day of publication that is too late."
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Take the I-th of N parts; `merge` joins them."),
    ] = None,
    allow_missing: Annotated[
        bool,
        typer.Option("--allow-missing", help="Evaluate the other tasks if some have no sample."),
    ] = False,
    slack: Annotated[
        float,
        typer.Option(
            metavar="X", help="Let programs run X times their time limit: they pass, but slowly."
        ),
    ] = 1.0,
    time_limit: Annotated[int | None, time_limit("the task's, or 5000")] = None,
    memory_limit: Annotated[int | None, memory_limit("the task's, or 512")] = None,
    all_cases: Annotated[
        bool, typer.Option("--all-cases", help="Run all cases of a program that fails one.")
    ] = False,
    efficiency: Annotated[
        bool,
        typer.Option(
            "--efficiency", help="Time right programs and references for ENAMEL and Beyond."
        ),
    ] = False,
    mutants: Annotated[
        int,
        typer.Option(
            metavar="N", help="Mutants of each reference that measure the strength of its tests."
        ),
    ] = 0,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="Judge on this machine, or on a Ray cluster.")
    ] = "local",
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            show_default="RAY_ADDRESS, or this machine",
            help="With --engine ray, the head of the cluster.",
        ),
    ] = None,
    jobs: Jobs = None,
    require: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            show_default="setting sandbox.require",
            help="Weakest isolation to accept: none, partial or full.",
        ),
    ] = None,
    plots: Plots = True,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", show_default="evaluations/NAME", help="Folder of the results."),
    ] = None,
    json: Json = False,
) -> None:
    """Evaluate programs: what `steelyard evaluate BENCHMARK` does."""
    from steelyard.evaluation import EvaluateOptions, run_evaluation  # noqa: PLC0415

    if benchmark is not None and named is not None and benchmark != named:
        raise UsageError(f"two benchmarks are given, {benchmark} and {named}; omit one")
    if require is not None and require not in get_args(IsolationLevel):
        raise UsageError(f"--require must be none, partial or full, got {require!r}")
    if samples is None and model is None and not solve:
        raise UsageError("give programs: --samples FILE, --model MODEL, or --solve")
    given: dict[str, Any] = {
        "samples": samples,
        "model": model,
        "solve": solve,
        "n": n,
        "seeds": _numbers("--seeds", seeds),
        "replans": replans,
        "language": language,
        "k": _numbers("--k", k),
        "limit": limit,
        "filter": filter,
        "after": after and after.date(),
        "before": before and before.date(),
        "shard": shard,
        "allow_missing": allow_missing,
        "slack": slack,
        "all_cases": all_cases,
        "efficiency": efficiency,
        "mutants": mutants,
        "max_cost_usd": max_cost,
        "max_tokens": max_tokens,
        "engine": engine,
        "cluster": cluster,
        "jobs": jobs,
        "require": require,
        "plots": plots,
    }
    limits = limits_of(time_limit, memory_limit)
    if model is not None and not json:
        announce_scripts([model])
    with progress("reading tasks") as on_event:
        with flags_named(given):
            chosen = EvaluateOptions.of(**given, limits=limits, on_event=on_event)
        report = run_evaluation(benchmark or named or "core", chosen, out)
    _print(report, json=json)
    raise typer.Exit(_status(report))


@evaluate.command(cls=Command)
def view(folder: Folder, k: K = "1,10,100", plots: Plots = True, json: Json = False) -> None:
    """Count the figures of an evaluation again from its record, and write its reports."""
    from steelyard.evaluation import view_evaluation  # noqa: PLC0415

    report = view_evaluation(folder, k=_numbers("--k", k), plots=plots)
    _print(report, json=json)
    raise typer.Exit(_status(report))


@evaluate.command(cls=Command)
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
    print_result(found, diff_view(found), json=json)
    raise typer.Exit(0 if found.passed else 1)


@evaluate.command(cls=Command)
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


@evaluate.command(cls=Command)
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
