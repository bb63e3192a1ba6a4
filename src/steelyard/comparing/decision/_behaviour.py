"""What both versions did, test by test and call by call, and where they differ."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from steelyard.comparing.decision._around import (
    Around,
    plainly,
    said_differences,
    state_differences,
)
from steelyard.comparing.effects.incell.files import PREFIX as FILE
from steelyard.comparing.incell.told import TestDone
from steelyard.comparing.recording._inspired import is_inspired
from steelyard.comparing.recording._outcomes import CallRecord, CallsRun, TestsRun
from steelyard.comparing.recording._versions import RECORDED
from steelyard.schemas import BehaviourCase, TestType, ValueDifference
from steelyard.values.snapshots import Tolerance, compare_snapshots, show_call

_MOST_DIFFERENCES = 10
MOST_INPUT = 200
_TYPE_ERRORS = frozenset({"TypeError", "AttributeError"})
"""How both versions may fail on a generated call that no caller would make."""
NO_EVIDENCE = "both versions refuse the types of its arguments"
_NUMBERED = re.compile(r"\w*\d\w*")


class Strictness:
    """What counts as a difference.

    Args:
        tolerance: By how much floats may differ; None for not at all.
        dict_order: Whether the order of a dictionary's keys counts.
        messages: Whether the messages of exceptions count.
        around: Which side effects count; all if it is None.
    """

    def __init__(
        self,
        tolerance: Tolerance | None = None,
        *,
        dict_order: bool = True,
        messages: bool = True,
        around: Around | None = None,
    ) -> None:
        self.around = around or Around(lambda _: False)
        self._tolerance, self._dict_order, self._messages = tolerance, dict_order, messages

    def differences(self, original: bytes, candidate: bytes) -> list[ValueDifference]:
        """Between two snapshots."""
        return list(
            compare_snapshots(
                original,
                candidate,
                tolerance=self._tolerance,
                dict_order=self._dict_order,
                messages=self._messages,
                most=_MOST_DIFFERENCES,
            )
        )


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
        dropped: Tests that say nothing, with why.
        strictness: What counts as a difference.
        inspired: Files and folders whose tests were written for the comparison.
    """

    def labelled(case: BehaviourCase) -> BehaviourCase:
        if not is_inspired(case.name, inspired):
            return case
        return case.model_copy(update={"test_type": TestType.INSPIRED_REGRESSION})

    cases = []
    for name, test in original.tests.items():
        if test.skipped:
            continue
        if name in dropped:
            cases.append(_dropped(name, test.calls, dropped[name]))
            continue
        case = _compare_test(name, test, original, candidate, strictness)
        if case.calls or case.outcome != "same":  # what never calls the function proves nothing
            cases.append(case)
    never_run = dropped.keys() - original.tests.keys()
    cases += [_dropped(name, 0, dropped[name]) for name in dropped if name in never_run]
    return [labelled(case) for case in cases]


def _dropped(name: str, calls: int, why: str) -> BehaviourCase:
    return BehaviourCase(
        name=name, test_type=TestType.EXISTING_UNIT_TEST, outcome="dropped", calls=calls, note=why
    )


def _compare_test(
    name: str, test: TestDone, original: TestsRun, candidate: TestsRun, strictness: Strictness
) -> BehaviourCase:
    kind = TestType.EXISTING_UNIT_TEST
    other = candidate.tests.get(name)
    note, given = "", ""
    found: list[ValueDifference] = []
    doubts: list[ValueDifference] = []
    if other is None:
        note = candidate.why if name == candidate.at else "it did not finish"
        if name == candidate.at or candidate.ended == "finished":
            note = note or "it was not run"
    elif not other.passed:
        note = f"it fails with the candidate: {_first_line(other.why)}"
    for key, call in _calls_of(original, name):
        theirs = candidate.calls.get(key)
        if theirs is None:
            if other is not None:
                found.append(_missing_call(key[1], call))
            break
        found = _differences(call, theirs, strictness) or state_differences(
            call, theirs, original.watched, strictness.around.counts_state, strictness.differences
        )
        if _are_certain(found):
            given = show_call(call.before, most_chars=MOST_INPUT)
            break
        doubts, found = doubts or found, []
    if not found and other is not None:
        found = _around(name, test, other, strictness)
    found = found or doubts
    return BehaviourCase.model_validate(
        {
            "name": name,
            "test_type": kind,
            "outcome": _outcome(note, found),
            "calls": test.calls,
            "input": given,
            "differences": tuple(found),
            "note": note,
        }
    )


def _outcome(note: str, found: Sequence[ValueDifference]) -> str:
    """Return the outcome of a case; an argument that cannot be looked into leaves its result."""
    if note or _are_certain(found):
        return "different"
    hides_result = any(not each.path.startswith("arguments.") for each in found)
    return "not-comparable" if hides_result else "same"


def _are_certain(found: Sequence[ValueDifference]) -> bool:
    return any(each.kind != "not-comparable" for each in found)


def _differences(
    call: CallRecord, theirs: CallRecord, strictness: Strictness
) -> list[ValueDifference]:
    if call.before != theirs.before:
        found = strictness.differences(call.before, theirs.before)
        if found:
            return [each.model_copy(update={"path": f"{each.path} before"}) for each in found]
    found = strictness.differences(call.after, theirs.after)
    if found:
        return found
    if call.how != theirs.how:
        return [plainly("the call", call.how, theirs.how)]
    if call.items != theirs.items:
        if call.first and theirs.first:
            found = strictness.differences(call.first, theirs.first)
            if found:
                return [
                    each.model_copy(update={"path": f"{each.path} at the first item"})
                    for each in found
                ]
        if len(call.items) != len(theirs.items):
            return [plainly("items yielded", str(len(call.items)), str(len(theirs.items)))]
    return []


def _around(
    name: str, test: TestDone, other: TestDone, strictness: Strictness
) -> list[ValueDifference]:
    found = said_differences(name, test.said, other.said, strictness.around)
    if not found and test.calls != other.calls:
        found = [plainly("calls of the function", str(test.calls), str(other.calls))]
    return found


def _calls_of(run: TestsRun, test: str) -> Iterator[tuple[tuple[str, int], CallRecord]]:
    iteration = 0
    while (test, iteration) in run.calls:
        yield (test, iteration), run.calls[test, iteration]
        iteration += 1


def _missing_call(iteration: int, call: CallRecord) -> ValueDifference:
    given = show_call(call.before, most_chars=MOST_INPUT)
    return ValueDifference(
        path=f"call {iteration + 1}", original=given, candidate="", kind="missing"
    )


def compare_calls(
    original: CallsRun,
    candidate: CallsRun,
    names: Sequence[tuple[str, TestType]],
    dropped: Mapping[int, str],
    strictness: Strictness,
) -> list[BehaviourCase]:
    """Compare each call with the candidate's, as it came first and as it came again.

    Args:
        original: What it did.
        candidate: What it did.
        names: Of the calls, with where they come from, in order.
        dropped: Places of calls that say nothing, with why.
        strictness: What counts as a difference.
    """
    cases = []
    for place, (name, kind) in enumerate(names):
        outcome, note, given = "same", "", ""
        found: list[ValueDifference] = []
        if place in dropped:
            outcome, note = "dropped", dropped[place]
        else:
            for again in (False, True):
                call, theirs = original.calls[place, again], candidate.calls.get((place, again))
                if theirs is None:
                    note = candidate.why if place == candidate.at else "the call was not made"
                    note = f"{note} when repeated" if again else note
                elif kind not in RECORDED and {call.raised, theirs.raised} <= _TYPE_ERRORS:
                    outcome, note = "dropped", NO_EVIDENCE
                    break
                else:
                    found = differences_of_call(name, original.watched, strictness, call, theirs)
                if found or note:
                    given = show_call(original.calls[place, False].before, most_chars=MOST_INPUT)
                    break
            if outcome != "dropped":
                outcome = _outcome(note, found)
        cases.append(
            BehaviourCase.model_validate(
                {
                    "name": name,
                    "test_type": kind,
                    "outcome": outcome,
                    "calls": 1,
                    "input": given,
                    "differences": tuple(found),
                    "note": note,
                }
            )
        )
    return cases


def differences_of_call(
    name: str,
    watched: Collection[str],
    strictness: Strictness,
    call: CallRecord,
    theirs: CallRecord,
) -> list[ValueDifference]:
    """Where two records of a call that was made by itself differ.

    Args:
        name: The call's.
        watched: The names of modules and classes that the original has.
        strictness: What counts as a difference.
        call: What the original did.
        theirs: What the other version did.
    """
    return (
        strictness.differences(call.after, theirs.after)
        or state_differences(
            call, theirs, watched, strictness.around.counts_state, strictness.differences
        )
        or said_differences(name, call.said, theirs.said, strictness.around)
    )


def learn_from_tests(one: TestsRun, again: TestsRun, around: Around) -> None:
    """Notes what the original does not do alike in two sessions."""
    for key in one.calls.keys() & again.calls.keys():
        around.learn_call(one.calls[key], again.calls[key])
    for name in one.tests.keys() & again.tests.keys():
        around.learn_said(name, one.tests[name].said, again.tests[name].said)


def learn_from_calls(
    one: CallsRun, again: CallsRun, names: Sequence[tuple[str, TestType]], around: Around
) -> None:
    """Notes what the original does not do alike in two runs of the same calls."""
    for key in one.calls.keys() & again.calls.keys():
        around.learn_call(one.calls[key], again.calls[key])
        around.learn_said(names[key[0]][0], one.calls[key].said, again.calls[key].said)


def memo_differences(
    original: TestsRun, candidate: TestsRun, strictness: Strictness
) -> list[ValueDifference]:
    """Where calls fill memos otherwise: the first call that does."""
    for key, call in original.calls.items():
        theirs = candidate.calls.get(key)
        if theirs is not None:
            found = state_differences(
                call, theirs, original.watched, strictness.around.is_memo, strictness.differences
            )
            if found:
                return found
    return []


def is_file(effect: str) -> bool:
    """Whether what a run left changed is a file of the project."""
    return effect.startswith(FILE)


def side_effects_of(
    original: Mapping[str, tuple[str, str]],
    candidate: Mapping[str, tuple[str, str]],
    uncertain: Collection[str],
) -> tuple[ValueDifference, ...]:
    """What the candidate's run left changed in the world around, and the original's did not.

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
