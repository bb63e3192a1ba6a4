"""The interface of a checker, its match mode, its answer, and the first difference that it shows.

Texts are compared at the speed of memory and without copies.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from steelyard._printable import printable
from steelyard.schemas import Difference, TestCase, Verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """The decision on an output, with the reason for a rejection."""

    passed: bool
    message: str = ""
    """One bounded line of printable text; empty if there is no reason to give."""
    difference: Difference | None = None
    points: float | None = None
    """Points in 0..1, if a checker program awards points."""
    crashed: bool = False
    """The program failed before it answered, as opposed to a wrong answer."""
    verdict: Verdict | None = None
    """The verdict, if it is neither accepted, wrong nor crashed."""


ACCEPTED = Outcome(True)
"""The outcome of a right answer without points."""


class Checker(Protocol):
    """Decides whether an output answers a case. One checker serves many threads at once.

    A class that derives from this one inherits a `validate` that finds nothing wrong.
    """

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Return the outcome for a candidate's output.

        Raises:
            TestsError: if the case itself cannot be checked (see `validate`).
            CheckerError: if a checker program failed.
        """
        ...

    def validate(self, case: TestCase) -> None:  # noqa: ARG002 - every case is valid here
        """Refuse a case that cannot be checked, before anything is run.

        Raises:
            TestsError: with the case's name and what to fix.
        """
        return


@dataclass(frozen=True, slots=True)
class Mode:
    """A match mode: a class of checkers, and the options that its constructor takes, in order."""

    order: int
    make: Callable[..., Checker]
    tolerance: bool
    ignore_case: bool


MODES: dict[str, Mode] = {}
"""Every match mode whose checker is imported."""
C = TypeVar("C", bound=type[Checker])


def match_mode(
    name: str, order: int = 99, *, tolerance: bool = False, ignore_case: bool = False
) -> Callable[[C], C]:
    """Return a decorator that makes a class of checkers a match mode.

    Args:
        name: The mode's name.
        order: Its position in lists of modes; the first is the default.
        tolerance: The constructor takes a `Tolerance`.
        ignore_case: The constructor takes `ignore_case`, after that.
    """

    def registered(checker: C) -> C:
        MODES[name] = Mode(order, checker, tolerance, ignore_case)
        return checker

    return registered


_WINDOW = 1 << 20
_TAIL = 1 << 16
_SPACES = (b" ", b"\n", b"\t", b"\r", b"\v", b"\f")


def first_mismatch(left: bytes, right: bytes) -> int:
    """Return the first offset at which two texts differ, or the length of the shorter one."""
    end = min(len(left), len(right))
    view = memoryview(right)
    low = 0
    while low < end and left.startswith(view[low : min(low + _WINDOW, end)], low):
        low += _WINDOW
    if low >= end:
        return end
    high = min(low + _WINDOW, end)
    while high - low > 1:  # left[:low] agrees, left[low:high] does not
        middle = (low + high) // 2
        if left.startswith(view[low:middle], low):
            low = middle
        else:
            high = middle
    return low


def content_end(data: bytes) -> int:
    """Return the length without trailing white space."""
    end = len(data)
    while end:
        start = max(0, end - _TAIL)
        kept = len(data[start:end].rstrip())
        if kept:
            return start + kept
        end = start
    return 0


def word_start(data: bytes, position: int) -> int:
    """Return the start of the word that ends at `position`."""
    return max(data.rfind(space, 0, position) for space in _SPACES) + 1


EXCERPT_BYTES = 80
"""Bytes of either text that a difference shows."""
CONTEXT_BYTES = 32
"""A word that differs later than this is shown from near the difference, not its start."""


def wrong_at(output: bytes, position: int, *, got: bytes, expected: bytes) -> Outcome:
    """Return a wrong answer, with its position and both texts from that position.

    Args:
        output: All of the candidate's output.
        position: Where `got` begins in it.
        got: The output's text there; empty if the output has ended.
        expected: The expected text there; empty if the output should have ended.
    """
    shared = first_mismatch(got, expected)
    if shared > CONTEXT_BYTES:
        shared = character_start(got, shared)
        position, got, expected = position + shared, got[shared:], expected[shared:]
    difference = difference_at(output, position, got=got, expected=expected)
    return Outcome(False, _sentence(difference), difference)


def difference_at(output: bytes, position: int, *, got: bytes, expected: bytes) -> Difference:
    """Return the line and column of an offset in the output, with excerpts of both texts."""
    return Difference(
        line=output.count(b"\n", 0, position) + 1,
        column=position - output.rfind(b"\n", 0, position),
        expected=excerpt(expected),
        got=excerpt(got),
    )


def excerpt(data: bytes) -> str:
    """Return at most 80 bytes of the first line; unprintable bytes become escapes."""
    line_end = data.find(b"\n", 1, EXCERPT_BYTES + 1)
    cut = len(data) if line_end < 0 else line_end
    if cut > EXCERPT_BYTES:
        return _shown(data[: character_start(data, EXCERPT_BYTES)]) + "..."
    return _shown(data[:cut])


def one_line(data: bytes, limit: int) -> str:
    """Return the first line that is not blank, printable, cut to `limit` bytes."""
    head = data[: 16 * limit].lstrip()
    if len(head) > limit:
        head = head[: character_start(head, limit)]
    return _shown(head.splitlines()[0].rstrip()) if head else ""


def _shown(data: bytes) -> str:
    """Return text whose control characters and bytes other than UTF-8 are escapes."""
    return printable(data.decode(errors="backslashreplace"))


def character_start(data: bytes, position: int) -> int:
    """Return `position`, or the start of the UTF-8 character around it."""
    for start in range(position, max(-1, position - 4), -1):
        if start >= len(data) or data[start] & 0xC0 != 0x80:
            return start
    return position


def _sentence(difference: Difference) -> str:
    position = difference.position
    if not difference.got:
        return f"{position}: the output ends where '{difference.expected}' is expected"
    if not difference.expected:
        return f"{position}: '{difference.got}' is more than is expected"
    return f"{position}: expected '{difference.expected}', got '{difference.got}'"
