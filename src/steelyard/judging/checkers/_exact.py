"""`exact`: the same bytes, except line ends and trailing white space."""

from steelyard.judging._outcome import ACCEPTED, Checker, Outcome
from steelyard.judging.checkers._compare import content_end, first_mismatch, word_start
from steelyard.judging.checkers._difference import CONTEXT_BYTES, character_start, wrong_at
from steelyard.schemas import TestCase

_COPIED_FREELY = 1 << 16
_LOOKED_AT = 1 << 12


class ExactChecker(Checker):
    """Equal after CRLF becomes LF and white space at the end of the output is dropped.

    White space anywhere else counts: before the first word, and at the end of inner lines.
    """

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output that equals the expected text in this sense."""
        expected = case.expected
        if output == expected:
            return ACCEPTED
        if len(output) < _COPIED_FREELY and output.rstrip() == expected.rstrip():
            return ACCEPTED
        output, expected = _with_lf(output), _with_lf(expected)
        output_end, expected_end = content_end(output), content_end(expected)
        position = min(first_mismatch(output, expected), output_end, expected_end)
        if position == output_end == expected_end:
            return ACCEPTED
        got = output[position : min(position + _LOOKED_AT, output_end)]
        wanted = expected[position : min(position + _LOOKED_AT, expected_end)]
        return _explain(output, position, got=got, expected=wanted)


def trimmed(data: bytes) -> bytes:
    """Return the text with LF for CRLF and without white space at the end, uncopied if possible."""
    data = _with_lf(data)
    return data[: content_end(data)]


def _with_lf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def _explain(output: bytes, position: int, *, got: bytes, expected: bytes) -> Outcome:
    """Return a difference from the start of its word, or after the white space at an end."""
    start = word_start(output, position)
    if start < position and (got[:1].strip() or expected[:1].strip()):
        if position - start > CONTEXT_BYTES:
            start = character_start(output, position)
        shared = output[start:position]
        position, got, expected = start, shared + got, shared + expected
    elif not got:
        expected = expected.lstrip() or expected
    elif not expected and (word := got.lstrip()):
        position, got = position + len(got) - len(word), word
    return wrong_at(output, position, got=got, expected=expected)
