"""Reports of authoring: Markdown, HTML and terminal views of the same blocks.

Texts of models cannot become markup in any of them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from steelyard.authoring.calls import shown_call, shown_value
from steelyard.authoring.specification import statement_of
from steelyard.rendering import counted, document, escaped, percent, visible, visible_lines
from steelyard.schemas import (
    AuthoredCase,
    AuthorReport,
    OracleReport,
    Share,
    Specification,
    StrengthReport,
    StressSize,
)
from steelyard.values import match_mode_of

_MOST_ROWS = 200
_MOST_SURVIVORS = 20
_NOT_MEASURED = "not measured"


def title_of(report: AuthorReport) -> str:
    """Return the page's title."""
    return report.specification.title if report.specification else report.task_id


def findings_of(report: AuthorReport) -> Iterator[tuple[str, str]]:
    """Yield what the result rests on, one line for each kind of evidence, with its name."""
    for question in report.questions:
        yield "open", question.text
    if report.suite is not None and report.suite.cases:
        trust = ", ".join(f"{count:,} {each}" for each, count in report.by_trust().items())
        yield "tests", f"{len(report.suite.cases):,} cases: {trust or 'no output is known'}"
    for each in report.solutions:
        agrees = "" if each.agrees is None else f"gives {each.agrees} expected outputs"
        repaired = f"repaired {counted(each.healed, 'time')}" if each.healed else ""
        yield "solution", f"{each.name}: {'; '.join(filter(None, (agrees, repaired, each.fault)))}"
    if report.strength is not None:
        measured = [
            f"{name} {value}" for name, value in _figures(report.strength) if value != _NOT_MEASURED
        ]
        yield "strength", "; ".join(measured)
    if report.stress is not None:
        yield "growth", _stress_cases(report.stress)
    if report.spending.calls:
        yield "cost", _cost(report)
    for note in report.notes:
        yield "note", note


@dataclass(frozen=True, slots=True)
class Heading:
    """A section's title."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text of one line."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list of lines."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Code:
    """A program, or a diff."""

    text: str


Block = Heading | Paragraph | Items | Table | Code


def blocks_of(report: AuthorReport) -> Iterator[Block]:
    """Yield the report from its result to its notes."""
    yield Paragraph(f"{report.status}: {report.reason or report.stop}")
    yield from _questions(report)
    if report.specification is not None:
        yield Heading("Specification")
        yield Code(statement_of(report.specification))
    if report.suite is not None:
        yield from _suite(report.suite.cases, report)
        if report.specification is not None and report.by_trust():
            yield from _judging(report.specification)
        yield from _cases(report.suite.cases)
    yield from _solutions(report)
    yield from _sources(report)
    if report.oracle is not None:
        yield from _oracle(report.oracle)
    if report.strength is not None:
        yield from _strength(report.strength)
    if report.stress is not None:
        yield from _growth(report.stress)
    yield from _costs(report)


def _questions(report: AuthorReport) -> Iterator[Block]:
    if not report.questions:
        return
    yield Heading("Open in the request")
    for question in report.questions:
        yield Paragraph(question.text)
        rows = [
            (
                shown_value(each.answer) if each.how == "answer" else f"no answer: {each.how}",
                ", ".join(each.solutions),
            )
            for each in question.readings
        ]
        if rows:
            yield Table(("answer", "given by"), rows)


def _suite(cases: Sequence[AuthoredCase], report: AuthorReport) -> Iterator[Block]:
    yield Heading("Suite")
    trust = report.by_trust()
    parts = [f"{count} {each}" for each, count in trust.items()]
    without = len(cases) - sum(trust.values())
    parts += [f"{without} without an output"] if without else []
    yield Paragraph(f"{len(cases)} cases: {', '.join(parts)}")
    categories = Counter(case.category for case in cases)
    origins = Counter((case.category, case.origin.split(" ")[0]) for case in cases)
    yield Table(
        ("category", "cases", "made by"),
        [
            (
                category,
                str(count),
                ", ".join(
                    f"{origin} {each}"
                    for (name, origin), each in origins.items()
                    if name == category
                ),
            )
            for category, count in categories.items()
        ],
    )


def _judging(spec: Specification) -> Iterator[Block]:
    """Yield the commands that compare answers as the specification asks."""
    modes = {"calls": spec.match_mode, "text": match_mode_of(spec)}
    flags = {
        name: "" if mode == "exact" else f" --match-mode {mode}" for name, mode in modes.items()
    }
    alike = "" if spec.output_type == "exact" else " --sequences-alike"
    calls = "steelyard judge solution.py --entry class:Solution.solve --tests tests/calls.jsonl"
    yield Paragraph("To judge a function, or a program that reads standard input:")
    yield Code(
        f"{calls}{flags['calls']}{alike}\nsteelyard judge program.cpp --tests tests{flags['text']}"
    )
    if spec.output_type == "in-place":
        yield Paragraph(
            "Such a function must return nothing, and leave its other arguments as they were."
        )


def _cases(cases: Sequence[AuthoredCase]) -> Iterator[Block]:
    yield Table(
        ("case", "origin", "call", "expected", "trust", "evidence", "kills"),
        [_case(each) for each in cases[:_MOST_ROWS]],
    )
    for reach in dict.fromkeys(each.evidence.exhaustive_to for each in cases):
        if reach:
            yield Paragraph(f"The solutions agree on all inputs with {reach}.")
    if len(cases) > _MOST_ROWS:
        yield Paragraph(f"{len(cases) - _MOST_ROWS} more cases are in suite.json")


def _case(case: AuthoredCase) -> tuple[str, ...]:
    given = case.input
    call = shown_call(given.args) if given.args is not None else given.expression[:200]
    evidence = case.evidence
    parts = [f"stated by the {evidence.truth}"] if evidence.truth else []
    if evidence.independent:
        parts.append(f"{evidence.agree} of {evidence.independent} solutions agree")
    return (
        case.name,
        case.origin,
        call,
        shown_value(case.expected) if case.has_expected else "unknown",
        case.trust,
        "; ".join([*parts, *case.notes]),
        str(len(case.kills)),
    )


def _solutions(report: AuthorReport) -> Iterator[Block]:
    if not report.solutions:
        return
    yield Heading("Reference solutions")
    yield Table(
        ("solution", "role", "examples", "gives expected outputs", "repaired", "fault"),
        [
            (
                each.name,
                each.role,
                _share(each.examples),
                _share(each.agrees),
                str(each.healed),
                each.fault,
            )
            for each in report.solutions
        ],
    )
    rounds = [
        (str(each.number + 1), str(each.cases), _share(each.contradicted), each.why_again)
        for each in report.rounds
    ]
    if len(rounds) > 1 or any(each.contradicted for each in report.rounds):
        yield Table(("suite", "cases", "contradicted", "made again because"), rounds)


def _sources(report: AuthorReport) -> Iterator[Block]:
    for solution in report.solutions:
        if solution.source:
            yield Paragraph(solution.name)
            yield Code(solution.source)


def _oracle(oracle: OracleReport) -> Iterator[Block]:
    yield Heading("The model's inputs")
    yield Table(
        ("temperature", "inputs", "valid", "why not used"),
        [
            (f"{each.temperature:g}", str(each.inputs), str(each.valid), each.fault)
            for each in oracle.attempts
        ],
    )
    if oracle.valid_accepted is not None:
        yield Paragraph(
            f"Its validator accepts {_share(oracle.valid_accepted)} valid inputs and refuses "
            f"{_share(oracle.invalid_refused)} inputs that break one constraint. "
            f"{oracle.only_kills} mutants are killed by its inputs alone."
        )
    yield Items(
        [
            f"{shown_call(each.args)}: the specification finds it "
            f"{'valid' if not each.broken else 'invalid, by ' + each.broken[0]}; its validator "
            f"{ {True: 'accepts it', False: 'refuses it', None: 'fails'}[each.accepted] }"
            for each in oracle.differences
        ]
    )


def _figures(strength: StrengthReport) -> list[tuple[str, str]]:
    """Return what was measured of a suite, each figure with its name."""
    score = strength.mutation
    killed = _NOT_MEASURED
    if score is not None:
        killed = (
            f"{score.killed} of {score.mutants} ({percent(score.low)} to {percent(score.high)})"
        )
        if score.never_killed:
            killed += f", {score.never_killed} never, with {score.searched} more inputs"
    return [
        ("valid inputs", _share(strength.validity)),
        ("bounds reached", _share(strength.bounds)),
        ("mutants killed", killed),
        ("wrong programs killed", _share(strength.wrong)),
        ("slow programs killed", _share(strength.slow)),
        (
            "cases of the stress size",
            _share(strength.growth.cases if strength.growth else None),
        ),
        ("outputs with independent evidence", _share(strength.independence.backed)),
    ]


def _strength(strength: StrengthReport) -> Iterator[Block]:
    yield Heading("Strength")
    yield Table(("figure", "value"), _figures(strength))
    if strength.missed_bounds:
        yield Paragraph(f"Bounds that no case reaches: {', '.join(strength.missed_bounds)}")
    shown = strength.survivors[:_MOST_SURVIVORS]
    for survivor in shown:
        yield Paragraph(f"{survivor.kind} {survivor.name} survives")
        if survivor.diff:
            yield Code(survivor.diff)
    left = len(strength.survivors) - len(shown)
    if left > 0:
        yield Paragraph(f"{left} more survivors")


def _growth(growth: StressSize) -> Iterator[Block]:
    yield Heading("Growth")
    yield Paragraph(_stress_cases(growth))
    rows = [("solution", growth.solution_growth, f"{growth.solution_ms:,.0f} ms")]
    if growth.brute_force_ms is not None:
        slow = f"{'over ' * growth.separates}{growth.brute_force_ms:,.0f} ms"
        rows.append(("brute force", growth.brute_force_growth, slow))
    yield Table(("program", "grows as", "CPU time at this size"), rows)
    if growth.reason:
        yield Paragraph(f"No size separates a slow program from the solution: {growth.reason}")


def _stress_cases(growth: StressSize) -> str:
    made_by = f", made by: {growth.kind}" if growth.kind else ""
    return (
        f"Stress cases have {growth.quantity} = {growth.n:,}{made_by}. "
        f"The time limit is {growth.time_limit_ms:,.0f} ms a case."
    )


def _costs(report: AuthorReport) -> Iterator[Block]:
    yield Heading("Cost")
    yield Paragraph(_cost(report))
    if report.notes:
        yield Heading("Notes")
        yield Items(report.notes)


def _cost(report: AuthorReport) -> str:
    spent = report.spending
    cost = "unknown" if spent.cost_usd is None else f"${spent.cost_usd:.4g}"
    return (
        f"{spent.calls} paid replies and {spent.cached_calls} free ones, "
        f"{spent.tokens_in:,} tokens in and {spent.tokens_out:,} out, {cost}; "
        f"{report.seconds:,.1f} s"
    )


def _share(share: Share | None) -> str:
    return _NOT_MEASURED if share is None else str(share)


_CSS = """
td,th{text-align:left;white-space:normal;overflow-wrap:break-word;vertical-align:top;max-width:28rem}
.scroll{margin:1rem 0}
pre{background:var(--card);border-radius:.5rem;padding:.8rem;font-size:.85rem;white-space:pre-wrap;
overflow-wrap:anywhere}
"""


def html_of(report: AuthorReport) -> str:
    """Return the report as an HTML page."""
    title = title_of(report)
    body = [f"<h1>{escaped(title)}</h1>", *map(_as_html, blocks_of(report))]
    return document(f"author: {title}", body, style=_CSS)


def _as_html(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h2>{escaped(text)}</h2>"
        case Paragraph(text):
            return f"<p>{escaped(text)}</p>"
        case Items(lines):
            return f"<ul>{''.join(f'<li>{escaped(line)}</li>' for line in lines)}</ul>"
        case Table(headings, rows):
            body = "".join(_html_row(row, "td") for row in rows)
            table = f"<table>{_html_row(headings, 'th')}{body}</table>"
            return f'<div class="scroll" tabindex="0">{table}</div>'
        case Code(text):
            return f"<pre>{escape(visible_lines(text))}</pre>"


def _html_row(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escaped(each)}</{tag}>' for each in cells)}</tr>"


_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_FENCE = re.compile(r"`{3,}")


def markdown_of(report: AuthorReport) -> str:
    """Return the report as a Markdown page."""
    parts = [f"# {_unmarked(title_of(report))}", *map(_as_markdown, blocks_of(report))]
    return "\n\n".join(parts) + "\n"


def _as_markdown(block: Block) -> str:
    match block:
        case Heading(text):
            return f"## {_unmarked(text)}"
        case Paragraph(text):
            return _unmarked(text)
        case Items(lines):
            return "\n".join(f"- {_unmarked(line)}" for line in lines)
        case Table(headings, rows):
            rule = ["---"] * len(headings)
            return "\n".join(map(_markdown_row, (headings, rule, *rows)))
        case Code(text):
            longest = max((len(each) for each in _FENCE.findall(text)), default=2)
            fence = "`" * (longest + 1)
            return f"{fence}\n{visible_lines(text)}\n{fence}"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(each if each == '---' else _unmarked(each) for each in cells)} |"


def _unmarked(text: str) -> str:
    return _MARKUP.sub(r"\\\1", visible(text))


_STATUS_STYLES = {
    "done": "bold green",
    "open": "bold yellow",
    "failed": "bold red",
    "sandbox_error": "bold yellow",
}
_WIDEST = 60
"""Characters of a column: output that is piped has no width of its own."""


@dataclass(frozen=True)
class AuthorView:
    """An authoring report: its result with a line for each kind of evidence, or all of it."""

    report: AuthorReport
    brief: bool = True

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        report = self.report
        yield Text.assemble(
            (report.status.upper().replace("_", " "), _STATUS_STYLES[report.status]),
            f"  {visible(title_of(report))}: {visible(report.reason or report.stop)}",
        )
        if self.brief:
            found = list(findings_of(report))
            width = max((len(name) for name, _ in found), default=0)
            yield from (Text(f"{name:{width}}  {visible(text)}") for name, text in found)
        else:
            blocks = blocks_of(report)
            next(blocks)  # the first line again
            for block in blocks:
                yield from _as_rich(block)
        if report.folder:
            yield Text(f"results in {visible(report.folder)}")


def _as_rich(block: Block) -> Iterator[RenderableType]:
    match block:
        case Heading(text):
            yield Text(f"\n{visible(text)}", style="bold cyan")
        case Paragraph(text):
            yield Text(visible(text))
        case Items(lines):
            for line in lines:
                yield Text(f"- {visible(line)}")
        case Table(headings, rows):
            table = RichTable()
            for heading in headings:
                table.add_column(heading, overflow="fold", max_width=_WIDEST)
            for row in rows:
                table.add_row(*(Text(visible(each)) for each in row))
            yield table
        case Code(text):
            yield Padding(Text(visible_lines(text), style="dim"), (0, 0, 0, 2))
