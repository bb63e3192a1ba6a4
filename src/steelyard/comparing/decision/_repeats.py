"""Calls made once more: on the same objects after these have changed, and in other worlds.

What keeps a result for an object gives the old one when the object has changed. What takes the
present, an identifier or a secret once, where the original does so at each call, gives that for
ever; in the usual world, where all of these stand still, nobody would see it.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from steelyard.comparing.decision._behaviour import MOST_INPUT, Strictness, differences_of_call
from steelyard.comparing.recording._outcomes import CallRecord, CallsRun
from steelyard.schemas import BehaviourCase, TestType
from steelyard.values.snapshots import show_call

_CHANGED = "if the same objects have changed since the previous call: "
_ELSEWHERE = "at another time, with other random values: "
_TABLED = "if data of its module has changed since the previous call: "
_Names = Sequence[tuple[str, TestType]]


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
        dropped: Places of calls that say nothing, with why.
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
            note = candidate.why if place == candidate.at else ""
            return case.model_copy(
                update={"outcome": "different", "note": f"{how}{note or 'the call was not made'}"}
            )
        found = differences_of_call(case.name, original.watched, strictness, one, two)
        if any(each.kind != "not-comparable" for each in found):
            named = (each.model_copy(update={"path": f"{how}{each.path}"}) for each in found)
            before = one.before or original.calls[place, False].before
            return case.model_copy(
                update={
                    "outcome": "different",
                    "differences": tuple(named),
                    "input": show_call(before, most_chars=MOST_INPUT),
                }
            )
    return case


def _repeats_of(
    place: int, original: CallsRun, candidate: CallsRun
) -> Iterator[tuple[str, CallRecord, CallRecord | None]]:
    """The original's repeats of a call, each with the candidate's."""
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
    """The first of two runs of the original, with the repeats that are alike in both.

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
