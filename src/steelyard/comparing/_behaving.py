"""Runs a candidate's tests and calls, and compares what they did with the original's."""

from collections.abc import Iterator

from steelyard.comparing import _reasons
from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import CONCOLIC, SHRINKING
from steelyard.comparing._literals import cases_of_literals, cases_of_new_calls
from steelyard.comparing.decision._behaviour import (
    compare_calls,
    compare_tests,
    memo_differences,
    side_effects_of,
)
from steelyard.comparing.decision._repeats import compare_repeats
from steelyard.comparing.incell.told import NewCall, Notes, ShrinkCall, SolvePaths
from steelyard.comparing.recording._outcomes import CallsRun
from steelyard.comparing.recording._versions import ORIGINAL, RECORDED, Version
from steelyard.schemas import Behaviour, BehaviourCase, Reason, TestType, ValueDifference

_SHRINKING_S, _MOST_TRIES = 4.0, 2_000
_SHRINKING_ALLOWED_S = 60.0
_MOST_RECORDED, _MOST_CONCOLIC = 20, 60
_CONCOLIC_CALL_S, _SOLVER_START_S = 0.25, 20.0
_Effects = tuple[ValueDifference, ...]


def behaviour_of(baseline: CompareBaseline, version: Version) -> tuple[Behaviour, list[Reason]]:
    """What a candidate did in the tests, and in the calls where the tests went well.

    Raises:
        InfrastructureError: where the machine failed.
    """
    tests = baseline.run_tests(version)
    reasons = _reasons.of_run(baseline, tests)
    cases = compare_tests(
        baseline.tests, tests, baseline.dropped_tests, baseline.strictness, baseline.stand.inspired
    )
    uncertain = baseline.unsteady_changes
    effects: _Effects = ()
    memos = memo_differences(baseline.tests, tests, baseline.strictness)
    if not reasons:  # of what ended too soon nothing more can be told
        effects = side_effects_of(baseline.tests.changes, tests.changes, uncertain)
    if baseline.calls and not reasons:
        calls, more, why = _compare_calls(baseline, version)
        cases += calls
        effects = effects or more
        reasons += why
    alike = sum(case.outcome == "same" and case.calls > 0 for case in cases)
    is_alike = not effects and all(case.outcome != "different" for case in cases)
    if not reasons and is_alike and alike >= baseline.options.least_cases:
        cases += cases_of_literals(baseline, version)  # what it brings itself is not to be enough
    if baseline.options.concolic_s and all(case.outcome != "different" for case in cases):
        cases += _concolic_cases(baseline, version)
    reasons += _reasons.of_effects(effects)
    reasons += _reasons.of_memos(memos)
    reasons += _reasons.of_awaits(
        baseline.strictness.around.awaits_difference(baseline.tests.calls, tests.calls)
    )
    reasons += _reasons.of_cases(cases, baseline.options.least_cases, reasons)
    verdict = "unproved"
    if effects or any(case.outcome == "different" for case in cases):
        verdict = "different"
    elif any(case.outcome == "same" and case.calls for case in cases):
        verdict = "same"
    behaviour = Behaviour.model_validate(
        {"verdict": verdict, "cases": tuple(cases), "side_effects": effects}
    )
    return behaviour, reasons


def _compare_calls(
    baseline: CompareBaseline, version: Version
) -> tuple[list[BehaviourCase], _Effects, list[Reason]]:
    names = baseline.named_calls()
    cases: list[BehaviourCase] = []
    effects: _Effects = ()
    reasons: list[Reason] = []
    usual: CallsRun | None = None
    for original, run in _call_runs(baseline, version):
        usual = usual or run
        reasons = _reasons.of_run(baseline, run)
        cases = compare_calls(original, run, names, baseline.dropped_calls, baseline.strictness)
        if not reasons:
            effects = side_effects_of(original.changes, run.changes, baseline.unsteady_files)
        if reasons or effects or any(case.outcome == "different" for case in cases):
            break
    else:
        if usual:
            beside = baseline.outcomes_for(usual)
            cases = compare_repeats(
                beside, usual, cases, baseline.dropped_calls, baseline.strictness
            )
        return cases, effects, reasons
    place = next((i for i, case in enumerate(cases) if case.outcome == "different"), None)
    if place is not None and not cases[place].note:
        cases[place] = _shrunk(baseline, version, place, cases[place])
    return cases, effects, reasons


def _concolic_cases(baseline: CompareBaseline, version: Version) -> list[BehaviourCase]:
    """Calls that a solver finds for this candidate; each is made with both versions."""
    seconds = baseline.options.concolic_s
    recorded = [call.pickled for call in baseline.calls if call.test_type in RECORDED]
    asked = SolvePaths(
        versions=baseline.stand.both(version),
        calls=recorded[:_MOST_RECORDED],
        count=_MOST_CONCOLIC,
        seconds=seconds,
        call_seconds=_CONCOLIC_CALL_S,
    )
    allowed = 2 * seconds + _SOLVER_START_S
    run = baseline.stand.run(CONCOLIC, asked, ORIGINAL, seconds=allowed, cold=True)
    told = run.told.last(Notes)
    for note in told.notes if told else ["the solver did not finish in time"]:
        baseline.note(note)
    found = [each.call for each in run.told.of(NewCall)]
    kind = TestType.CONCOLIC_COVERAGE_TEST
    return cases_of_new_calls(baseline, version, found, "concolic", kind)


def _call_runs(baseline: CompareBaseline, version: Version) -> Iterator[tuple[CallsRun, CallsRun]]:
    """The original's and the candidate's, under one hash seed and then under another."""
    yield baseline.outcomes, baseline.make_known_calls(version)
    yield baseline.other_outcomes, baseline.make_known_calls(version, other_hash_seed=True)


def _shrunk(
    baseline: CompareBaseline, version: Version, place: int, case: BehaviourCase
) -> BehaviourCase:
    """The case with the smallest call that still differs, if there is a smaller one."""
    call = baseline.calls[place]
    asked = ShrinkCall(baseline.stand.both(version), call.pickled, _SHRINKING_S, _MOST_TRIES)
    run = baseline.stand.run(
        SHRINKING,
        asked,
        ORIGINAL,
        seconds=_SHRINKING_ALLOWED_S,
        address_bytes=baseline.address_bytes_for(version),
    )
    made = run.told.last(NewCall)
    if made is None:
        return case
    smaller = [made.call]
    one, two = baseline.make_calls(ORIGINAL, smaller), baseline.make_calls(version, smaller)
    if (0, True) not in one.calls:
        return case
    names = [(call.name, call.test_type)]
    found = compare_calls(one, two, names, {}, baseline.strictness)[0]
    return found if found.outcome == "different" else case
