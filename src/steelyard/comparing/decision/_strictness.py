"""What counts as a difference: of values, of modules' data, of what a call writes and logs."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from steelyard.comparing.effects.incell.files import PLACES_IN_CODE
from steelyard.comparing.recording._outcomes import CallRecord, CallsRun, TestsRun
from steelyard.schemas import TestType, ValueDifference
from steelyard.values.snapshots import Tolerance, compare_snapshots

_Key = TypeVar("_Key")
_KINDS = ("stdout", "stderr", "log", "warnings")
_PLACES = re.compile(rf"{PLACES_IN_CODE}| at 0x[0-9a-f]+")
_INDEX = re.compile(r"\[\d+\]")
_MOST_CHARS = 80
_MOST_DIFFERENCES = 10


class Strictness:
    """Finds the differences that count.

    Side effects that differ between two runs of the original do not count, nor do memos. Nor does
    the order of a dictionary's keys if it differs in the original under another hash seed.

    Args:
        tolerance: By how much floats may differ; None for not at all.
        dict_order: Whether the order of a dictionary's keys counts.
        messages: Whether the messages of exceptions count.
        is_memo: Whether a name's data is a memo (see `_memos`).
    """

    def __init__(
        self,
        tolerance: Tolerance | None = None,
        *,
        dict_order: bool = True,
        messages: bool = True,
        is_memo: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._tolerance, self._dict_order, self._messages = tolerance, dict_order, messages
        self._is_memo = is_memo
        self._unsteady_state: set[str] = set()
        self._unsteady: set[tuple[str, str]] = set()
        self._unordered: set[str] = set()
        """Paths of dictionaries whose keys have no steady order, without indexes."""
        self._are_awaits_steady = True

    def learn_from_tests(self, one: TestsRun, again: TestsRun) -> None:
        """Note what the original does not do alike in two sessions."""
        self._learn_state(one.calls, again.calls)
        for name in one.tests.keys() & again.tests.keys():
            self._learn_said(name, one.tests[name].said, again.tests[name].said)

    def learn_from_calls(
        self, one: CallsRun, again: CallsRun, names: Sequence[tuple[str, TestType]]
    ) -> None:
        """Note what the original does not do alike in two runs of the same calls."""
        self._learn_state(one.calls, again.calls)
        for key in one.calls.keys() & again.calls.keys():
            self._learn_said(names[key[0]][0], one.calls[key].said, again.calls[key].said)

    def _learn_state(
        self, one: Mapping[_Key, CallRecord], again: Mapping[_Key, CallRecord]
    ) -> None:
        for key in one.keys() & again.keys():
            states = one[key].state, again[key].state
            self._unsteady_state |= {
                name
                for name in {*states[0], *states[1]}
                if states[0].get(name) != states[1].get(name)
            }
            self._are_awaits_steady &= one[key].said.get("awaits") == again[key].said.get("awaits")
            for two in _unlike_snapshots(one[key], again[key]):
                found = self._compared(*two, self._dict_order)
                self._unordered |= {
                    _without_indexes(each.path) for each in found if each.kind == "order"
                }

    def _learn_said(self, case: str, one: Mapping[str, str], again: Mapping[str, str]) -> None:
        self._unsteady |= {(case, kind) for kind in _KINDS[1:] if one.get(kind) != again.get(kind)}

    def differences(self, original: bytes, candidate: bytes) -> list[ValueDifference]:
        """Return the differences of two snapshots."""
        found = self._compared(original, candidate, self._dict_order)
        ordered = [each for each in found if each.kind == "order"]
        steady = [each for each in ordered if _without_indexes(each.path) not in self._unordered]
        if len(steady) == len(ordered):
            return found
        return steady or self._compared(original, candidate, dict_order=False)

    def _compared(
        self, original: bytes, candidate: bytes, dict_order: bool
    ) -> list[ValueDifference]:
        return list(
            compare_snapshots(
                original,
                candidate,
                tolerance=self._tolerance,
                dict_order=dict_order,
                messages=self._messages,
                most=_MOST_DIFFERENCES,
            )
        )

    def state_differences(
        self,
        original: CallRecord,
        candidate: CallRecord,
        watched: AbstractSet[str],
        *,
        of_memos: bool = False,
    ) -> list[ValueDifference]:
        """Return how data of a module or class differs after a call.

        Args:
            original: What it did.
            candidate: What it did.
            watched: The names that the original has; others do not count.
            of_memos: Compare memos, and no other data.
        """
        for name in dict.fromkeys([*original.state, *candidate.state]):
            is_known = name in original.state or name in watched
            if not is_known or name in self._unsteady_state or self._is_memo(name) != of_memos:
                continue
            one = original.state.get(name) or candidate.state_before[name]
            two = candidate.state.get(name) or original.state_before[name]
            if one != two and (found := self.differences(one, two)):
                return found
        return []

    def said_differences(
        self, case: str, original: Mapping[str, str], candidate: Mapping[str, str]
    ) -> list[ValueDifference]:
        """Return how output, log records and warnings differ."""
        for kind in _KINDS:
            one, two = original.get(kind, ""), candidate.get(kind, "")
            if kind == "stderr":
                one, two = _PLACES.sub("", one), _PLACES.sub("", two)
            if one != two and (case, kind) not in self._unsteady:
                if kind != "stdout":
                    one, two = _first_apart(one, two)
                return [plainly(kind, one, two)]
        return []

    def awaits_difference(
        self, original: Mapping[_Key, CallRecord], candidate: Mapping[_Key, CallRecord]
    ) -> tuple[CallRecord, ValueDifference] | None:
        """Return the first call that gives way differently, and how; None if that is not steady.

        A call that gives way in one version only has other results.
        """
        for key, call in original.items() if self._are_awaits_steady else ():
            one = call.said.get("awaits")
            two = candidate[key].said.get("awaits") if key in candidate else None
            if one and two and one != two:
                return call, plainly("gives way", one, two)
        return None


def _unlike_snapshots(one: CallRecord, again: CallRecord) -> Iterator[tuple[bytes, bytes]]:
    looks = (one.before, again.before), (one.first, again.first), (one.after, again.after)
    return (two for two in looks if two[0] != two[1])


def _without_indexes(path: str) -> str:
    return _INDEX.sub("[]", path)


def _first_apart(one: str, two: str) -> tuple[str, str]:
    """Return the first lines that differ."""
    left, right = one.splitlines(), two.splitlines()
    at = 0
    while left[at : at + 1] == right[at : at + 1] != []:
        at += 1
    return "".join(left[at : at + 1]), "".join(right[at : at + 1])


def plainly(path: str, original: str, candidate: str) -> ValueDifference:
    """Return a difference of two texts, each in quotes if it is more than a word."""
    return ValueDifference(
        path=path, original=_short(original), candidate=_short(candidate), kind="value"
    )


def _short(text: str) -> str:
    if text and text.isprintable() and len(text) <= _MOST_CHARS:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if len(quoted) <= _MOST_CHARS else f"{quoted[: _MOST_CHARS - 1]}…"
