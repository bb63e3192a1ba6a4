"""Show a judgement: the outcome first, then what failed, then the cases."""

from collections.abc import Iterator, Sequence

from steelyard.reports import (
    Block,
    Code,
    Column,
    Headline,
    Line,
    Span,
    Table,
    TableCell,
    Text,
    first,
)
from steelyard.schemas import CaseResult, Verdict, VerifyResult

_TONES = {Verdict.AC: "good", Verdict.SK: "quiet", Verdict.WA: "bad"}
_MANY_CASES = 40  # beyond it only the failures and a summary are listed
_MOST_CASES = 500
_DIAGNOSTICS_SHOWN = 10
_STDERR_LINES_SHOWN = 8
_MARKS = str.maketrans("\n\t\r", "⏎⇥␍")


def view(
    result: VerifyResult, *, title: str = "", brief: bool = False, failure: bool = True
) -> Iterator[Block]:
    """Yield a judgement.

    Args:
        result: What to show.
        title: The program and what compiled or checked it.
        brief: Leave out the title, the isolation if it is full, and all but the failures of many
            cases.
        failure: Explain the first failure.
    """
    outcome, counted = _outcome(result)
    form = f"   form {result.form}" if result.form else ""
    reward = Span(f"{result.reward:.3f}", "strong")
    tone = "strong good" if result.passed else "strong bad"
    yield Headline(Span(outcome, tone), (counted, "   reward ", reward, form))
    categories = result.by_category()
    if len(categories) > 1:
        parts = (f"{name or 'no category'} {n} of {of}" for name, (n, of) in categories.items())
        yield Text(f"by category: {', '.join(parts)}", "quiet")
    yield from _diagnostics(result)
    if result.cases and result.compile.ok:
        failed = next((c for c in result.cases if c.verdict not in (Verdict.AC, Verdict.SK)), None)
        if failed and failure:
            yield from _failure(failed)
        yield _cases(result.cases, brief=brief)
    yield from (Text(note, "quiet") for note in result.notes)
    if not brief:
        compiled = result.compile
        time = "from the cache" if compiled.cached else f"{compiled.wall_ms:,.0f} ms"
        yield Text(f"{title}, {time}" if title else time, "quiet")
    if result.isolation and not (brief and result.isolation.level == "full"):
        yield Text(f"isolation: {result.isolation}", "quiet")


def verdict_span(verdict: Verdict) -> Span:
    """Return a verdict with its tone."""
    return Span(verdict.value, _TONES.get(verdict, "warn"))


def _outcome(result: VerifyResult) -> tuple[str, str]:
    """Return the outcome, and the tests that passed."""
    if result.compile_only:
        return ("compiles" if result.passed else "does not compile"), ""
    if not result.compile.ok:
        return "did not compile", ""
    passed = sum(case.verdict is Verdict.AC for case in result.cases)
    outcome = "passed" if result.passed else "failed" if result.cases else "not tested"
    return outcome, f"{passed} of {len(result.cases)} tests"


def _diagnostics(result: VerifyResult) -> Iterator[Block]:
    found = [
        Text(str(each), "bad" if each.severity == "error" else "warn", indent=2)
        for each in result.compile.errors + result.compile.warnings
    ]
    yield from first(found, _DIAGNOSTICS_SHOWN, "diagnostic")


def _failure(case: CaseResult) -> Iterator[Block]:
    yield Text(f"first failure: {_marked(case.name)}", "strong")
    if case.difference:
        difference = case.difference
        yield Text(difference.position, "quiet", indent=2)
        for name, text, tone in (
            ("expected", difference.expected, "good"),
            ("got", difference.got, "bad"),
        ):
            shown = Span(_marked(text) or "(end of output)", tone)
            yield Text((Span(f"{name:<8}  ", "quiet"), shown), indent=2)
    lines = case.stderr.splitlines()[:_STDERR_LINES_SHOWN]
    yield Code("\n".join(lines), "standard error")


def _cases(cases: Sequence[CaseResult], *, brief: bool) -> Table:
    many = brief and len(cases) > _MANY_CASES
    shown = [c for c in cases if c.verdict is not Verdict.AC] if many else cases
    names = ("cpu_ms", "wall_ms", "memory_mib")
    most = {name: max(getattr(case, name) for case in cases) or 1.0 for name in names}
    rows: list[list[Line | TableCell]] = []
    for case in shown[: _MANY_CASES if brief else _MOST_CASES]:
        row: list[Line | TableCell] = [_marked(case.name), verdict_span(case.verdict)]
        for name in names:
            figure = getattr(case, name)
            is_known = case.verdict is not Verdict.SK
            row.append(TableCell(f"{figure:.1f}", share=figure / most[name]) if is_known else "")
        rows.append([*row, case.message])
    left = len(cases) - len(rows)
    caption = ""
    if left:
        passed = sum(case.verdict is Verdict.AC for case in cases)
        caption = f"{left} not listed; {passed} passed, slowest {most['cpu_ms']:.1f} ms"
    columns = [Column(each, "figure") for each in ("cpu ms", "wall ms", "MiB")]
    return Table(("case", "verdict", *columns, ""), rows, caption)


def _marked(text: str) -> str:
    """Return a text of one line, in which ends of lines and tabs are seen."""
    return text.translate(_MARKS)
