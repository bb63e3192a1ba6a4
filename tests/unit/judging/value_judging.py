"""How tests of the value checkers judge, and plain values of every kind."""

from typing import Any

from hypothesis import strategies as st

from steelyard.judging.checkers._outcome import Outcome
from steelyard.judging.checkers._values import value_checker_for
from steelyard.schemas import TestCase, values

HUGE = 10**5000
"""It has more digits than Python writes in base 10: pytest can name no case after it."""


def returned(value: object, *after: object) -> bytes:
    return values.encode(["ok", value, *after]).encode()


def judged(expected: bytes, output: bytes, mode: str = "exact", **options: Any) -> Outcome:
    case = TestCase(name="one", expected=expected)
    checker = value_checker_for(mode, **options)
    checker.validate(case)
    return checker.check(case, output)


def message(expected: object, got: object, mode: str = "exact", **options: Any) -> str:
    outcome = judged(returned(expected), returned(got), mode, **options)
    assert not outcome.passed
    assert not outcome.crashed
    assert "\n" not in outcome.message
    return outcome.message


plain = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 3),
        st.floats(),
        st.just(2**70),
        st.integers(-1, 1).map(lambda factor: factor * HUGE),
        st.text(max_size=2),
        st.binary(max_size=2),
        st.complex_numbers(max_magnitude=3),
        st.sets(st.one_of(st.integers(), st.text(max_size=2)), max_size=3),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.integers(-2, 2), st.text(max_size=1)), inner, max_size=3),
    ),
    max_leaves=10,
)
