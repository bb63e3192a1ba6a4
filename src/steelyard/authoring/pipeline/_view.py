"""Show an authored problem: at a terminal, and as the report of its folder."""

from collections.abc import Iterator

from steelyard.authoring.calls import shown_value
from steelyard.authoring.pipeline._sections import oracle_blocks, solution_blocks, suite_blocks
from steelyard.authoring.specification import statement_of
from steelyard.reports import (
    Block,
    Code,
    Figure,
    Figures,
    Heading,
    Headline,
    Note,
    Span,
    Table,
    Text,
    counted,
)
from steelyard.schemas import (
    AuthorReport,
    StressSize,
)
from steelyard.strength import strength_blocks, strength_figures

_TONES = {
    "done": "strong good",
    "open": "strong warn",
    "failed": "strong bad",
    "sandbox_error": "strong warn",
}


def view(report: AuthorReport, *, brief: bool = False) -> Iterator[Block]:
    """Yield a report; `brief`: only its result, and a line for each kind of evidence."""
    status = Span(report.status.upper().replace("_", " "), _TONES[report.status])
    yield Headline(status, f"{title_of(report)}: {report.reason or report.stop}")
    yield Figures(list(_findings(report, brief=brief)))
    yield from (Note(question.text, Span("open", "warn")) for question in report.questions)
    yield from map(Note, report.notes)
    if not brief:
        yield from _sections(report)
    if report.folder:
        yield Text(f"results in {report.folder}", "quiet")


def title_of(report: AuthorReport) -> str:
    """Return the page's title."""
    return report.specification.title if report.specification else report.task_id


def _findings(report: AuthorReport, *, brief: bool) -> Iterator[Figure]:
    """Yield what the result rests on, a figure for each kind of evidence."""
    if report.suite is not None and report.suite.cases:
        trust = ", ".join(f"{count:,} {each}" for each, count in report.by_trust().items())
        yield Figure("tests", f"{len(report.suite.cases):,} cases", trust or "no output is known")
    for each in report.solutions:
        agrees = "" if each.agrees is None else f"gives {each.agrees} expected outputs"
        repaired = f"repaired {counted(each.healed, 'time')}" if each.healed else ""
        aside = "; ".join(filter(None, (agrees, repaired, each.fault)))
        yield Figure("solution", each.name, aside)
    if report.strength is not None and brief:
        measured = [
            " ".join(filter(None, (name, value, aside)))
            for name, value, aside in strength_figures(report.strength)
            if value != "not measured"
        ]
        yield Figure("strength", "; ".join(measured[:1]), "; ".join(measured[1:]))
    if report.stress is not None:
        size = f"{report.stress.quantity} = {report.stress.n:,}"
        yield Figure("growth", size, _stress_cases(report.stress))
    if report.spending.calls:
        yield Figure("cost", *_cost(report))


def _sections(report: AuthorReport) -> Iterator[Block]:
    yield from _questions(report)
    if report.specification is not None:
        yield Heading("Specification")
        yield Code(statement_of(report.specification))
    if report.suite is not None:
        yield from suite_blocks(report, report.suite.cases)
    yield from solution_blocks(report)
    if report.oracle is not None:
        yield from oracle_blocks(report.oracle)
    if report.strength is not None:
        yield Heading("Strength")
        yield from strength_blocks(report.strength, brief=False)
    if report.stress is not None:
        yield from _growth(report.stress)


def _questions(report: AuthorReport) -> Iterator[Block]:
    if not report.questions:
        return
    yield Heading("Open in the request")
    for question in report.questions:
        yield Text(question.text)
        rows = [
            (
                shown_value(each.answer) if each.how == "answer" else f"no answer: {each.how}",
                ", ".join(each.solutions),
            )
            for each in question.readings
        ]
        if rows:
            yield Table(("answer", "given by"), rows)


def _growth(growth: StressSize) -> Iterator[Block]:
    yield Heading("Growth")
    yield Text(_stress_cases(growth))
    rows = [("solution", growth.solution_growth, f"{growth.solution_ms:,.0f} ms")]
    if growth.brute_force_ms is not None:
        slow = f"{'over ' * growth.separates}{growth.brute_force_ms:,.0f} ms"
        rows.append(("brute force", growth.brute_force_growth, slow))
    yield Table(("program", "grows as", "CPU time at this size"), rows)
    if growth.reason:
        yield Text(f"No size separates a slow program from the solution: {growth.reason}")


def _stress_cases(growth: StressSize) -> str:
    made_by = f", made by: {growth.kind}" if growth.kind else ""
    return (
        f"Stress cases have {growth.quantity} = {growth.n:,}{made_by}. "
        f"The time limit is {growth.time_limit_ms:,.0f} ms a case."
    )


def _cost(report: AuthorReport) -> tuple[str, str]:
    spent = report.spending
    cost = "unknown" if spent.cost_usd is None else f"${spent.cost_usd:.4g}"
    return cost, (
        f"{spent.calls} paid replies and {spent.cached_calls} free ones, "
        f"{spent.tokens_in:,} tokens in and {spent.tokens_out:,} out; {report.seconds:,.1f} s"
    )
