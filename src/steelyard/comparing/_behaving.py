"""Runs a candidate's tests and calls, and compares what they did with the original's."""

import ast
import operator
import random
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from steelyard._python_trees import python_tree
from steelyard.comparing import _reasons
from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import CONCOLIC, PLANTING, SHRINKING
from steelyard.comparing.calls._more_calls import numbered
from steelyard.comparing.calls.incell.oddities import characters_for
from steelyard.comparing.decision._behaviour import (
    MOST_INPUT,
    NO_EVIDENCE,
    compare_calls,
    compare_repeats,
    compare_tests,
    memo_differences,
    side_effects_of,
)
from steelyard.comparing.incell.told import NewCall, Notes, PlantLiterals, ShrinkCall, SolvePaths
from steelyard.comparing.recording._outcomes import CallsRun
from steelyard.comparing.recording._versions import ORIGINAL, RECORDED, KnownCall, Version
from steelyard.schemas import Behaviour, BehaviourCase, Reason, TestType, ValueDifference
from steelyard.values.snapshots import show_call

_SHRINKING_S, _MOST_TRIES = 4.0, 2_000
_QUICK_CALL_S, _ALLOWED_S = 0.25, 60.0
_MOST_RECORDED, _MOST_CONCOLIC = 20, 60
_MOST_SHOWN = 200
_SOLVER_START_S = 20.0
_MOST_LITERALS, _MOST_CHARS = 24, 400
_CALLS_A_LITERAL, _MOST_CALLS = 9, 90
_MOST_PLANTED = 8
_TRIED_ANYWAY = 2
"""Whole numbers up to this are among what is made up for any function."""
_MOST_NUMBER = 1 << 64
_FOLDED: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.USub: operator.neg,
}
_Effects = tuple[ValueDifference, ...]


class _Evidence:
    """The cases of a candidate, and the different inputs on which both versions are alike."""

    def __init__(self) -> None:
        self.cases: list[BehaviourCase] = []
        self.inputs: dict[tuple[bytes, str], None] = {}
        """As snapshots; with the test if part of one cannot be looked into."""

    def add(self, cases: Iterable[BehaviourCase], inputs: Iterable[Sequence[bytes]]) -> None:
        """Add cases, each with the snapshots of the arguments that it passes."""
        for case, befores in zip(cases, inputs, strict=True):
            if case.note != NO_EVIDENCE:
                self.cases.append(case)
            if case.outcome == "same":
                where = case.name if case.differences else ""
                self.inputs |= dict.fromkeys((before, where) for before in befores)

    @property
    def is_alike(self) -> bool:
        """Return whether no case differs that counts."""
        return not any(map(_differs, self.cases))


def _differs(case: BehaviourCase) -> bool:
    return case.outcome == "different" and case.is_known


def behaviour_of(baseline: CompareBaseline, version: Version) -> tuple[Behaviour, list[Reason]]:
    """Compare a candidate in the tests, and in calls if the tests went well.

    Raises:
        InfrastructureError: if the machine failed.
    """
    options = baseline.options
    tests = baseline.run_tests(version)
    reasons = _reasons.of_run(baseline, tests)
    found = _Evidence()
    cases = compare_tests(
        baseline.tests, tests, baseline.dropped_tests, baseline.strictness, baseline.stand.inspired
    )
    inputs: dict[str, list[bytes]] = {case.name: [] for case in cases}
    for (test, _), call in baseline.tests.calls.items():
        inputs.setdefault(test, []).append(call.before)
    found.add(cases, [inputs[case.name] for case in cases])
    effects: _Effects = ()
    memos = memo_differences(baseline.tests, tests, baseline.strictness)
    if not reasons:  # of what ended too soon nothing more can be told
        effects = side_effects_of(baseline.tests.changes, tests.changes, baseline.unsteady_changes)
    if baseline.calls and not reasons:
        calls, more, why = _compare_calls(baseline, version)
        found.add(calls, _inputs(baseline.outcomes, calls))
        effects = effects or more
        reasons += why
    same = sum(case.outcome == "same" and case.calls > 0 for case in found.cases)
    # What a candidate brings itself is not to be enough.
    is_enough = max(same, len(found.inputs)) >= options.least_cases
    if not reasons and not effects and found.is_alike and is_enough:
        _compare_more(baseline, version, _calls_of_candidate(baseline, version), found)
        if found.is_alike:
            _compare_more(baseline, version, baseline.later_calls, found)
    if options.concolic_s and found.is_alike:
        _compare_more(baseline, version, _concolic_calls(baseline, version), found)
    cases = found.cases
    reasons += _reasons.of_effects(effects)
    reasons += _reasons.of_memos(memos)
    reasons += _reasons.of_awaits(
        baseline.strictness.awaits_difference(baseline.tests.calls, tests.calls)
    )
    reasons += _reasons.of_cases(cases, len(found.inputs), options, tuple(reasons))
    verdict = "unproved"
    counted = [case for case in cases if case.is_known or options.strict]
    if effects or any(case.outcome == "different" for case in counted):
        verdict = "different"
    elif any(case.outcome == "same" and case.calls for case in cases):
        verdict = "same"
    shown = islice(found.inputs, _MOST_SHOWN)
    tried = [show_call(before, most_chars=MOST_INPUT) for before, _ in shown]
    behaviour = Behaviour.model_validate(
        {
            "verdict": verdict,
            "cases": tuple(cases),
            "side_effects": effects,
            "different_inputs": len(found.inputs),
            "inputs": tuple(tried),
        }
    )
    return behaviour, reasons


def _compare_calls(
    baseline: CompareBaseline, version: Version
) -> tuple[list[BehaviourCase], _Effects, list[Reason]]:
    names, dropped = baseline.named_calls(), baseline.dropped_calls
    runs: list[CallsRun] = []
    for original in (baseline.outcomes, baseline.other_outcomes):  # of one hash seed, of another
        run = baseline.make_known_calls(version, other_hash_seed=bool(runs))
        runs.append(run)
        reasons = _reasons.of_run(baseline, run)
        cases = compare_calls(original, run, names, dropped, baseline.strictness)
        effects: _Effects = ()
        if not reasons:
            effects = side_effects_of(original.changes, run.changes, baseline.unsteady_files)
        if reasons or effects or any(map(_differs, cases)):
            return _with_smallest(baseline, version, baseline.calls, cases), effects, reasons
    known = baseline.outcomes_for(runs[0])
    return compare_repeats(known, runs[0], cases, dropped, baseline.strictness), effects, reasons


def _inputs(run: CallsRun, cases: Sequence[BehaviourCase]) -> list[list[bytes]]:
    """Return the arguments of each call, in order; none of a call that was not made."""
    made = [run.calls.get((index, False)) for index in range(len(cases))]
    return [[call.before] if call else [] for call in made]


def _compare_more(
    baseline: CompareBaseline, version: Version, calls: Sequence[KnownCall], found: _Evidence
) -> None:
    """Add calls that are made if all others are alike."""
    if not calls:
        return
    pickled = [call.pickled for call in calls]
    names = [(call.name, call.test_type) for call in calls]
    is_kept = calls is baseline.later_calls
    one, dropped = baseline.later_outcomes if is_kept else baseline.made_twice(pickled)
    two = baseline.make_calls(version, pickled)
    compared = compare_calls(one, two, names, dropped, baseline.strictness)
    cases = [_as_called(case, call) for case, call in zip(compared, calls, strict=True)]
    found.add(_with_smallest(baseline, version, calls, cases), _inputs(one, cases))


def _as_called(case: BehaviourCase, call: KnownCall) -> BehaviourCase:
    """Return the case of a call with what is known of its arguments.

    How far an iterator was read that the call got in place of its usual argument does not count.
    """
    own: dict[str, object] = {
        "is_known": case.is_known and call.is_known,
        "input": call.shown or case.input,
    }
    only_arguments = all(each.path.startswith("arguments.") for each in case.differences)
    if call.shown and case.outcome == "different" and not case.note and only_arguments:
        own |= {"outcome": "same", "differences": ()}
    return case.model_copy(update=own)


def _calls_of_candidate(baseline: CompareBaseline, version: Version) -> list[KnownCall]:
    """Make calls with literals of the candidate's own, and characters that its own calls point to.

    Raises:
        InfrastructureError: if the machine failed.
    """
    text = version.edits.get(baseline.subject.path, b"").decode("utf-8", "replace")
    literals = new_literals(baseline.subject.source, text)
    recorded = sorted(
        (call.pickled for call in baseline.calls if call.test_type in RECORDED), key=len
    )
    if not baseline.options.generate or not recorded:
        return []
    rng = random.Random(baseline.seed)  # noqa: S311 - no secret
    if len(literals) > _MOST_LITERALS:  # a table
        literals = rng.sample(literals, _MOST_LITERALS)
    pieces = new_characters(baseline.subject.source, text)
    literals += rng.sample(pieces, min(len(pieces), _MOST_LITERALS))
    if not literals:
        return []
    step = -(-len(recorded) // _MOST_PLANTED)
    asked = PlantLiterals(
        calls=recorded[::step],
        literals=[repr(each) for each in literals],
        count=min(_MOST_CALLS, _CALLS_A_LITERAL * len(literals)),
        seed=baseline.seed,
        call_seconds=_QUICK_CALL_S,
    )
    run = baseline.stand.run(PLANTING, asked, ORIGINAL, seconds=_ALLOWED_S)
    return numbered("literal", TestType.GENERATED_REGRESSION, run.told.of(NewCall))


def new_characters(original: str, candidate: str) -> list[str]:
    """Return the characters that matter to what a candidate calls and its original does not.

    Args:
        original: The text of the whole module, with the original.
        candidate: The same with the candidate.
    """
    known, names = (
        {getattr(node, "id", "") or getattr(node, "attr", "") for node in _nodes(text)} - {""}
        for text in (original, candidate)
    )
    patterns = [value for value in new_literals(original, candidate) if isinstance(value, str)]
    return list(characters_for(names - known, patterns if "re" in names else []))


def new_literals(original: str, candidate: str) -> list[object]:
    """Return the numbers, texts and bytes of the candidate's module that the original's lacks.

    Args:
        original: The text of the whole module, with the original.
        candidate: The same with the candidate.
    """
    known = _literals(original)
    return [value for key, value in _literals(candidate).items() if key not in known]


def _nodes(text: str) -> list[ast.AST]:
    """Return all nodes of a module's tree; none of a text that cannot be read."""
    try:
        return list(ast.walk(python_tree(text)))
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return []


def _literals(text: str) -> dict[str, object]:
    nodes = _nodes(text)
    documentation = {node.value for node in nodes if isinstance(node, ast.Expr)}
    found: dict[str, object] = {}
    for node in nodes:
        value = _number(node)
        if isinstance(node, ast.Constant) and node not in documentation:
            is_text = isinstance(node.value, str | bytes) and 0 < len(node.value) <= _MOST_CHARS
            value = node.value if is_text else value
        if value is not None and not (isinstance(value, int) and abs(value) <= _TRIED_ANYWAY):
            found[repr(value)] = value
    return found


def _number(node: ast.AST) -> Any:
    """Return the value of an expression of plain numbers; None for others."""
    value: Any = None
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            value = number
        case ast.UnaryOp(op=op, operand=operand):
            value = _folded(op, operand)
        case ast.BinOp(left=left, op=op, right=right):
            value = _folded(op, left, right)
    return value if value is not None and abs(value) < _MOST_NUMBER else None


def _folded(op: ast.AST, *operands: ast.AST) -> Any:
    numbers = [_number(each) for each in operands]
    fold = _FOLDED.get(type(op))
    return fold(*numbers) if fold and None not in numbers else None


def _concolic_calls(baseline: CompareBaseline, version: Version) -> list[KnownCall]:
    """Return calls that a solver finds for this candidate."""
    seconds = baseline.options.concolic_s
    recorded = [call.pickled for call in baseline.calls if call.test_type in RECORDED]
    asked = SolvePaths(
        versions=baseline.stand.both(version),
        calls=recorded[:_MOST_RECORDED],
        count=_MOST_CONCOLIC,
        seconds=seconds,
        call_seconds=_QUICK_CALL_S,
    )
    allowed = 2 * seconds + _SOLVER_START_S
    run = baseline.stand.run(CONCOLIC, asked, ORIGINAL, seconds=allowed, cold=True)
    told = run.told.last(Notes)
    for note in told.notes if told else ["the solver did not finish in time"]:
        baseline.note(note)
    return numbered("concolic", TestType.CONCOLIC_COVERAGE_TEST, run.told.of(NewCall))


def _with_smallest(
    baseline: CompareBaseline,
    version: Version,
    calls: Sequence[KnownCall],
    cases: list[BehaviourCase],
) -> list[BehaviourCase]:
    """Return the cases; the first that differs has the smallest call that still differs."""
    differing = [i for i, case in enumerate(cases) if case.outcome == "different"]
    index = next((i for i in differing if cases[i].is_known), next(iter(differing), None))
    if index is None or cases[index].note or calls[index].shown:
        return cases
    call, case = calls[index], cases[index]
    asked = ShrinkCall(baseline.stand.both(version), call.pickled, _SHRINKING_S, _MOST_TRIES)
    run = baseline.stand.run(
        SHRINKING,
        asked,
        ORIGINAL,
        seconds=_ALLOWED_S,
        address_bytes=baseline.address_bytes_for(version),
    )
    made = run.told.last(NewCall)
    if made is None:
        return cases
    smaller = [made.call]
    one, two = baseline.make_calls(ORIGINAL, smaller), baseline.make_calls(version, smaller)
    if (0, True) in one.calls:
        names = [(call.name, call.test_type)]
        found = compare_calls(one, two, names, {}, baseline.strictness)[0]
        if found.outcome == "different":
            case = found.model_copy(update={"is_known": case.is_known})
    return [*cases[:index], case, *cases[index + 1 :]]
