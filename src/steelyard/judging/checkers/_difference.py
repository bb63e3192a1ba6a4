"""Show the first difference between an output and the expected text."""

from steelyard._printable import printable
from steelyard.judging._outcome import Outcome
from steelyard.judging.checkers._compare import first_mismatch
from steelyard.schemas import Difference

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
    position = f"line {difference.line}, column {difference.column}"
    if not difference.got:
        return f"{position}: the output ends where '{difference.expected}' is expected"
    if not difference.expected:
        return f"{position}: '{difference.got}' is more than is expected"
    return f"{position}: expected '{difference.expected}', got '{difference.got}'"
