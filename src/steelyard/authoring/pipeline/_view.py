"""Show an authored problem: at a terminal, and as the report of its folder."""

from collections import Counter
from collections.abc import Iterator, Sequence

from steelyard.authoring.calls import shown_call, shown_value
from steelyard.authoring.specification import statement_of
from steelyard.plain import match_mode_of
from steelyard.reports import (
    Block,
    Code,
    Figure,
    Figures,
    Fold,
    Heading,
    Headline,
    Items,
    Note,
    Span,
    Table,
    Text,
    counted,
)
from steelyard.schemas import (
    AuthoredCase,
    AuthorReport,
    OracleReport,
    Share,
    Specification,
    StressSize,
)
from steelyard.strength import strength_blocks, strength_figures

_MOST_ROWS = 200
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
    yield Figures([Figure(*each) for each in _findings(report)])
    yield from (Note(question.text, Span("open", "warn")) for question in report.questions)
    yield from map(Note, report.notes)
    if not brief:
        yield from _sections(report)
    if report.folder:
        yield Text(f"results in {report.folder}", "quiet")


def title_of(report: AuthorReport) -> str:
    """Return the page's title."""
    return report.specification.title if report.specification else report.task_id


def _findings(report: AuthorReport) -> Iterator[tuple[str, str]]:
    """Yield what the result rests on, one line for each kind of evidence, with its name."""
    if report.suite is not None and report.suite.cases:
        trust = ", ".join(f"{count:,} {each}" for each, count in report.by_trust().items())
        yield "tests", f"{len(report.suite.cases):,} cases: {trust or 'no output is known'}"
    for each in report.solutions:
        agrees = "" if each.agrees is None else f"gives {each.agrees} expected outputs"
        repaired = f"repaired {counted(each.healed, 'time')}" if each.healed else ""
        yield "solution", f"{each.name}: {'; '.join(filter(None, (agrees, repaired, each.fault)))}"
    if report.strength is not None:
        measured = (
            " ".join(filter(None, (name, value, aside)))
            for name, value, aside in strength_figures(report.strength)
            if value != "not measured"
        )
        yield "strength", "; ".join(measured)
    if report.stress is not None:
        yield "growth", _stress_cases(report.stress)
    if report.spending.calls:
        yield "cost", _cost(report)


def _sections(report: AuthorReport) -> Iterator[Block]:
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
    if report.oracle is not None:
        yield from _oracle(report.oracle)
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


def _suite(cases: Sequence[AuthoredCase], report: AuthorReport) -> Iterator[Block]:
    yield Heading("Suite")
    trust = report.by_trust()
    parts = [f"{count} {each}" for each, count in trust.items()]
    without = len(cases) - sum(trust.values())
    parts += [f"{without} without an output"] if without else []
    yield Text(f"{len(cases)} cases: {', '.join(parts)}")
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
    yield Text("To judge a function, or a program that reads standard input:")
    yield Code(
        f"{calls}{flags['calls']}{alike}\nsteelyard judge program.cpp --tests tests{flags['text']}"
    )
    if spec.output_type == "in-place":
        yield Text(
            "Such a function must return nothing, and leave its other arguments as they were."
        )


def _cases(cases: Sequence[AuthoredCase]) -> Iterator[Block]:
    yield Table(
        ("case", "origin", "call", "expected", "trust", "evidence", "kills"),
        [_case(each) for each in cases[:_MOST_ROWS]],
    )
    for reach in dict.fromkeys(each.evidence.exhaustive_to for each in cases):
        if reach:
            yield Text(f"The solutions agree on all inputs with {reach}.")
    if len(cases) > _MOST_ROWS:
        yield Text(f"{len(cases) - _MOST_ROWS} more cases are in suite.json")


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
    for each in report.solutions:
        if each.source:
            yield Fold(each.name, [Code(each.source)])


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
        yield Text(
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


def _cost(report: AuthorReport) -> str:
    spent = report.spending
    cost = "unknown" if spent.cost_usd is None else f"${spent.cost_usd:.4g}"
    return (
        f"{spent.calls} paid replies and {spent.cached_calls} free ones, "
        f"{spent.tokens_in:,} tokens in and {spent.tokens_out:,} out, {cost}; "
        f"{report.seconds:,.1f} s"
    )


def _share(share: Share | None) -> str:
    return "not measured" if share is None else str(share)
