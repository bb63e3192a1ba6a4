"""Outputs of many megabytes: the right place is found, and memory stays bounded."""

import tracemalloc

import pytest

from steelyard.judging import Outcome, checker_for
from steelyard.judging.checkers.modes import _tokens_and_lines
from steelyard.schemas import TestCase

LINES = 100_000
EXPECTED = b"".join(b"%d %d.25 w\n" % (i, i % 977) for i in range(LINES))
CASE = TestCase(name="large", expected=EXPECTED)
MODES = ("exact", "tokens", "lines", "float_tokens", "numeric", "unordered")


def check(mode: str, output: bytes) -> tuple[Outcome, int]:
    """The outcome, and the bytes that checking took at once."""
    checker = checker_for(mode)
    tracemalloc.start()
    try:
        outcome = checker.check(CASE, output)
        return outcome, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("mode", MODES)
def test_an_equal_output_is_compared_without_a_copy(mode: str) -> None:
    outcome, taken = check(mode, bytes(bytearray(EXPECTED)))
    assert outcome.passed
    assert taken < 1 << 16


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("where", [0, 61_234, LINES - 1])
def test_the_place_of_the_only_difference_is_found(mode: str, where: int) -> None:
    line = b"%d %d.25 w\n" % (where, where % 977)
    number = b"%d %d.75 w\n" % (where, where % 977)
    start = EXPECTED.index(b"\n" + line) + 1 if where else 0
    output = EXPECTED[:start] + number + EXPECTED[start + len(line) :]
    outcome, taken = check(mode, output)
    assert outcome.difference is not None
    assert outcome.difference.line == where + 1
    assert outcome.difference.got.startswith(
        number.decode().rstrip() if mode == "unordered" else number.split()[1].decode()
    )
    if mode != "unordered":  # which counts all lines from the first difference on
        assert taken < 8 << 20


@pytest.mark.parametrize("mode", ["tokens", "lines", "float_tokens", "numeric", "unordered"])
def test_other_white_space_everywhere_passes_in_bounded_memory(mode: str) -> None:
    outcome, taken = check(mode, EXPECTED.replace(b"\n", b"\t \r\n"))
    assert outcome.passed
    assert taken < 8 << 20


@pytest.mark.parametrize("mode", ["tokens", "float_tokens", "numeric", "unordered"])
def test_the_place_is_found_among_other_white_space(mode: str) -> None:
    lines = EXPECTED.splitlines()
    lines[61_234] = b"61234 1.5 w"
    outcome, _ = check(mode, b"  \n".join(lines))
    assert outcome.difference is not None
    assert outcome.difference.line == 61_235
    assert outcome.difference.column == (1 if mode == "unordered" else 7)


def test_a_change_of_order_after_other_white_space_is_accepted() -> None:
    lines = EXPECTED.splitlines()
    lines[61_234], lines[70_000] = lines[70_000], lines[61_234]
    assert check("unordered", b"  \n".join(lines))[0].passed


def test_numbers_spread_otherwise_after_other_white_space_are_accepted() -> None:
    lines = EXPECTED.splitlines()
    lines[61_234] = lines[61_234].replace(b" ", b",")
    assert check("numeric", b"  \n".join(lines))[0].passed
    lines[70_000] = b"70000 1.5 w"
    difference = check("numeric", b"  \n".join(lines))[0].difference
    assert difference is not None
    assert (difference.line, difference.column) == (70_001, 7)


@pytest.mark.parametrize("noise", [b"- . + ", b"i n nan_ infx ", b"word\n"])
def test_numbers_are_found_among_megabytes_of_noise(noise: bytes) -> None:
    case = TestCase(name="far", expected=b"1 -inf 2.5\n")
    sea = noise * (1_000_000 // len(noise))
    checker = checker_for("numeric")
    assert checker.check(case, sea + b"1 " + sea + b"-Inf " + sea + b"(2.50)\n" + sea).passed
    difference = checker.check(case, b"1 -inf 2.5\n" + sea + b"nan\n").difference
    assert difference is not None
    assert difference.got == "nan"
    assert difference.line == 2 + sea.count(b"\n")


@pytest.mark.parametrize("mode", ["float_tokens", "numeric"])
def test_numbers_that_all_differ_a_little_pass_in_bounded_memory(mode: str) -> None:
    outcome, taken = check(mode, EXPECTED.replace(b".25", b".2500000001"))
    assert outcome.passed
    assert taken < 8 << 20


def test_lines_in_the_reverse_order_pass_with_a_bucket_of_them_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_tokens_and_lines, "_BUCKET_BYTES", 1 << 18)
    lines = EXPECTED.splitlines(keepends=True)
    outcome, taken = check("unordered", b"".join(reversed(lines)))
    assert outcome.passed
    assert taken < 12 << 20
    lines[7] = b"changed\n"
    outcome, _ = check("unordered", b"".join(reversed(lines)))
    assert outcome.difference is not None
    assert outcome.difference.line == LINES - 7
    assert outcome.difference.got == "changed"


def test_a_token_of_many_megabytes_is_shown_where_it_parts() -> None:
    case = TestCase(name="long", expected=b"x" * 5_000_000 + b"y")
    for mode in ("exact", "tokens", "float_tokens"):
        outcome = checker_for(mode).check(case, b"x" * 5_000_000 + b"z")
        assert outcome.message == "line 1, column 5000001: expected 'y', got 'z'"
