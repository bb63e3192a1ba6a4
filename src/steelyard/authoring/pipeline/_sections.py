"""Show the parts of an authored problem: its suite, its solutions, and a model's inputs."""

from collections import Counter
from collections.abc import Iterator, Sequence

from steelyard.authoring.calls import shown_call, shown_value
from steelyard.reports import Block, Code, Fold, Heading, Items, Table, Text
from steelyard.schemas import AuthoredCase, AuthorReport, OracleReport, Share, Specification
from steelyard.values import match_mode_of

_MOST_ROWS = 200


def suite_blocks(report: AuthorReport, cases: Sequence[AuthoredCase]) -> Iterator[Block]:
    """Yield how a suite was made, how to judge with it, and its cases."""
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
    if report.specification is not None and report.by_trust():
        yield from _judging(report.specification)
    yield from _cases(cases)


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


def solution_blocks(report: AuthorReport) -> Iterator[Block]:
    """Yield the reference solutions with their texts, and the rounds of their suites."""
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
    yield from (Fold(each.name, [Code(each.source)]) for each in report.solutions if each.source)


def oracle_blocks(oracle: OracleReport) -> Iterator[Block]:
    """Yield what the inputs and the validator of a model are worth."""
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


def _share(share: Share | None) -> str:
    return "not measured" if share is None else str(share)
