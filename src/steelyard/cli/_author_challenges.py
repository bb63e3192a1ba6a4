"""Challenges and submissions of a stored problem.

`challenge`, `challenges`: inputs that show its suite or a solution wrong. `submit`, `submissions`:
programs that are judged on its current suite.
"""

import getpass
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import JsonValue

from steelyard.cli._flags import Chosen, flag_of, takes
from steelyard.cli._groups import ClosingCommand, group_of
from steelyard.cli._options import (
    Database,
    Jobs,
    Json,
    read_source,
    require_jobs,
    text_of_file,
)
from steelyard.cli._outputs import is_verbose, print_json, print_result
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.judging import view
from steelyard.options import ProgramOptions, SpendingOptions
from steelyard.reports import Block, Line, Span, Table, Text, print_blocks, visible
from steelyard.sandbox import CellPool
from steelyard.schemas import ChallengeHistory, ChallengeReport, ChallengeState
from steelyard.toolchains import language_of

if TYPE_CHECKING:
    from steelyard.authoring.challenges import Healer
    from steelyard.schemas import JudgedSubmission
    from steelyard.storage import Reader

_DIGITS = 12
_MOST_BYTES = 16_000_000
_TONES = {"accepted": "good", "rejected": "bad"}

Problem = Annotated[
    str, typer.Argument(metavar="PROBLEM", help="Name of a problem in the database.")
]
By = Annotated[
    str | None,
    typer.Option("--by", metavar="NAME", help="Your name.", show_default="your user's name"),
]
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

challenges = group_of("List challenges, and decide those that need a person.")


@takes(SpendingOptions, "seed")
def challenge(
    chosen: Chosen[SpendingOptions],
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
    database: Database = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Challenge a problem with an input that shows it weak or wrong.

    An output that you claim is quarantined until a solution or a person backs it. The exit status
    is 0 if the challenge is accepted.
    """
    from steelyard.authoring.challenges import challenge, read_output  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    text = _input_text(given, file)
    if reason is None:
        raise UsageError("--reason is missing; name the fault that the input shows")
    claim = None if output is None else (read_output(output),)
    with (
        open_database(database, create=False) as opened,
        _healer(models, chosen.given) as healer,
        _cells(jobs) as pool,
        progress("judging the challenge") as on_event,
    ):
        report = challenge(
            opened,
            problem,
            text,
            reason=reason,
            by=_person(by),
            claim=claim,
            healer=healer,
            pool=pool,
            on_event=on_event,
        )
    _finish(report, json=json)


@challenges.command("list", cls=ClosingCommand)
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
    rows = [
        (
            each.challenge.digest[:_DIGITS],
            each.challenge.problem,
            Span(each.state, _TONES.get(each.state, "warn")),
            each.challenge.by,
            f"{each.challenge.created_utc:%Y-%m-%d %H:%M:%S}",
            each.challenge.reason,
        )
        for each in found
    ]
    headings = ("challenge", "problem", "state", "by", "opened", "reason")
    plain = {"challenges": [_history_json(each) for each in found]}
    print_result(plain, [Table(headings, rows)], json=json)


@challenges.command(cls=ClosingCommand)
def show(challenge: Challenge, database: Database = None, json: Json = False) -> None:
    """Show a challenge: its input, its steps, and what is stated about the output."""
    from steelyard.storage import open_database  # noqa: PLC0415

    with open_database(database, create=False) as opened, opened.read() as reader:
        history = reader.challenge(challenge)
        truths = reader.truths(history.challenge.problem, history.challenge.input)
        if json:
            plain = _history_json(history) | {
                "input": reader.input(history.challenge.input).model_dump(mode="json"),
                "truths": [each.model_dump(mode="json") for each in truths],
            }
            print_json(plain)
            return
        lines = list(_history_lines(history, reader))
    lines += [
        f"output {_shown(each.output)} by {each.by}, {each.created_utc:%Y-%m-%d %H:%M:%S}"
        for each in truths
    ]
    print_blocks(map(Text, lines))


@challenges.command(cls=ClosingCommand)
@takes(SpendingOptions, "seed")
def resolve(
    chosen: Chosen[SpendingOptions],
    challenge: Challenge,
    accept: Annotated[
        bool | None,
        typer.Option("--accept/--reject", help="State the output as right, or reject the claim."),
    ] = None,
    output: Output = None,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why you decide so.")] = "",
    by: By = None,
    models: Healers = None,
    database: Database = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Decide a challenge as a person who knows the right output.

    Whoever can write to the database is entitled to. An output that contradicts a stated one makes
    the challenge disputed; the next decision is final.
    """
    from steelyard.authoring.challenges import read_output, resolve  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    if accept is None:
        raise UsageError("the decision is missing; give --accept or --reject")
    if output is not None and not accept:
        raise UsageError("--reject takes no output; leave --output out, or give --accept")
    stated = None if output is None else (read_output(output),)
    with (
        open_database(database, create=False) as opened,
        _healer(models, chosen.given) as healer,
        _cells(jobs) as pool,
        progress("judging the challenge") as on_event,
    ):
        report = resolve(
            opened,
            challenge,
            accept=accept,
            by=_person(by),
            reason=reason,
            output=stated,
            healer=healer,
            pool=pool,
            on_event=on_event,
        )
    _finish(report, json=json, decided=not accept)


def _finish(report: ChallengeReport, *, json: bool, decided: bool = False) -> None:
    """Print a report, and end with its exit status; `decided`: any state is what was asked for."""
    print_result(report, _report_blocks(report), json=json)
    raise typer.Exit(0 if report.passed or decided else 1)


def _report_blocks(report: ChallengeReport) -> Iterator[Block]:
    first, *lines = str(report).split("\n")
    yield Text(first, f"strong {_TONES.get(report.state, 'warn')}")
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
    yield from map(Text, filter(None, (*lines, *report.notes)))


def _healer(
    model: str | None, limits: Mapping[str, Any]
) -> AbstractContextManager["Healer | None"]:
    """Return the model that repairs; nothing if none is named.

    Raises:
        UsageError: if the model cannot be used, or a limit is given without one.
    """
    from steelyard.authoring import NO_MODEL  # noqa: PLC0415
    from steelyard.authoring.challenges import open_healer  # noqa: PLC0415

    if model not in (None, NO_MODEL):
        return open_healer(model, **limits)
    if limits:
        flag = flag_of(next(iter(limits)))
        raise UsageError(f"{flag} limits a model, and none is named; name one with --models")
    return nullcontext()


def _input_text(text: str | None, file: Path | None) -> str:
    """Return the input as text.

    Raises:
        UsageError: if it is missing or given twice, or the file cannot be read.
    """
    if (text is None) == (file is None):
        raise UsageError("give one input: INPUT, or --file FILE")
    return text or "" if file is None else text_of_file(file, _MOST_BYTES)


def _history_lines(history: ChallengeHistory, reader: "Reader") -> Iterator[str]:
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


def _history_json(history: ChallengeHistory) -> dict[str, JsonValue]:
    plain: dict[str, JsonValue] = history.model_dump(mode="json")
    return plain | {"digest": history.challenge.digest, "state": history.state}


@takes(ProgramOptions, only=("language",))
def submit(
    chosen: Chosen[ProgramOptions],
    problem: Problem,
    program: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Source file. Python has `class Solution: solve`; other languages read text.",
        ),
    ],
    by: By = None,
    database: Database = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Judge a program on a problem's current suite, and store the result.

    Each case has a process of its own and 2 s of CPU time, unless the suite sets another limit.
    """
    from steelyard.authoring.challenges.submissions import submit  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    source = read_source(program)
    with (
        open_database(database, create=False) as opened,
        _cells(jobs) as pool,
        progress("judging") as on_event,
    ):
        report = submit(
            opened,
            problem,
            source,
            by=_person(by),
            language=chosen.given.get("language") or language_of(program),
            pool=pool,
            on_event=on_event,
        )
    title = f"{program.name} · {problem} · suite {report.suite_version}"
    line = f"submission {report.submission[:_DIGITS]}"
    line += ", outdated: the suite has changed meanwhile" if report.outdated else ""
    blocks = [
        *view(report.result, title=title, brief=not is_verbose()),
        *(Text(each, "quiet") for each in (line, *report.notes)),
    ]
    print_result(report, blocks, json=json)
    raise typer.Exit(0 if report.passed else 1)


def submissions(
    problem: Problem,
    rejudge: Annotated[
        bool, typer.Option("--rejudge", help="First judge outdated submissions again.")
    ] = False,
    database: Database = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """List a problem's submissions with their results.

    A result is outdated if the problem's suite has changed since, so that it could be another.
    """
    from steelyard.authoring.challenges.submissions import list_submissions, repeat_outdated  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    with open_database(database, create=False) as opened:
        if rejudge:
            with _cells(jobs) as pool, progress("judging") as on_event:
                repeat_outdated(opened, problem, pool=pool, on_event=on_event)
        with opened.read() as reader:
            found = list_submissions(reader, problem)
    rows = [
        (
            each.submission.digest[:_DIGITS],
            each.submission.by,
            f"{each.submission.created_utc:%Y-%m-%d %H:%M:%S}",
            str(each.suite_version or ""),
            _submission_outcome(each),
        )
        for each in found
    ]
    plain = {"submissions": [each.model_dump(mode="json") for each in found]}
    table = Table(("submission", "by", "submitted", "suite", "result"), rows)
    print_result(plain, [table], json=json)


def _cells(jobs: int | None) -> CellPool:
    """Return the pool for `--jobs`.

    Raises:
        UsageError: if it is not positive.
    """
    require_jobs(jobs)
    return CellPool(jobs)


def _person(by: str | None) -> str:
    """Return the name of who acts: the one that is given, else that of the system's user."""
    if by is not None:
        return by
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # the user has no name
        return "unknown"


def _submission_outcome(each: "JudgedSubmission") -> Line:
    if each.suite_version is None:
        return Span("not judged", "quiet")
    verdict = Span("passed", "good") if each.passed else Span("failed", "bad")
    old = Span("  outdated", "warn") if each.outdated else ""
    return verdict, f" {each.tests_passed} of {each.tests}", old
