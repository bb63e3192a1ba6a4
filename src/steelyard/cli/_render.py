"""Show a judgement: the outcome first, then what failed, then the cases."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from steelyard._printable import printable
from steelyard.cli._outputs import Line, columns, is_verbose, show
from steelyard.schemas import CaseResult, Diagnostic, Verdict, VerifyResult

if TYPE_CHECKING:
    from rich.text import Text

_STYLES = {Verdict.AC: "green", Verdict.SK: "dim", Verdict.WA: "red"}
_MANY_CASES = 40  # beyond it only the failures and a summary are listed
_DIAGNOSTICS_SHOWN = 10
_STDERR_LINES_SHOWN = 8


def show_result(result: VerifyResult, *, title: str) -> None:
    """Print a result for people.

    Args:
        result: The judgement.
        title: The program and what compiled or checked it, which `-v` shows.
    """
    show(_lines(result, title))


def verdict_text(verdict: Verdict) -> "Text":
    """Return a verdict in its colour."""
    from rich.text import Text  # noqa: PLC0415

    return Text(verdict.value, style=_style(verdict))


def _lines(result: VerifyResult, title: str) -> Iterator[Line]:
    style = "bold green" if result.passed else "bold red"
    outcome, counted = _outcome(result)
    form = f"   form {_visible(result.form)}" if result.form else ""
    yield (outcome, style), counted, "   reward ", (f"{result.reward:.3f}", "bold"), form
    categories = result.by_category()
    if len(categories) > 1:
        yield ((_describe_categories(categories), "dim"),)
    yield from _diagnostics(result)
    if result.cases and result.compile.ok:
        failed = next((c for c in result.cases if c.verdict not in (Verdict.AC, Verdict.SK)), None)
        if failed:
            yield from _explain(failed)
        yield from _cases(result.cases)
    for note in result.notes:
        yield ((_visible(note), "dim"),)
    verbose = is_verbose()
    if verbose:
        compiled = result.compile
        how = "from the cache" if compiled.cached else f"{compiled.wall_ms:,.0f} ms"
        yield ((f"{_visible(title)}, {how}", "dim"),)
    if result.isolation and (verbose or result.isolation.level != "full"):
        yield ((f"isolation: {result.isolation}", "dim"),)


def _outcome(result: VerifyResult) -> tuple[str, str]:
    """Return the outcome, and the tests that passed."""
    if result.compile_only:
        return ("compiles" if result.passed else "does not compile"), ""
    if not result.compile.ok:
        return "did not compile", ""
    passed = sum(case.verdict is Verdict.AC for case in result.cases)
    outcome = "passed" if result.passed else "failed" if result.cases else "not tested"
    return outcome, f"  {passed} of {len(result.cases)} tests"


def _describe_categories(categories: dict[str, tuple[int, int]]) -> str:
    parts = (
        f"{_visible(name) or 'no category'} {passed} of {total}"
        for name, (passed, total) in categories.items()
    )
    return f"by category: {', '.join(parts)}"


def _diagnostics(result: VerifyResult) -> Iterator[Line]:
    found: tuple[Diagnostic, ...] = result.compile.errors + result.compile.warnings
    for item in found[:_DIAGNOSTICS_SHOWN]:
        yield ((f"  {item}", "red" if item.severity == "error" else "yellow"),)
    if len(found) > _DIAGNOSTICS_SHOWN:
        yield ((f"  and {len(found) - _DIAGNOSTICS_SHOWN} more", "dim"),)


def _cases(cases: tuple[CaseResult, ...]) -> Iterator[Line]:
    shown = [c for c in cases if c.verdict is not Verdict.AC] if len(cases) > _MANY_CASES else cases
    rows = []
    for case in shown[:_MANY_CASES]:
        figures = ("", "", "")
        if case.verdict is not Verdict.SK:
            figures = (f"{case.cpu_ms:.1f}", f"{case.wall_ms:.1f}", f"{case.memory_mib:.1f}")
        verdict = (case.verdict.value, _style(case.verdict))
        rows.append((_visible(case.name), verdict, *figures, printable(case.message)))
    if rows:
        headings = ("case", "verdict", "cpu ms", "wall ms", "MiB", "")
        yield from columns(headings, rows, right=(2, 3, 4))
    left = len(cases) - len(rows)
    if left:
        passed = sum(case.verdict is Verdict.AC for case in cases)
        slowest = max(case.cpu_ms for case in cases)
        yield ((f"{left} not listed; {passed} passed, slowest {slowest:.1f} ms", "dim"),)


def _explain(case: CaseResult) -> Iterator[Line]:
    yield ((f"first failure: {_visible(case.name)}", "bold"),)
    if case.difference:
        difference = case.difference
        yield ((f"  line {difference.line}, column {difference.column}", "dim"),)
        yield ("  expected  ", "dim"), (_or_end(difference.expected), "green")
        yield ("  got       ", "dim"), (_or_end(difference.got), "red")
    if case.stderr:
        yield (("  standard error:", "dim"),)
        for line in case.stderr.splitlines()[:_STDERR_LINES_SHOWN]:
            yield (f"    {_visible(line)}",)


def _style(verdict: Verdict) -> str:
    return _STYLES.get(verdict, "yellow")


def _or_end(text: str) -> str:
    return _visible(text) or "(end of output)"


def _visible(text: str) -> str:
    """Return a candidate's text without what would steer the terminal."""
    return printable(text.replace("\n", "⏎").replace("\t", "⇥").replace("\r", "␍"))
