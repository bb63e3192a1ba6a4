"""What processes of their own, timed from outside, say against a gain."""

from dataclasses import replace
from typing import Any

from steelyard.comparing._literals import new_literals
from steelyard.comparing.incell.told import ApartTimes
from steelyard.comparing.timing._apart import _only_again, _works_elsewhere

HONEST = ApartTimes(
    overall=0.5,
    works_on=(False, False),
    elsewhere=(0.0, 0.01),
    heated=True,
    first_ns=(10_000, 5_600),
    again_ns=(9_000, 5_000),
    timed_ns=(80_000_000, 40_000_000),
    untimed_ns=(30_000_000, 31_000_000),
)


def _told(**changed: Any) -> list[ApartTimes]:
    return [replace(HONEST, **changed)] * 3


def test_a_gain_from_the_first_call_on_is_one() -> None:
    assert not _only_again(_told())
    assert not _works_elsewhere(_told())


def test_a_gain_only_when_calls_come_again_is_none() -> None:
    assert _only_again(_told(first_ns=(10_000, 9_800)))


def test_code_that_nothing_heated_may_be_slow_at_first() -> None:
    assert not _only_again(_told(first_ns=(10_000, 9_800), heated=False))
    assert _only_again(_told(first_ns=(10_000, 19_000), heated=False))


def test_a_gain_that_drowns_in_what_is_around_says_nothing() -> None:
    assert not _only_again(_told(first_ns=(10_000, 10_000), again_ns=(9_000, 8_900)))


def test_work_between_the_timed_calls_counts() -> None:
    assert _works_elsewhere(_told(untimed_ns=(30_000_000, 69_000_000)))


def test_only_literals_of_its_own_that_are_not_tried_anyway() -> None:
    original = "def f(v):\n    return v * 77 + len('known')\n"
    candidate = (
        "def f(v):\n    'It is faster.'\n    if v in ('a' 'b', b'c', 60 * 60, -3.5): return 1\n"
        "    return v * 77 + len('known') + 2\n"
    )
    assert {"ab", b"c", 60, 3600, -3.5} <= {*new_literals(original, candidate)}
    assert not {2, 77, "known", "It is faster."} & {*new_literals(original, candidate)}
    assert new_literals(original, "def f(:") == []
