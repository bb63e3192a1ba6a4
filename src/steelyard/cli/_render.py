"""Show a verification as a table."""

from collections.abc import Iterator

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from steelyard._printable import printable
from steelyard.cli._console import report_console
from steelyard.schemas import (
    CaseResult,
    Diagnostic,
    Difference,
    Verdict,
    VerifyResult,
)

__all__ = ["show_result", "verdict_text"]

_STYLES = {Verdict.AC: "green", Verdict.SK: "dim", Verdict.WA: "red"}
_MANY_CASES = 40  # beyond it only the failures and a summary are listed
_DIAGNOSTICS_SHOWN = 10


def show_result(result: VerifyResult, *, title: str) -> None:
    """Print a result for people."""
    console = report_console()
    for line in _compile_lines(result):
        console.print(line)
    if result.cases and result.compile.ok:
        console.print(_case_table(result.cases, title))
        failed = next((c for c in result.cases if c.verdict not in (Verdict.AC, Verdict.SK)), None)
        if failed:
            console.print(_explain(failed))
    style = "bold green" if result.passed else "bold red"
    console.print(f"[{style}]{_outcome(result)}   reward [bold]{result.reward:.3f}[/]")
    categories = result.by_category()
    if len(categories) > 1:
        console.print(Text(_describe_categories(categories), style="dim"))
    for note in result.notes:
        console.print(Text(_visible(note), style="dim"))
    if result.isolation:
        console.print(f"[dim]isolation: {escape(str(result.isolation))}[/]")


def _outcome(result: VerifyResult) -> str:
    """Return the outcome, up to the end of its style, and the tests that passed."""
    if result.compile_only:
        return "compiles[/]" if result.passed else "does not compile[/]"
    passed = sum(case.verdict is Verdict.AC for case in result.cases)
    outcome = "passed" if result.passed else "failed" if result.cases else "not tested"
    return f"{outcome}[/]  {passed} of {len(result.cases)} tests"


def _describe_categories(categories: dict[str, tuple[int, int]]) -> str:
    parts = (
        f"{_visible(name) or 'no category'} {passed} of {total}"
        for name, (passed, total) in categories.items()
    )
    return f"by category: {', '.join(parts)}"


def verdict_text(verdict: Verdict) -> Text:
    """Return a verdict in its colour."""
    return Text(verdict.value, style=_STYLES.get(verdict, "yellow"))


def _compile_lines(result: VerifyResult) -> Iterator[Text]:
    compiled = result.compile
    how = "from the cache" if compiled.cached else f"{compiled.wall_ms:,.0f} ms"
    if compiled.ok:
        yield Text(f"compiled, {how}", style="dim")
    else:
        yield Text("did not compile", style="bold red")
    said: tuple[Diagnostic, ...] = compiled.errors + compiled.warnings
    for item in said[:_DIAGNOSTICS_SHOWN]:
        yield Text(f"  {item}", style="red" if item.severity == "error" else "yellow")
    if len(said) > _DIAGNOSTICS_SHOWN:
        yield Text(f"  and {len(said) - _DIAGNOSTICS_SHOWN} more", style="dim")


def _case_table(cases: tuple[CaseResult, ...], title: str) -> Table | Group:
    shown = [c for c in cases if c.verdict is not Verdict.AC] if len(cases) > _MANY_CASES else cases
    table = Table(title=Text(title), title_justify="left", title_style="bold")
    table.add_column("case")
    table.add_column("verdict")
    for heading in ("cpu ms", "wall ms", "MiB"):
        table.add_column(heading, justify="right")
    table.add_column("what happened", overflow="fold")
    for case in shown[:_MANY_CASES]:
        figures = ("", "", "")
        if case.verdict is not Verdict.SK:
            figures = (f"{case.cpu_ms:.1f}", f"{case.wall_ms:.1f}", f"{case.memory_mib:.1f}")
        table.add_row(
            Text(_visible(case.name)), verdict_text(case.verdict), *figures, Text(case.message)
        )
    left = len(cases) - len(shown[:_MANY_CASES])
    if not left:
        return table
    passed = sum(case.verdict is Verdict.AC for case in cases)
    slowest = max(case.cpu_ms for case in cases)
    return Group(
        table, Text(f"{left} not listed; {passed} passed, slowest {slowest:.1f} ms", style="dim")
    )


def _explain(case: CaseResult) -> Group:
    lines = [Text(f"first failure: {_visible(case.name)}", style="bold")]
    if case.difference:
        lines += _show_difference(case.difference)
    if case.stderr:
        lines.append(Text("  standard error:", style="dim"))
        lines += [Text(f"    {_visible(line)}") for line in case.stderr.splitlines()[:8]]
    return Group(*lines)


def _show_difference(difference: Difference) -> list[Text]:
    return [
        Text(f"  line {difference.line}, column {difference.column}", style="dim"),
        Text.assemble(("  expected  ", "dim"), (_or_end(difference.expected), "green")),
        Text.assemble(("  got       ", "dim"), (_or_end(difference.got), "red")),
    ]


def _or_end(text: str) -> str:
    return _visible(text) or "(end of output)"


def _visible(text: str) -> str:
    """Return a candidate's text without what would steer the terminal."""
    return printable(text.replace("\n", "⏎").replace("\t", "⇥").replace("\r", "␍"))
