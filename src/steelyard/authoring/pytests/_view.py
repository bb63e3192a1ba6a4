"""Show a suite with its evidence."""

from collections.abc import Iterator

from steelyard.authoring.pytests._evidence import LEAST_COVERED, MINIMA, MOST_SURVIVING
from steelyard.reports import Block, Code, Heading, Headline, Line, Span, Table, Text, first
from steelyard.schemas import SuiteCriterion, SuiteEvidence, SuiteReport, SuiteRound

_SHOWN = 5
_REPLIES = {"perfect": "called it perfect", "updated": "changed it", "unreadable": "not readable"}


def view(report: SuiteReport, *, code: bool = True) -> Iterator[Block]:
    """Yield a report; `code`: with the text of the suite."""
    verdict = Span("perfect", "strong good") if report.passed else Span("not perfect", "strong bad")
    yield Headline(verdict, report.reason)
    yield Text(f"{report.file_name or 'no suite'} for {report.module}", "strong")
    yield _criteria(report.evidence)
    yield from _faults(report.evidence)
    if report.first is not None:
        yield Heading("Reviews")
        rounds = [
            (str(each.number), _reply(each), *_figures(each.evidence)) for each in report.rounds
        ]
        headings = ("", "the model", "tests", "coverage", "mutants", "falls short of")
        yield Table(headings, [("0", "wrote it", *_figures(report.first)), *rounds])
    yield from (Text(note, "quiet") for note in report.notes)
    logs = f"   {report.logs}" if report.logs else ""
    yield Text(f"{report.spending}   {report.seconds:,.1f} s{logs}", "quiet")
    yield Heading("Suite")
    yield Code(report.code if code else "")


def _criteria(found: SuiteEvidence) -> Table:
    marks = {True: Span("✓", "good"), False: Span("✗", "bad")}
    rows: list[tuple[Line, ...]] = [("runs", found.fault, "", marks[False])]
    if not found.fault:
        rows = [
            (name, measured, needed, marks[criterion not in found.unmet])
            for name, criterion, measured, needed in _rows(found)
        ]
    return Table(("criterion", "measured", "needed", ""), rows)


def _rows(found: SuiteEvidence) -> Iterator[tuple[str, SuiteCriterion, str, str]]:
    passing = f"{found.tests} of {found.tests + len(found.red) + len(found.dependent)} tests"
    yield "pass in three orders", "green", passing, "all"
    yield "depend on other tests", "independent", str(len(found.dependent)), "0"
    yield "cannot fail", "can-fail", str(len(found.cannot_fail)), "0"
    counts = ", ".join(f"{found.counts.get(each, 0)} {each}" for each in MINIMA)
    yield "tests of each kind", "minima", counts, ", ".join(map(str, MINIMA.values()))
    yield "lines and branches", "coverage", f"{found.covered:.0%}", f"{LEAST_COVERED:.0%}"
    score = f"{found.killed} of {found.mutants}"
    yield "mutants killed", "mutation", score, f"{1 - MOST_SURVIVING:.0%}"
    if found.bug_found_by is not None:
        yield "tests that find the bug", "bug", str(len(found.bug_found_by)), "1"


def _faults(found: SuiteEvidence) -> Iterator[Block]:
    groups = (
        ("fails", tuple(map(str, found.red))),
        ("depends on others", tuple(map(str, found.dependent))),
        ("cannot fail", found.cannot_fail),
        ("mutant survives", tuple(each.name for each in found.survivors)),
    )
    for name, items in groups:
        yield from first([Text(f"{name}: {item}", "warn") for item in items], _SHOWN, "fault")


def _reply(round_: SuiteRound) -> str:
    if round_.changed and not round_.best:
        return f"{_REPLIES[round_.reply]}, not better"
    return _REPLIES[round_.reply]


def _figures(found: SuiteEvidence | None) -> tuple[str, str, str, str]:
    if found is None:
        return "", "", "", ""
    score = found.mutation_score
    return (
        str(found.tests),
        f"{found.covered:.0%}",
        "" if score is None else f"{score:.0%}",
        ", ".join(found.unmet) or "nothing",
    )
