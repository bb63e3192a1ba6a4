"""What both versions did, test by test and call by call, and where they differ."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence

from assayer.equivalence._outcomes import CallRecord, CallsRun, TestRecord, TestsRun
from assayer.equivalence.comparator import Tolerance, compare_snapshots, show_call
from assayer.schemas import BehaviourCase, TestType, ValueDifference

__all__ = ["Strictness", "compare_calls", "compare_tests", "side_effects_of"]

_MOST_DIFFERENCES = 10
_MOST_CHARS, _MOST_INPUT = 80, 200


class Strictness:
    """What counts as a difference.

    Args:
        tolerance: By how much floats may differ; None for not at all.
        dict_order: Whether the order of a dictionary's keys counts.
        messages: Whether the messages of exceptions count.
    """

    def __init__(
        self,
        tolerance: Tolerance | None = None,
        *,
        dict_order: bool = True,
        messages: bool = True,
    ) -> None:
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
    original: TestsRun, candidate: TestsRun, dropped: Mapping[str, str], strictness: Strictness
) -> list[BehaviourCase]:
    """Each test of the original's session beside the candidate's.

    Args:
        original: Its session.
        candidate: Its session.
        dropped: Tests that say nothing, with why.
        strictness: What counts as a difference.
    """
    cases = []
    for name, test in original.tests.items():
        if test.skipped:
            continue
        if name in dropped:
            cases.append(_dropped(name, test.calls, dropped[name]))
            continue
        case = _compare_test(name, test, original, candidate, strictness)
        if case.calls or case.outcome != "same":  # what never calls the function says nothing
            cases.append(case)
    never_run = dropped.keys() - original.tests.keys()
    cases += [_dropped(name, 0, dropped[name]) for name in dropped if name in never_run]
    return cases


def _dropped(name: str, calls: int, why: str) -> BehaviourCase:
    return BehaviourCase(
        name=name, test_type=TestType.EXISTING_UNIT_TEST, outcome="dropped", calls=calls, note=why
    )


def _compare_test(
    name: str, test: TestRecord, original: TestsRun, candidate: TestsRun, strictness: Strictness
) -> BehaviourCase:
    kind = TestType.EXISTING_UNIT_TEST
    other = candidate.tests.get(name)
    note, given = "", ""
    found: list[ValueDifference] = []
    if other is None:
        note = candidate.why if name == candidate.at else "it was not run to its end"
        if name == candidate.at or candidate.ended == "finished":
            note = note or "it was not run"
    elif not other.passed:
        note = f"it fails with the candidate: {_first_line(other.why)}"
    for key, call in _calls_of(original, name):
        beside = candidate.calls.get(key)
        if beside is None:
            if other is not None:
                found.append(_missing_call(key[1], call))
            break
        found = _differences(call, beside, strictness)
        if found:
            given = show_call(call.before, most_chars=_MOST_INPUT)
            break
    if not found and other is not None:
        found = _around(test, other)
    if note or any(each.kind != "not-comparable" for each in found):
        outcome = "different"
    else:
        outcome = "not-comparable" if found else "same"
    return BehaviourCase.model_validate({
        "name": name, "test_type": kind, "outcome": outcome, "calls": test.calls, "input": given,
        "differences": tuple(found), "note": note,
    })  # fmt: skip


def _differences(
    call: CallRecord, beside: CallRecord, strictness: Strictness
) -> list[ValueDifference]:
    if call.before != beside.before:
        found = strictness.differences(call.before, beside.before)
        if found:
            return [each.model_copy(update={"path": f"{each.path} before"}) for each in found]
    found = strictness.differences(call.after, beside.after)
    if found:
        return found
    if call.how != beside.how:
        return [_plainly("the call", call.how, beside.how)]
    if call.items != beside.items:
        if call.first and beside.first:
            found = strictness.differences(call.first, beside.first)
            if found:
                return [
                    each.model_copy(update={"path": f"{each.path} at the first item"})
                    for each in found
                ]
        if len(call.items) != len(beside.items):
            return [_plainly("items given", str(len(call.items)), str(len(beside.items)))]
    return []


def _around(test: TestRecord, other: TestRecord) -> list[ValueDifference]:
    if test.out != other.out:
        return [_plainly("stdout", test.out, other.out)]
    if test.calls != other.calls:
        return [_plainly("calls of the function", str(test.calls), str(other.calls))]
    return []


def _calls_of(run: TestsRun, test: str) -> Iterator[tuple[tuple[str, int], CallRecord]]:
    iteration = 0
    while (test, iteration) in run.calls:
        yield (test, iteration), run.calls[test, iteration]
        iteration += 1


def _missing_call(iteration: int, call: CallRecord) -> ValueDifference:
    given = show_call(call.before, most_chars=_MOST_INPUT)
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
    """Each call beside the candidate's, as it came first and as it came again.

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
                call, beside = original.calls[place, again], candidate.calls.get((place, again))
                if beside is None:
                    note = candidate.why if place == candidate.at else "it was not made"
                    note = f"{note} when it came again" if again else note
                else:
                    found = strictness.differences(call.after, beside.after)
                    if not found and call.out != beside.out:
                        found = [_plainly("stdout", call.out, beside.out)]
                if found or note:
                    given = show_call(original.calls[place, False].before, most_chars=_MOST_INPUT)
                    break
            if note or any(each.kind != "not-comparable" for each in found):
                outcome = "different"
            elif found:
                outcome = "not-comparable"
        cases.append(
            BehaviourCase.model_validate({
                "name": name, "test_type": kind, "outcome": outcome, "calls": 1, "input": given,
                "differences": tuple(found), "note": note,
            })
        )  # fmt: skip
    return cases


def side_effects_of(
    original: Mapping[str, tuple[str, str]],
    candidate: Mapping[str, tuple[str, str]],
    uncertain: Collection[str],
) -> tuple[ValueDifference, ...]:
    """What the candidate's run left changed in the world around, and the original's did not.

    Args:
        original: The changes, by what changed.
        candidate: The changes.
        uncertain: What is not the same in two runs of the original either.
    """
    found = []
    for name in sorted({*original, *candidate} - set(uncertain)):
        one, two = original.get(name), candidate.get(name)
        if (one and one[1]) != (two and two[1]):
            before = one or two
            assert before is not None
            found.append(_plainly(name, one[1] if one else before[0], two[1] if two else before[0]))
    return tuple(found)


def _plainly(path: str, original: str, candidate: str) -> ValueDifference:
    """A difference of two texts, each in quotes where it is one."""
    return ValueDifference(
        path=path, original=_short(original), candidate=_short(candidate), kind="value"
    )


def _short(text: str) -> str:
    if text and text.isprintable() and len(text) <= _MOST_CHARS:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if len(quoted) <= _MOST_CHARS else f"{quoted[: _MOST_CHARS - 1]}…"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].removeprefix("E").strip()[:200]
