"""What a reader is shown of the place where an output parts from what was expected."""

from steelyard._printable import printable
from steelyard.judging._outcome import Outcome
from steelyard.judging.checkers._compare import first_mismatch
from steelyard.schemas import Difference

__all__ = ["CONTEXT_BYTES", "character_start", "difference_at", "excerpt", "one_line", "wrong_at"]

EXCERPT_BYTES = 80
"""Bytes of either text that a difference shows."""

CONTEXT_BYTES = 32
"""A word that parts later than this is shown from about where it parts, not from its start."""


def wrong_at(output: bytes, position: int, *, got: bytes, expected: bytes) -> Outcome:
    """A wrong answer, with the place in the output and both texts from there on.

    Args:
        output: All of the candidate's output.
        position: Where `got` begins in it.
        got: The output's text there; empty where the output has ended.
        expected: What should stand there; empty where nothing should.
    """
    shared = first_mismatch(got, expected)
    if shared > CONTEXT_BYTES:
        shared = character_start(got, shared)
        position, got, expected = position + shared, got[shared:], expected[shared:]
    difference = difference_at(output, position, got=got, expected=expected)
    return Outcome(False, _sentence(difference), difference)


def difference_at(output: bytes, position: int, *, got: bytes, expected: bytes) -> Difference:
    """The place of an offset in the output, with excerpts of both texts."""
    return Difference(
        line=output.count(b"\n", 0, position) + 1,
        column=position - output.rfind(b"\n", 0, position),
        expected=excerpt(expected),
        got=excerpt(got),
    )


def excerpt(data: bytes) -> str:
    """At most 80 bytes of the first line, printable: all else is shown as escapes."""
    line_end = data.find(b"\n", 1, EXCERPT_BYTES + 1)
    cut = len(data) if line_end < 0 else line_end
    if cut > EXCERPT_BYTES:
        return _shown(data[: character_start(data, EXCERPT_BYTES)]) + "..."
    return _shown(data[:cut])


def one_line(data: bytes, limit: int) -> str:
    """The first line that holds anything, cut to `limit` bytes and printable."""
    head = data[: 16 * limit].lstrip()
    if len(head) > limit:
        head = head[: character_start(head, limit)]
    return _shown(head.splitlines()[0].rstrip()) if head else ""


def _shown(data: bytes) -> str:
    """Text without control characters: they and bytes that are not UTF-8 become escapes."""
    return printable(data.decode(errors="backslashreplace"))


def character_start(data: bytes, position: int) -> int:
    """`position`, or the start of the UTF-8 character that it falls into."""
    for start in range(position, max(-1, position - 4), -1):
        if start >= len(data) or data[start] & 0xC0 != 0x80:
            return start
    return position


def _sentence(difference: Difference) -> str:
    place = f"line {difference.line}, column {difference.column}"
    if not difference.got:
        return f"{place}: the output ends where '{difference.expected}' is expected"
    if not difference.expected:
        return f"{place}: '{difference.got}' is more than is expected"
    return f"{place}: expected '{difference.expected}', got '{difference.got}'"
