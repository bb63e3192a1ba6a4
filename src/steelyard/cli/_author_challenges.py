"""`steelyard author challenge` and `challenges`: inputs that show a suite or a solution wrong."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue
from rich.table import Table
from rich.text import Text

from steelyard.cli._author_submit import By, Problem, cells, person
from steelyard.cli._console import report_console
from steelyard.cli._groups import Command, Group
from steelyard.cli._options import Database, Jobs, Json, MaxCost, MaxTokens
from steelyard.cli._outputs import print_json
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.rendering import visible
from steelyard.schemas import ChallengeHistory, ChallengeReport, ChallengeState

if TYPE_CHECKING:
    from steelyard.challenges import Healer
    from steelyard.storage import Reader

_DIGITS = 12
_MOST_BYTES = 16_000_000
_STYLES = {"accepted": "bold green", "rejected": "bold red"}

Output = Annotated[
    str | None,
    typer.Option(
        "--output", metavar="JSON", help="The right output of the call.", show_default=False
    ),
]
Healers = Annotated[
    str | None,
    typer.Option(
        "--models",
        metavar="MODEL",
        show_default="none is asked",
        help="Model that repairs a reference solution that is shown wrong.",
    ),
]
Challenge = Annotated[
    str, typer.Argument(metavar="CHALLENGE", help="First digits of the challenge's digest.")
]

challenges = typer.Typer(
    cls=Group, help="List challenges, and decide those that need a person.", add_completion=False
)


@challenges.callback(invoke_without_command=True)
def options(context: typer.Context) -> None:
    """List challenges, and decide those that need a person."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(UsageError.exit_status)


def challenge(
    problem: Problem,
    given: Annotated[
        str | None,
        typer.Argument(
            metavar="INPUT",
            help="The call's arguments: a JSON list such as `[[1, 2], 3]`, or an expression such "
            "as `[[0] * 100000, 5]`.",
        ),
    ] = None,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The fault that the input shows.")
    ] = None,
    output: Output = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File with the input, in place of INPUT.")
    ] = None,
    by: By = None,
    models: Healers = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    database: Database = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Challenge a problem with an input that shows it weak or wrong.

    An output that you claim is quarantined until a solution or a person backs it. The exit status
    is 0 if the challenge is accepted.
    """
    from steelyard.challenges import challenge, read_output  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    text = _text(given, file)
    if reason is None:
        raise UsageError("--reason is missing; name the fault that the input shows")
    claim = None if output is None else (read_output(output),)
    with (
        open_database(database, create=False) as opened,
        _healer(models, max_cost, max_tokens) as healer,
        cells(jobs) as pool,
        progress("judging the challenge") as on_event,
    ):
        report = challenge(
            opened,
            problem,
            text,
            reason=reason,
            by=person(by),
            claim=claim,
            healer=healer,
            pool=pool,
            on_event=on_event,
        )
    _finish(report, json=json)


@challenges.command("list", cls=Command)
def list_challenges(
    problem: Annotated[
        str | None, typer.Argument(metavar="[PROBLEM]", help="Name of a problem.")
    ] = None,
    state: Annotated[ChallengeState | None, typer.Option(help="Only those in this state.")] = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """List challenges, the oldest first."""
    from steelyard.storage import open_database  # noqa: PLC0415

    with open_database(database, create=False) as opened, opened.read() as reader:
        if problem is not None:
            reader.problem(problem)
        found = reader.challenges(problem, state)
    if json:
        print_json({"challenges": [_plain(each) for each in found]})
        return
    table = Table(title=Text("challenges"), title_justify="left", title_style="bold")
    for heading in ("challenge", "problem", "state", "by", "opened", "reason"):
        table.add_column(heading, overflow="fold")
    for each in found:
        own = each.challenge
        table.add_row(
            own.digest[:_DIGITS],
            own.problem,
            _state(each.state),
            Text(visible(own.by)),
            f"{own.created_utc:%Y-%m-%d %H:%M:%S}",
            Text(visible(own.reason)),
        )
    report_console().print(table)


@challenges.command(cls=Command)
def show(challenge: Challenge, database: Database = None, json: Json = False) -> None:
    """Show a challenge: its input, its steps, and what is stated about the output."""
    from steelyard.storage import open_database  # noqa: PLC0415

    with open_database(database, create=False) as opened, opened.read() as reader:
        history = reader.challenge(challenge)
        truths = reader.truths(history.challenge.problem, history.challenge.input)
        if json:
            plain = _plain(history) | {
                "input": reader.input(history.challenge.input).model_dump(mode="json"),
                "truths": [each.model_dump(mode="json") for each in truths],
            }
            print_json(plain)
            return
        lines = list(_lines(history, reader))
    lines += [
        f"output {_shown(each.output)} by {visible(each.by)}, {each.created_utc:%Y-%m-%d %H:%M:%S}"
        for each in truths
    ]
    report_console().print(Text("\n".join(lines)), soft_wrap=True)


@challenges.command(cls=Command)
def resolve(
    challenge: Challenge,
    accept: Annotated[
        bool | None,
        typer.Option("--accept/--reject", help="State the output as right, or reject the claim."),
    ] = None,
    output: Output = None,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why you decide so.")] = "",
    by: By = None,
    models: Healers = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    database: Database = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Decide a challenge as a person who knows the right output.

    Whoever can write to the database is entitled to. An output that contradicts a stated one makes
    the challenge disputed; the next decision is final.
    """
    from steelyard.challenges import read_output, resolve  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    if accept is None:
        raise UsageError("the decision is missing; give --accept or --reject")
    if output is not None and not accept:
        raise UsageError("--reject takes no output; leave --output out, or give --accept")
    stated = None if output is None else (read_output(output),)
    with (
        open_database(database, create=False) as opened,
        _healer(models, max_cost, max_tokens) as healer,
        cells(jobs) as pool,
        progress("judging the challenge") as on_event,
    ):
        report = resolve(
            opened,
            challenge,
            accept=accept,
            by=person(by),
            reason=reason,
            output=stated,
            healer=healer,
            pool=pool,
            on_event=on_event,
        )
    _finish(report, json=json, decided=not accept)


def _finish(report: ChallengeReport, *, json: bool, decided: bool = False) -> None:
    """Print a report, and end with its exit status; `decided`: any state is what was asked for."""
    if json:
        print_json(report.to_json())
    else:
        console = report_console()
        first, *lines = str(report).split("\n")
        console.print(Text(first, style=_STYLES.get(report.state, "bold yellow")), soft_wrap=True)
        lines += [f"challenge {report.challenge[:_DIGITS]}"] if report.challenge else []
        lines += [
            f"program {each.solution[:_DIGITS]}: passed before, and fails"
            for each in report.rejudged
            if each.passed_before and not each.passed
        ]
        if report.rejudged:
            lines.append(f"judged again: {len(report.rejudged)} programs")
        spent = report.spending
        if spent.calls or spent.cached_calls:
            lines.append(f"model: {spent}")
        lines += map(visible, report.notes)
        if any(lines):
            console.print(Text("\n".join(filter(None, lines))), soft_wrap=True)
    raise typer.Exit(0 if report.passed or decided else 1)


def _healer(
    model: str | None, max_cost: float | None, max_tokens: int | None
) -> AbstractContextManager["Healer | None"]:
    """Return the model that repairs; nothing if none is named.

    Raises:
        UsageError: if the model cannot be used, or a limit is given without one.
    """
    from steelyard.authoring import NO_MODEL  # noqa: PLC0415
    from steelyard.challenges import open_healer  # noqa: PLC0415

    if model not in (None, NO_MODEL):
        return open_healer(model, max_cost_usd=max_cost, max_tokens=max_tokens)
    limits = {"--max-cost": max_cost, "--max-tokens": max_tokens}
    unused = next((flag for flag, value in limits.items() if value is not None), None)
    if unused is not None:
        raise UsageError(f"{unused} limits a model, and none is named; name one with --models")
    return nullcontext()


def _text(given: str | None, file: Path | None) -> str:
    """Return the input as text.

    Raises:
        UsageError: if it is missing or given twice, or the file cannot be read.
    """
    if (given is None) == (file is None):
        raise UsageError("give one input: INPUT, or --file FILE")
    if file is None:
        return given or ""
    try:
        with file.open("rb") as stream:
            return stream.read(_MOST_BYTES).decode("utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--file: {file} cannot be read: {why}; give a text file") from error


def _lines(history: ChallengeHistory, reader: "Reader") -> Iterator[str]:
    from steelyard.authoring.calls import shown_call  # noqa: PLC0415
    from steelyard.families import args_of  # noqa: PLC0415

    own = history.challenge
    yield f"{own.digest[:_DIGITS]} of {own.problem}: {history.state}"
    yield visible(shown_call(args_of(reader.input(own.input))))
    if own.has_claim:
        yield f"claimed output: {_shown(own.claim)}"
    yield f"{visible(own.by)}: {visible(own.reason)}"
    for step in history.steps:
        text = f"{step.created_utc:%Y-%m-%d %H:%M:%S}  {step.state} by {step.by}: {step.reason}"
        yield visible(text.removesuffix(": "))


def _shown(value: JsonValue) -> str:
    from steelyard.authoring.calls import shown_value  # noqa: PLC0415

    return visible(shown_value(value))


def _state(state: ChallengeState) -> Text:
    return Text(state, style=_STYLES.get(state, "yellow").removeprefix("bold "))


def _plain(history: ChallengeHistory) -> dict[str, JsonValue]:
    plain: dict[str, JsonValue] = history.model_dump(mode="json")
    return plain | {"digest": history.challenge.digest, "state": history.state}
