"""Compare what both versions did: test by test, call by call, and calls made once more.

Calls are made once more on the same objects after these have changed, and in other worlds. What
keeps a result for an object gives the old one when the object has changed. What takes the present,
an identifier or a secret once, if the original does so at each call, gives that for ever; in the
usual world, in which all of these are fixed, nobody would see it.
"""

import functools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from steelyard.comparing.decision._strictness import Strictness, plainly
from steelyard.comparing.effects.incell.files import PREFIX as FILE
from steelyard.comparing.incell.told import TestDone
from steelyard.comparing.recording._inspired import is_inspired
from steelyard.comparing.recording._outcomes import CallRecord, CallsRun, TestsRun
from steelyard.comparing.recording._versions import RECORDED
from steelyard.schemas import BehaviourCase, TestType, ValueDifference
from steelyard.values.snapshots import show_call

MOST_INPUT = 200
_TYPE_ERRORS = frozenset({"TypeError", "AttributeError"})
"""Failures of both versions on a generated call that no caller would make."""
NO_EVIDENCE = "both versions refuse the types of its arguments"
_CHANGED = "if the same objects have changed since the previous call: "
_ELSEWHERE = "at another time, with other random values: "
_TABLED = "if data of its module has changed since the previous call: "
_Names = Sequence[tuple[str, TestType]]
_NUMBERED = re.compile(r"\w*\d\w*")


def compare_tests(
    original: TestsRun,
    candidate: TestsRun,
    dropped: Mapping[str, str],
    strictness: Strictness,
    inspired: Collection[str] = (),
) -> list[BehaviourCase]:
    """Compare each test of the original's session with the candidate's.

    Args:
        original: Its session.
        candidate: Its session.
        dropped: Tests that give no evidence, with why.
        strictness: What counts as a difference.
        inspired: Files and folders whose tests were written for the comparison.
    """
    cases = []
    for name in dict.fromkeys([*original.tests, *dropped]):
        test = original.tests.get(name)
        is_new = is_inspired(name, inspired)
        kind = TestType.INSPIRED_REGRESSION if is_new else TestType.EXISTING_UNIT_TEST
        if name in dropped:
            calls = test.calls if test else 0
            cases.append(_case(name, kind, "dropped", calls, note=dropped[name]))
        elif test and not test.skipped:
            case = _compare_test(name, kind, original, candidate, strictness)
            if case.calls or case.outcome != "same":  # others prove nothing
                cases.append(case)
    return cases


def _case(
    name: str,
    kind: TestType,
    outcome: str,
    calls: int,
    *,
    note: str = "",
    found: Sequence[ValueDifference] = (),
    given: CallRecord | None = None,
) -> BehaviourCase:
    return BehaviourCase.model_validate(
        {
            "name": name,
            "test_type": kind,
            "outcome": outcome,
            "calls": calls,
            "input": show_call(given.before, most_chars=MOST_INPUT) if given else "",
            "differences": tuple(found),
            "note": note,
        }
    )


def _compare_test(
    name: str, kind: TestType, original: TestsRun, candidate: TestsRun, strictness: Strictness
) -> BehaviourCase:
    test, other = original.tests[name], candidate.tests.get(name)
    note, given = "", None
    found: list[ValueDifference] = []
    doubts: list[ValueDifference] = []
    if other is None:
        is_last = name == candidate.at
        note = (candidate.why or "it was not run") if is_last else "it did not finish"
    elif not other.passed:
        note = f"it fails with the candidate: {_first_line(other.why)}"
    for key, call in _calls_of(original, name):
        theirs = candidate.calls.get(key)
        if theirs is None:
            if other is not None:
                shown = show_call(call.before, most_chars=MOST_INPUT)
                found.append(
                    ValueDifference(
                        path=f"call {key[1] + 1}", original=shown, candidate="", kind="missing"
                    )
                )
            break
        found = _differences(call, theirs, strictness)
        found = found or strictness.state_differences(call, theirs, original.watched)
        if _are_certain(found):
            given = call
            break
        doubts, found = doubts or found, []
    if not found and other is not None:
        found = _differences_of_test(name, test, other, strictness)
    found = found or doubts
    return _case(name, kind, _outcome(note, found), test.calls, note=note, found=found, given=given)


def _outcome(note: str, found: Sequence[ValueDifference]) -> str:
    """Return the outcome of a case; an argument that cannot be looked into leaves its result."""
    if note or _are_certain(found):
        return "different"
    hides_result = any(not each.path.startswith("arguments.") for each in found)
    return "not-comparable" if hides_result else "same"


def _are_certain(found: Sequence[ValueDifference]) -> bool:
    return any(each.kind != "not-comparable" for each in found)


def is_only_warned(found: Sequence[ValueDifference]) -> bool:
    """Return whether versions differ in what they warn of, and in nothing else."""
    return bool(found) and all(each.path == "warnings" for each in found)


def _differences(
    call: CallRecord, theirs: CallRecord, strictness: Strictness
) -> list[ValueDifference]:
    has_other_items = call.items != theirs.items and bool(call.first and theirs.first)
    looks = (
        (call.before != theirs.before, call.before, theirs.before, " before"),
        (True, call.after, theirs.after, ""),
        (has_other_items, call.first, theirs.first, " at the first item"),
    )
    for is_due, one, two, when in looks:
        found = strictness.differences(one, two) if is_due else []
        if found:
            return [each.model_copy(update={"path": f"{each.path}{when}"}) for each in found]
    facts = (
        ("the call", call.how, theirs.how),
        ("items yielded", str(len(call.items)), str(len(theirs.items))),
    )
    return [plainly(*fact) for fact in facts if fact[1] != fact[2]][:1]


def _differences_of_test(
    name: str, test: TestDone, other: TestDone, strictness: Strictness
) -> list[ValueDifference]:
    found = strictness.said_differences(name, test.said, other.said)
    if not found and test.calls != other.calls:
        found = [plainly("calls of the function", str(test.calls), str(other.calls))]
    return found


def _calls_of(run: TestsRun, test: str) -> Iterator[tuple[tuple[str, int], CallRecord]]:
    iteration = 0
    while (test, iteration) in run.calls:
        yield (test, iteration), run.calls[test, iteration]
        iteration += 1


def compare_calls(
    original: CallsRun,
    candidate: CallsRun,
    names: _Names,
    dropped: Mapping[int, str],
    strictness: Strictness,
) -> list[BehaviourCase]:
    """Compare each call with the candidate's, as it came first and as it came again.

    Args:
        original: What it did.
        candidate: What it did.
        names: Of the calls, with where they come from, in order.
        dropped: Places of calls that give no evidence, with why.
        strictness: What counts as a difference.
    """
    cases = []
    for place, (name, kind) in enumerate(names):
        note = dropped.get(place, "")
        found: list[ValueDifference] = []
        for again in () if place in dropped else (False, True):
            call, theirs = original.calls[place, again], candidate.calls.get((place, again))
            if theirs is None:
                note = candidate.why if place == candidate.at else "the call was not made"
                note = f"{note} when repeated" if again else note
            elif kind not in RECORDED and {call.raised, theirs.raised} <= _TYPE_ERRORS:
                note = NO_EVIDENCE
            else:
                found = differences_of_call(name, original.watched, strictness, call, theirs)
            if found or note:
                break
        is_dropped = place in dropped or note == NO_EVIDENCE
        outcome = "dropped" if is_dropped else _outcome(note, found)
        is_shown = not is_dropped and (found or note)
        given = original.calls[place, False] if is_shown else None
        case = _case(name, kind, outcome, 1, note=note, found=found, given=given)
        if kind not in RECORDED and is_only_warned(found):
            case = case.model_copy(update={"is_known": False})  # that no caller has seen
        cases.append(case)
    return cases


def differences_of_call(
    name: str,
    watched: frozenset[str],
    strictness: Strictness,
    call: CallRecord,
    theirs: CallRecord,
) -> list[ValueDifference]:
    """Return how two records of a call that was made by itself differ.

    Args:
        name: The call's.
        watched: The names of modules and classes that the original has.
        strictness: What counts as a difference.
        call: What the original did.
        theirs: What the other version did.
    """
    return (
        strictness.differences(call.after, theirs.after)
        or strictness.state_differences(call, theirs, watched)
        or strictness.said_differences(name, call.said, theirs.said)
    )


def compare_repeats(
    original: CallsRun,
    candidate: CallsRun,
    cases: Sequence[BehaviourCase],
    dropped: Mapping[int, str],
    strictness: Strictness,
) -> list[BehaviourCase]:
    """Each call as it was compared by itself, and its repeats where these differ.

    Args:
        original: What it did; only its steady repeats.
        candidate: What it did.
        cases: The calls, in order, as `compare_calls` gave them.
        dropped: Places of calls that give no evidence, with why.
        strictness: What counts as a difference.
    """
    return [
        case if place in dropped else _compared(place, case, original, candidate, strictness)
        for place, case in enumerate(cases)
    ]


def _compared(
    place: int,
    case: BehaviourCase,
    original: CallsRun,
    candidate: CallsRun,
    strictness: Strictness,
) -> BehaviourCase:
    for how, one, two in _repeats_of(place, original, candidate):
        if two is None:
            why = (place == candidate.at and candidate.why) or "the call was not made"
            return case.model_copy(update={"outcome": "different", "note": f"{how}{why}"})
        found = differences_of_call(case.name, original.watched, strictness, one, two)
        if _are_certain(found) and not is_only_warned(found):
            given = one if one.before else original.calls[place, False]
            return case.model_copy(
                update={
                    "outcome": "different",
                    "differences": tuple(
                        each.model_copy(update={"path": f"{how}{each.path}"}) for each in found
                    ),
                    "input": show_call(given.before, most_chars=MOST_INPUT),
                }
            )
    return case


def _repeats_of(
    place: int, original: CallsRun, candidate: CallsRun
) -> Iterator[tuple[str, CallRecord, CallRecord | None]]:
    """Yield the original's repeats of a call, each with the candidate's."""
    for key, record in original.changed.items():
        if key[0] == place:
            yield _CHANGED, record, candidate.changed.get(key)
    if place in original.elsewhere:
        yield _ELSEWHERE, original.elsewhere[place], candidate.elsewhere.get(place)
    if place in original.tabled:
        yield _TABLED, original.tabled[place], candidate.tabled.get(place)


def steady_repeats(
    one: CallsRun, again: CallsRun, names: _Names, strictness: Strictness
) -> CallsRun:
    """Return the first of two runs of the original, with the repeats that are alike in both.

    Args:
        one: A run.
        again: Another run of the same calls.
        names: Of the calls, with where they come from, in order.
        strictness: What counts as a difference.
    """

    def alike(place: int, record: CallRecord, other: CallRecord | None) -> bool:
        find = functools.partial(differences_of_call, names[place][0], one.watched, strictness)
        return other is not None and not find(record, other)

    return replace(
        one,
        changed={
            key: record
            for key, record in one.changed.items()
            if alike(key[0], record, again.changed.get(key))
        },
        elsewhere={
            place: record
            for place, record in one.elsewhere.items()
            if alike(place, record, again.elsewhere.get(place))
        },
        tabled={
            place: record
            for place, record in one.tabled.items()
            if alike(place, record, again.tabled.get(place))
        },
    )


def memo_differences(
    original: TestsRun, candidate: TestsRun, strictness: Strictness
) -> list[ValueDifference]:
    """Return how the first call that fills a memo differently does so."""
    for key, call in original.calls.items():
        theirs = candidate.calls.get(key)
        if theirs and (
            found := strictness.state_differences(call, theirs, original.watched, of_memos=True)
        ):
            return found
    return []


def is_file(effect: str) -> bool:
    """Return whether what a run left changed is a file of the project."""
    return effect.startswith(FILE)


def side_effects_of(
    original: Mapping[str, tuple[str, str]],
    candidate: Mapping[str, tuple[str, str]],
    uncertain: Collection[str],
) -> tuple[ValueDifference, ...]:
    """Return what the candidate's run left changed, and the original's did not.

    Args:
        original: The changes, by what changed.
        candidate: The changes.
        uncertain: What is not the same in two runs of the original either; files of the
            candidate's that are called like such a one are, too.
    """
    found = []
    unsteady = {_masked(name) for name in uncertain if is_file(name)}
    for name in sorted({*original, *candidate} - set(uncertain)):
        if name not in original and is_file(name) and _masked(name) in unsteady:
            continue
        one, two = original.get(name), candidate.get(name)
        if (one and one[1]) != (two and two[1]):
            before = one or two
            assert before is not None
            found.append(plainly(name, one[1] if one else before[0], two[1] if two else before[0]))
    return tuple(found)


def _masked(name: str) -> str:
    """A file's name without what may be a process's number, or a moment."""
    return _NUMBERED.sub("#", name)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].removeprefix("E").strip()[:200]
