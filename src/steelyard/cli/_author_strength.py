"""`steelyard author strength`: what a suite kills, with denominators and survivors."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._flags import Chosen, takes
from steelyard.cli._options import Jobs, Json, require_jobs
from steelyard.cli._outputs import print_json
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.rendering import visible
from steelyard.sandbox import CellPool
from steelyard.schemas import ReferenceAgreement, Share, StrengthReport, Survivor
from steelyard.strength import Measurement, StrengthOptions

_SURVIVORS_SHOWN = 20
_MORE_WORK = 1.1


@takes(StrengthOptions, "growth")
def strength(
    chosen: Chosen[StrengthOptions],
    suite: Annotated[
        Path,
        typer.Argument(
            metavar="SUITE", help="JSON or JSONL file of tests, or folder of NAME.in with NAME.ans."
        ),
    ],
    solution: Annotated[
        Path, typer.Option(metavar="FILE", help="Source file of a solution that passes the suite.")
    ],
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Measure what a suite of tests kills: mutants, wrong and slow programs.

    It needs no language model. The exit status is 0 if no weakness was found.
    """
    require_jobs(jobs)
    for field in ("wrong", "slow", "references"):
        chosen.given[field] = _programs(chosen.given.get(field))
    with CellPool(jobs) as pool, progress("measuring") as on_event:
        options = chosen.options(pool=pool, on_event=on_event)
        report = Measurement(suite, solution, options).report()
    if json:
        print_json(report.to_json())
    else:
        report_console().print(_view(report, suite.name))
    raise typer.Exit(0 if report.passed else 1)


def _programs(given: Sequence[Path] | None) -> tuple[Path, ...]:
    """Return the files, with those of each folder in its place.

    Raises:
        UsageError: if a folder holds no file.
    """
    return tuple(file for path in given or () for file in _files(path))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    files = [file for file in sorted(path.iterdir()) if file.is_file() and file.name[0] != "."]
    if not files:
        raise UsageError(f"{path} holds no programs; name a folder with source files")
    yield from files


def _view(report: StrengthReport, name: str) -> Group:
    parts: list[RenderableType] = [_figures(report, name)]
    if len(report.by_category) > 1:
        parts.append(_categories(report))
    parts += _survivors(report.survivors)
    parts += [
        Text(f"invalid: {visible(each.case)} breaks {visible('; '.join(each.broken))}", style="red")
        for each in report.invalid
    ]
    if report.missed_bounds:
        missed = visible(", ".join(report.missed_bounds))
        parts.append(Text(f"bounds that no case reaches: {missed}", style="yellow"))
    if report.twins:
        twins = ", ".join(f"{twin} = {first}" for twin, first in report.twins)
        parts.append(Text(f"cases with equal inputs: {visible(twins)}", style="yellow"))
    parts += [Text(visible(note), style="dim") for note in report.notes]
    verdict = ("no weakness found", "bold green") if report.passed else ("weak", "bold red")
    if report.unsearched or report.unmeasured:
        verdict = ("unproved", "bold yellow")
    return Group(*parts, Text.assemble(verdict, f"   {report.seconds:,.1f} s"))


def _figures(report: StrengthReport, name: str) -> Table:
    table = Table(
        title=Text(f"{name}: {report.cases:,} cases"),
        title_justify="left",
        title_style="bold",
        show_header=False,
    )
    score, given = report.mutation, report.independence
    rows: list[tuple[str, str]] = [
        ("valid inputs", _share(report.validity)),
        ("bounds reached", _share(report.bounds)),
        ("mutants killed", "not measured"),
        ("wrong programs killed", _share(report.wrong)),
        ("slow programs killed", _share(report.slow)),
        ("growth", "not measured" if report.growth is None else visible(str(report.growth))),
        ("cases of that size", _share(report.growth.cases if report.growth else None)),
        ("outputs with independent evidence", _share(given.backed)),
    ]
    if score is not None:
        text = f"{score.killed:,} of {score.mutants:,}: {score.low:.1%} to {score.high:.1%}"
        by = ", ".join(f"{count} {verdict}" for verdict, count in report.killed_by_verdict.items())
        by += f", {score.by_work} by work" if score.by_work else ""
        rows[2] = (rows[2][0], f"{text} ({by})" if by else text)
        rows.insert(
            3, ("never killed", f"{score.never_killed:,}, with {score.searched:,} more inputs")
        )
    rows += [(f"reference {visible(each.name)}", _agreement(each)) for each in given.references]
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _agreement(reference: ReferenceAgreement) -> str:
    text = f"agrees with {reference.agrees}"
    if reference.likeness is None:
        return text
    return f"{text}; shares {reference.likeness:.0%} of the solution's syntax"


def _categories(report: StrengthReport) -> Table:
    table = Table(title=Text("each category by itself"), title_justify="left", title_style="bold")
    for heading in ("category", "cases", "valid", "bounds", "mutants", "wrong", "slow", "evidence"):
        table.add_column(heading)
    for each in report.by_category:
        mutants = _share(each.mutants)
        if each.mutants is not None and each.mutants_high is not None:
            low = each.mutants.count / (each.mutants.of or 1)
            mutants = f"{mutants}: {low:.0%} to {each.mutants_high:.0%}"
        table.add_row(
            Text(visible(each.category) or "none"),
            str(each.cases),
            _share(each.validity),
            _share(each.bounds),
            mutants,
            _share(each.wrong),
            _share(each.slow),
            _share(each.backed),
        )
    return table


def _share(share: Share | None) -> str:
    return "not measured" if share is None else str(share)


def _survivors(survivors: Sequence[Survivor]) -> Iterator[RenderableType]:
    """Yield the survivors; those that an input is known to kill come first."""
    for each in survivors[:_SURVIVORS_SHOWN]:
        what = "survives" if each.killing_input is None else "survives, and should not"
        yield Text(f"{each.kind} {what}: {visible(each.name)}", style="yellow")
        if each.killing_input is not None:
            args = visible(", ".join(map(repr, each.killing_input)))
            yield Padding(Text(f"killed by solve({args[:200]})", style="red"), (0, 0, 0, 2))
        if each.work is not None and each.work > _MORE_WORK:
            yield Padding(Text(f"does {each.work:.1f} times the work", style="dim"), (0, 0, 0, 2))
    if len(survivors) > _SURVIVORS_SHOWN:
        yield Text(f"and {len(survivors) - _SURVIVORS_SHOWN} more survivors", style="yellow")
