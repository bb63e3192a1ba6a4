"""Runs a candidate's tests and calls, and compares what they did with the original's."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from steelyard.comparing import _reasons
from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import CONCOLIC, SHRINKING
from steelyard.comparing._literals import calls_of_candidate
from steelyard.comparing.calls._more_calls import numbered
from steelyard.comparing.decision._behaviour import (
    MOST_INPUT,
    NO_EVIDENCE,
    compare_calls,
    compare_tests,
    memo_differences,
    side_effects_of,
)
from steelyard.comparing.decision._repeats import compare_repeats
from steelyard.comparing.incell.told import NewCall, Notes, ShrinkCall, SolvePaths
from steelyard.comparing.recording._outcomes import CallsRun, TestsRun
from steelyard.comparing.recording._versions import ORIGINAL, RECORDED, KnownCall, Version
from steelyard.schemas import Behaviour, BehaviourCase, Reason, TestType, ValueDifference
from steelyard.values.snapshots import show_call

_SHRINKING_S, _MOST_TRIES = 4.0, 2_000
_SHRINKING_ALLOWED_S = 60.0
_MOST_RECORDED, _MOST_CONCOLIC = 20, 60
_MOST_SHOWN = 200
_CONCOLIC_CALL_S, _SOLVER_START_S = 0.25, 20.0
_Effects = tuple[ValueDifference, ...]


class _Evidence:
    """The cases of a candidate, and the different inputs on which both versions are alike."""

    def __init__(self) -> None:
        self.cases: list[BehaviourCase] = []
        self.inputs: dict[tuple[bytes, str], None] = {}
        """As snapshots; with the test if part of one cannot be looked into."""

    def add_tests(self, cases: Iterable[BehaviourCase], run: TestsRun) -> None:
        """Add cases of tests, whose calls were recorded in the original's run."""
        for case in cases:
            self.cases.append(case)
            if case.outcome == "same":
                where = case.name if case.differences else ""
                self.inputs |= {
                    (call.before, where): None
                    for (test, _), call in run.calls.items()
                    if test == case.name
                }

    def add_calls(self, cases: Iterable[BehaviourCase], run: CallsRun) -> None:
        """Add cases of calls, in the order in which the original made them."""
        for index, case in enumerate(cases):
            if case.note != NO_EVIDENCE:
                self.cases.append(case)
            if case.outcome == "same":
                where = case.name if case.differences else ""
                self.inputs[run.calls[index, False].before, where] = None

    @property
    def is_alike(self) -> bool:
        """Return whether no case differs."""
        return all(case.outcome != "different" for case in self.cases)


def behaviour_of(baseline: CompareBaseline, version: Version) -> tuple[Behaviour, list[Reason]]:
    """What a candidate did in the tests, and in the calls where the tests went well.

    Raises:
        InfrastructureError: where the machine failed.
    """
    options = baseline.options
    tests = baseline.run_tests(version)
    reasons = _reasons.of_run(baseline, tests)
    found = _Evidence()
    found.add_tests(
        compare_tests(
            baseline.tests,
            tests,
            baseline.dropped_tests,
            baseline.strictness,
            baseline.stand.inspired,
        ),
        baseline.tests,
    )
    effects: _Effects = ()
    memos = memo_differences(baseline.tests, tests, baseline.strictness)
    if not reasons:  # of what ended too soon nothing more can be told
        effects = side_effects_of(baseline.tests.changes, tests.changes, baseline.unsteady_changes)
    if baseline.calls and not reasons:
        calls, more, why = _compare_calls(baseline, version)
        found.add_calls(calls, baseline.outcomes)
        effects = effects or more
        reasons += why
    same = sum(case.outcome == "same" and case.calls > 0 for case in found.cases)
    # What a candidate brings itself is not to be enough.
    is_enough = max(same, len(found.inputs)) >= options.least_cases
    if not reasons and not effects and found.is_alike and is_enough:
        _compare_more(baseline, version, calls_of_candidate(baseline, version), found)
        if found.is_alike:
            _compare_more(baseline, version, baseline.later_calls, found)
    if options.concolic_s and found.is_alike:
        _compare_more(baseline, version, _concolic_calls(baseline, version), found)
    cases = found.cases
    reasons += _reasons.of_effects(effects)
    reasons += _reasons.of_memos(memos)
    reasons += _reasons.of_awaits(
        baseline.strictness.around.awaits_difference(baseline.tests.calls, tests.calls)
    )
    reasons += _reasons.of_cases(cases, len(found.inputs), options, reasons)
    verdict = "unproved"
    counted = [case for case in cases if case.is_known or options.strict]
    if effects or any(case.outcome == "different" for case in counted):
        verdict = "different"
    elif any(case.outcome == "same" and case.calls for case in cases):
        verdict = "same"
    shown = islice(found.inputs, _MOST_SHOWN)
    inputs = [show_call(before, most_chars=MOST_INPUT) for before, _ in shown]
    behaviour = Behaviour.model_validate(
        {
            "verdict": verdict,
            "cases": tuple(cases),
            "side_effects": effects,
            "different_inputs": len(found.inputs),
            "inputs": tuple(inputs),
        }
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
            known = baseline.outcomes_for(usual)
            cases = compare_repeats(
                known, usual, cases, baseline.dropped_calls, baseline.strictness
            )
        return cases, effects, reasons
    return _with_smallest(baseline, version, baseline.calls, cases), effects, reasons


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
    found.add_calls(_with_smallest(baseline, version, calls, cases), one)


def _as_called(case: BehaviourCase, call: KnownCall) -> BehaviourCase:
    """Return the case of a call with what is known of its arguments.

    How far an iterator was read that the call got in place of its usual argument does not count.
    """
    own: dict[str, object] = {"is_known": call.is_known, "input": call.shown or case.input}
    only_arguments = all(each.path.startswith("arguments.") for each in case.differences)
    if call.shown and case.outcome == "different" and not case.note and only_arguments:
        own |= {"outcome": "same", "differences": ()}
    return case.model_copy(update=own)


def _concolic_calls(baseline: CompareBaseline, version: Version) -> list[KnownCall]:
    """Calls that a solver finds for this candidate."""
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
    return numbered("concolic", TestType.CONCOLIC_COVERAGE_TEST, run.told.of(NewCall))


def _call_runs(baseline: CompareBaseline, version: Version) -> Iterator[tuple[CallsRun, CallsRun]]:
    """The original's and the candidate's, under one hash seed and then under another."""
    yield baseline.outcomes, baseline.make_known_calls(version)
    yield baseline.other_outcomes, baseline.make_known_calls(version, other_hash_seed=True)


def _with_smallest(
    baseline: CompareBaseline,
    version: Version,
    calls: Sequence[KnownCall],
    cases: list[BehaviourCase],
) -> list[BehaviourCase]:
    """The cases; the first that differs has the smallest call that still differs, if it shrinks."""
    index = next((i for i, case in enumerate(cases) if case.outcome == "different"), None)
    if index is None or cases[index].note or calls[index].shown:
        return cases
    call, case = calls[index], cases[index]
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
        return cases
    smaller = [made.call]
    one, two = baseline.make_calls(ORIGINAL, smaller), baseline.make_calls(version, smaller)
    if (0, True) in one.calls:
        names = [(call.name, call.test_type)]
        found = compare_calls(one, two, names, {}, baseline.strictness)[0]
        if found.outcome == "different":
            case = found.model_copy(update={"is_known": case.is_known})
    return [*cases[:index], case, *cases[index + 1 :]]
