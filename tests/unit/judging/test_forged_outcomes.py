"""Outcomes that a candidate wrote itself: none is right, and none makes the judge fail."""

import contextlib

import pytest

from steelyard.judging.checkers import VALUE_MODES, value_checker_for
from steelyard.schemas import TestCase, values

BEYOND_FLOATS = b"1" + b"0" * 400
FORGED = [
    b"",
    b"5",
    b"null",
    b"{}",
    b"[]",
    b"[[]]",
    b'"ok"',
    b'["ok"]',
    b'[["ok"],1]',
    b"\xff",
    b"\xff\xfe[",
    b'["raised",5,6]',
    b'["raised",[],""]',
    b'["raised",{"ValueError":1},""]',
    b'["failed"]',
    b'["failed",[[[]]]]',
    b'["unplain",{}]',
    b'["ok",NaN]',
    b'["ok",{"v":1}]',
    b'["ok",{"$":"float","v":%s}]' % BEYOND_FLOATS,
    b'["ok",{"$":"set","v":[{"$":"float","v":%s}]}]' % BEYOND_FLOATS,
    b'["ok",{"$":"complex","v":[{"$":"float","v":%s},0]}]' % BEYOND_FLOATS,
    b'["ok",{"$":"int","v":%s}]' % BEYOND_FLOATS,
    b'["ok",{"$":"int","v":"%s"}]' % (b"f" * 60_000),
    b'["ok",{"$":"int","v":[]}]',
    b'["ok",{"$":"int","v":null}]',
    b'["ok",%s]' % (b"9" * 5_000),
    b'["ok",%s%s]' % (b"[" * 30_000, b"]" * 30_000),
    b'["ok",%s%s]' % (b'{"$":"tuple","v":[' * 3_000, b"]}" * 3_000),
    b'["ok",{"$":"bytes","v":5}]',
    b'["ok",{"$":"bytes","v":"\\ud800"}]',
    b'["ok",{"$":"complex","v":[1]}]',
    b'["ok",{"$":"complex","v":[{},{}]}]',
    b'["ok",{"$":"complex","v":"ab"}]',
    b'["ok",{"$":"dict","v":[[1]]}]',
    b'["ok",{"$":"dict","v":[[[1],2]]}]',
    b'["ok",{"$":"dict","v":5}]',
    b'["ok",{"$":["x"],"v":[]}]',
    b'["ok",{"$":"\\ud800","v":[]}]',
    b'["ok","\\ud800"]',
    '["ok",5]'.encode("utf-16"),
    '["ok",[]]'.encode("utf-32"),
]
EXPECTED = [
    7,
    1.5,
    [7, 8],
    (1,),
    {1},
    {1: 2},
    1j,
    b"x",
    "x",
    10**400,
    float("-inf"),
    None,
    [{1: {2}}],
]


@pytest.mark.parametrize("mode", VALUE_MODES)
@pytest.mark.parametrize("expected", EXPECTED, ids=lambda value: repr(value)[:20])
def test_no_forged_outcome_is_right_and_none_is_an_error(mode: str, expected: object) -> None:
    checker = value_checker_for(mode, sequences_alike=True)
    case = TestCase(name="a", expected=values.encode(["ok", expected]).encode())
    for forged in FORGED:
        outcome = checker.check(case, forged)
        assert not outcome.passed, forged[:80]
        assert outcome.message.isprintable()


def test_what_is_read_in_a_cell_is_a_value_or_unreadable() -> None:
    for forged in FORGED:
        with contextlib.suppress(values.UnreadableError):
            values.decode(forged)
