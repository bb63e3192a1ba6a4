"""What processes of their own, timed from outside, say against a gain."""

from dataclasses import replace
from typing import Any

from steelyard.comparing._behaving import new_literals
from steelyard.comparing.incell.told import ApartTimes
from steelyard.comparing.timing._paired import works_elsewhere
from steelyard.comparing.timing._timed import lacks_gain, only_again

HONEST = ApartTimes(
    overall=0.5,
    elsewhere=(0.0, 0.01),
    timed_ns=(80_000_000, 40_000_000),
    untimed_ns=(30_000_000, 31_000_000),
)


def _told(**changed: Any) -> list[ApartTimes]:
    return [replace(HONEST, **changed)] * 3


def test_a_gain_that_new_calls_lack_is_none() -> None:
    assert not lacks_gain(2.0, [1.9] * 5)
    assert lacks_gain(2.0, [0.1] * 5)
    assert not lacks_gain(2.0, [0.1, 1.9, 0.1, 1.9, 0.1])


def test_code_that_nothing_heated_may_be_slow_at_first() -> None:
    def code(gain: float, first: float, *, heated: bool) -> list[str]:
        return [each.code for each in only_again(gain, [first] * 5, heated=heated)]

    assert code(0.6, 0.1, heated=False) == ["undecided"]
    assert code(0.6, 0.1, heated=True) == ["remembers-calls"]
    assert code(2.0, 0.1, heated=False) == ["remembers-calls"]
    assert code(2.0, 1.9, heated=False) == []


def test_work_between_the_timed_calls_counts() -> None:
    assert not works_elsewhere(_told())
    assert works_elsewhere(_told(untimed_ns=(30_000_000, 69_000_000)))


def test_only_literals_of_its_own_that_are_not_tried_anyway() -> None:
    original = "def f(v):\n    return v * 77 + len('known')\n"
    candidate = (
        "def f(v):\n    'It is faster.'\n    if v in ('a' 'b', b'c', 60 * 60, -3.5): return 1\n"
        "    return v * 77 + len('known') + 2\n"
    )
    assert {"ab", b"c", 60, 3600, -3.5} <= {*new_literals(original, candidate)}
    assert not {2, 77, "known", "It is faster."} & {*new_literals(original, candidate)}
    assert new_literals(original, "def f(:") == []
