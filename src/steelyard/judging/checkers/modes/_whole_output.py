"""`exact`, `contains` and `regex`: compare the output as a whole."""

from functools import lru_cache
from typing import Protocol, cast

import re2

from steelyard.errors import TestsError
from steelyard.judging.checkers._outcome import (
    ACCEPTED,
    CONTEXT_BYTES,
    Checker,
    Outcome,
    character_start,
    content_end,
    excerpt,
    first_mismatch,
    match_mode,
    word_start,
    wrong_at,
)
from steelyard.schemas import TestCase

_COPIED_FREELY = 1 << 16
_LOOKED_AT = 1 << 12
_PATTERN_MEMORY = 8 << 20
"""Limit on the size of one compiled pattern with its automaton, in bytes."""


@match_mode("exact", 0)
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


@match_mode("contains", 3)
class ContainsChecker(Checker):
    """The expected text appears somewhere in the output.

    In both, CRLF is LF; white space at the end of the expected text is dropped. All other white
    space counts.
    """

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output that contains the expected text."""
        expected = _sought(case)
        if expected in output:
            return ACCEPTED
        if b"\r" in output and expected in output.replace(b"\r\n", b"\n"):
            return ACCEPTED
        return Outcome(False, f"the output does not contain '{excerpt(expected)}'")

    def validate(self, case: TestCase) -> None:
        """Refuse a case without a text to look for: every output would pass."""
        _sought(case)


def _sought(case: TestCase) -> bytes:
    expected = trimmed(case.expected)
    if not expected:
        raise TestsError(
            f"test case '{case.name}': `contains` has nothing to look for; give it an expected "
            "text that is more than white space"
        )
    return expected


@match_mode("regex", 4)
class RegexChecker(Checker):
    r"""The expected text is an RE2 pattern that is found somewhere in the output.

    In the output CRLF is LF, and white space at its end is dropped, so that `^42$` accepts
    `42` with a line end; a line end that closes the pattern is dropped too. `^` and `$` match at
    the ends of the whole output unless the pattern has `(?m)`. The pattern is UTF-8, or
    Latin-1 if it is not valid UTF-8; in an output that is not UTF-8 each stray byte is
    something that only `\C` matches. Time is linear in the output.
    """

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output in which the pattern is found."""
        if _pattern(case).search(trimmed(output)) is not None:
            return ACCEPTED
        return Outcome(False, f"the output does not match the pattern '{excerpt(case.expected)}'")

    def validate(self, case: TestCase) -> None:
        """Refuse a case whose pattern is empty or not supported by RE2."""
        _pattern(case)


class _Pattern(Protocol):
    def search(self, text: bytes, /) -> object | None: ...


def _pattern(case: TestCase) -> _Pattern:
    source = case.expected.rstrip(b"\r\n")
    if not source:
        raise TestsError(
            f"test case '{case.name}': the pattern is empty and would match every output; give "
            "it an RE2 pattern, such as ^$ for no output"
        )
    try:
        return _compiled(source)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        if isinstance(reason, bytes):
            reason = reason.decode(errors="backslashreplace")
        raise TestsError(
            f"test case '{case.name}': the pattern '{excerpt(source)}' is not supported by RE2 "
            f"({reason}); write it without look-around and back-references, which RE2 lacks"
        ) from error


@lru_cache(maxsize=64)
def _compiled(source: bytes) -> _Pattern:
    options = re2.Options()
    options.max_mem = _PATTERN_MEMORY
    options.log_errors = False
    options.never_capture = True  # only a match or none is needed
    try:
        source.decode()
    except UnicodeDecodeError:
        options.encoding = re2.Options.Encoding.LATIN1
    return cast("_Pattern", re2.compile(source, options))


def trimmed(data: bytes) -> bytes:
    """Return the text with LF for CRLF and without white space at the end, uncopied if possible."""
    data = _with_lf(data)
    return data[: content_end(data)]
