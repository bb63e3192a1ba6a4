"""Show what a suite kills, with denominators and survivors."""

from collections.abc import Iterator, Sequence

from steelyard.reports import (
    Block,
    Diff,
    Figure,
    Figures,
    Fold,
    Headline,
    Line,
    Note,
    Span,
    Table,
    Text,
    first,
)
from steelyard.schemas import Share, StrengthReport, Survivor

_SURVIVORS_SHOWN = 20
_MORE_WORK = 1.1
_NOT_MEASURED = "not measured"
_LONGEST_CALL = 200


def view(report: StrengthReport, *, name: str = "", brief: bool = False) -> Iterator[Block]:
    """Yield a report.

    Args:
        report: What to show.
        name: Of the suite.
        brief: Leave out the texts of survivors.
    """
    verdict = (
        Span("no weakness found", "strong good") if report.passed else Span("weak", "strong bad")
    )
    if report.unsearched or report.unmeasured:
        verdict = Span("unproved", "strong warn")
    cases = f"{name}: {report.cases:,} cases" if name else f"{report.cases:,} cases"
    yield Headline(verdict, f"{cases}, {report.seconds:,.1f} s")
    yield from strength_blocks(report, brief=brief)
    yield from (Text(note, "quiet") for note in report.notes)


def strength_blocks(report: StrengthReport, *, brief: bool) -> Iterator[Block]:
    """Yield the figures of a suite and its weaknesses."""
    yield Figures([Figure(*each) for each in strength_figures(report)])
    if len(report.by_category) > 1:
        yield _categories(report)
    survivors = [Fold(*_survivor(each, brief=brief)) for each in report.survivors]
    yield from first(survivors, _SURVIVORS_SHOWN, "survivor")
    for invalid in report.invalid:
        yield Note(f"{invalid.case} breaks {'; '.join(invalid.broken)}", Span("invalid", "bad"))
    if report.missed_bounds:
        yield Note(f"bounds that no case reaches: {', '.join(report.missed_bounds)}")
    if report.twins:
        twins = ", ".join(f"{twin} = {first}" for twin, first in report.twins)
        yield Note(f"cases with equal inputs: {twins}")


def strength_figures(report: StrengthReport) -> Iterator[tuple[str, str, str]]:
    """Yield each figure of a suite: its name, its value, and what qualifies it."""
    score, growth, evidence = report.mutation, report.growth, report.independence
    yield "valid inputs", _share(report.validity), ""
    yield "bounds reached", _share(report.bounds), ""
    if score is None:
        yield "mutants killed", _NOT_MEASURED, ""
    else:
        by = [f"{n} {verdict}" for verdict, n in report.killed_by_verdict.items()]
        by += [f"{score.by_work} by work"] if score.by_work else []
        interval = f"{score.low:.1%} to {score.high:.1%}"
        aside = f"{interval} ({', '.join(by)})" if by else interval
        yield "mutants killed", f"{score.killed:,} of {score.mutants:,}", aside
        yield "never killed", f"{score.never_killed:,}", f"with {score.searched:,} more inputs"
    yield "wrong programs killed", _share(report.wrong), ""
    yield "slow programs killed", _share(report.slow), ""
    yield "growth", _NOT_MEASURED if growth is None else str(growth), ""
    yield "cases of that size", _share(growth.cases if growth else None), ""
    yield "outputs with independent evidence", _share(evidence.backed), ""
    for each in evidence.references:
        likeness = each.likeness
        aside = "" if likeness is None else f"shares {likeness:.0%} of the solution's syntax"
        yield f"reference {each.name}", f"agrees with {each.agrees}", aside


def _categories(report: StrengthReport) -> Table:
    rows = []
    for each in report.by_category:
        mutants = _share(each.mutants)
        if each.mutants is not None and each.mutants_high is not None:
            low = each.mutants.count / (each.mutants.of or 1)
            mutants = f"{mutants}: {low:.0%} to {each.mutants_high:.0%}"
        before = (each.category or "none", str(each.cases), _share(each.validity))
        after = (_share(each.wrong), _share(each.slow), _share(each.backed))
        rows.append((*before, _share(each.bounds), mutants, *after))
    headings = ("category", "cases", "valid", "bounds", "mutants", "wrong", "slow", "evidence")
    return Table(headings, rows)


def _share(share: Share | None) -> str:
    return _NOT_MEASURED if share is None else str(share)


def _survivor(each: Survivor, *, brief: bool) -> tuple[Line, Sequence[Block]]:
    """Return the title of a survivor, and what is known of it."""
    outcome = "survives" if each.killing_input is None else "survives, and should not"
    blocks: list[Block] = [] if brief else [Diff(each.diff)]
    if each.killing_input is not None:
        args = ", ".join(map(repr, each.killing_input))
        blocks.append(Text(f"killed by solve({args[:_LONGEST_CALL]})", "bad"))
    if each.work is not None and each.work > _MORE_WORK:
        blocks.append(Text(f"does {each.work:.1f} times the work", "quiet"))
    return Span(f"{each.kind} {outcome}: {each.name}", "warn"), blocks
