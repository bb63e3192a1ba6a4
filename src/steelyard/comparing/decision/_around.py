"""Side effects of calls: on the data of modules, and by what they write and log."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

from steelyard.comparing.effects.incell.files import PLACES_IN_CODE
from steelyard.comparing.recording._outcomes import CallRecord
from steelyard.schemas import ValueDifference

Find = Callable[[bytes, bytes], list[ValueDifference]]
"""The differences of two snapshots."""
_Key = TypeVar("_Key")
_KINDS = ("stdout", "stderr", "log", "warnings")
_PLACES = re.compile(rf"{PLACES_IN_CODE}| at 0x[0-9a-f]+")
_MOST_CHARS = 80


class Around:
    """Decides which side effects count.

    What differs between two runs of the original does not, nor does a memo (see `_memos`).

    Args:
        is_memo: Whether a name's data is one.
    """

    def __init__(self, is_memo: Callable[[str], bool]) -> None:
        self._is_memo = is_memo
        self._unsteady_state: set[str] = set()
        self._unsteady: set[tuple[str, str]] = set()
        self._are_awaits_steady = True

    def learn_call(self, one: CallRecord, again: CallRecord) -> None:
        """Notes which names a call of the original does not always leave alike."""
        for name in one.state.keys() | again.state.keys():
            if one.state.get(name) != again.state.get(name):
                self._unsteady_state.add(name)
        self._are_awaits_steady &= one.said.get("awaits") == again.said.get("awaits")

    def learn_said(self, case: str, one: Mapping[str, str], again: Mapping[str, str]) -> None:
        """Notes of which kinds the original does not always say the same."""
        self._unsteady |= {(case, kind) for kind in _KINDS[1:] if one.get(kind) != again.get(kind)}

    def counts_said(self, case: str, kind: str) -> bool:
        """Return if output of a kind counts."""
        return (case, kind) not in self._unsteady

    def counts_state(self, name: str) -> bool:
        """Return if the data of a name is behaviour."""
        return name not in self._unsteady_state and not self._is_memo(name)

    def is_memo(self, name: str) -> bool:
        """Return if the data of a name is steady, and only the function uses it."""
        return name not in self._unsteady_state and self._is_memo(name)

    def awaits_difference(
        self, original: Mapping[_Key, CallRecord], candidate: Mapping[_Key, CallRecord]
    ) -> tuple[CallRecord, ValueDifference] | None:
        """Return the first call that gives way otherwise, and how; None if that is not steady.

        A call that gives way in one version only has other results.
        """
        for key, call in original.items() if self._are_awaits_steady else ():
            one = call.said.get("awaits")
            two = candidate[key].said.get("awaits") if key in candidate else None
            if one and two and one != two:
                return call, plainly("gives way", one, two)
        return None


def state_differences(
    original: CallRecord,
    candidate: CallRecord,
    watched: Collection[str],
    counts: Callable[[str], bool],
    find: Find,
) -> list[ValueDifference]:
    """Find data of modules and classes that a call leaves different.

    Args:
        original: What it did.
        candidate: What it did.
        watched: The names that the original has; others do not count.
        counts: Whether a name counts.
        find: Finds differences.
    """
    for name in _changed(original, candidate, watched):
        if not counts(name):
            continue
        one = original.state.get(name) or candidate.state_before[name]
        two = candidate.state.get(name) or original.state_before[name]
        if one != two:
            found = find(one, two)
            if any(each.kind == "not-comparable" for each in found):  # of the original's making?
                hidden = {each.path for each in find(one, one)}
                found = [each for each in found if each.path not in hidden]
            if found:
                return found
    return []


def _changed(
    original: CallRecord, candidate: CallRecord, watched: Collection[str]
) -> Iterator[str]:
    yield from original.state
    yield from (name for name in candidate.state if name not in original.state and name in watched)


def said_differences(
    case: str, original: Mapping[str, str], candidate: Mapping[str, str], around: Around
) -> list[ValueDifference]:
    """Find output, log records and warnings that differ."""
    for kind in _KINDS:
        one, two = original.get(kind, ""), candidate.get(kind, "")
        if kind == "stderr":
            one, two = _PLACES.sub("", one), _PLACES.sub("", two)
        if one != two and around.counts_said(case, kind):
            if kind != "stdout":
                one, two = _first_apart(one, two)
            return [plainly(kind, one, two)]
    return []


def _first_apart(one: str, two: str) -> tuple[str, str]:
    """The first lines that differ."""
    left, right = one.splitlines(), two.splitlines()
    at = next(
        (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b),
        min(len(left), len(right)),
    )
    return "".join(left[at : at + 1]), "".join(right[at : at + 1])


def plainly(path: str, original: str, candidate: str) -> ValueDifference:
    """A difference of two texts, each in quotes where it is one."""
    return ValueDifference(
        path=path, original=_short(original), candidate=_short(candidate), kind="value"
    )


def _short(text: str) -> str:
    if text and text.isprintable() and len(text) <= _MOST_CHARS:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if len(quoted) <= _MOST_CHARS else f"{quoted[: _MOST_CHARS - 1]}…"
