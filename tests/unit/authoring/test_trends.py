"""How long lists of an input are ordered, and what that is worth."""

from typing import Any

import pytest

from steelyard.authoring.evidence._choice import heaviest
from steelyard.authoring.evidence._features import trends
from steelyard.authoring.evidence._observations import ObservedInput
from steelyard.families import as_compact
from steelyard.schemas import AuthoredCase


@pytest.mark.parametrize(
    ("column", "trend"),
    [
        ([7] * 300, "equal"),
        ("a" * 300, "equal"),
        (list(range(300)), "rise"),
        ([n // 50 for n in range(300)], "rise"),
        ([3] * 150 + [5] * 150, "rise"),
        ([*range(200), *range(100)], "rise"),
        (list(range(300, 0, -1)), "fall"),
        ([9 - n // 50 for n in range(300)], "fall"),
        ([5] * 150 + [3] * 150, "fall"),
        ([1, 2] * 150, "few"),
        ("ab" * 150, "few"),
        ([n * 37 % 101 for n in range(300)], "many"),
        ([None, 1.5, True, "a"] * 75, "many"),
    ],
)
def test_an_order_has_a_word(column: Any, trend: str) -> None:
    assert trends([column, 5]) == (trend,)


def test_each_column_of_rows_has_one_and_short_lists_have_none() -> None:
    rows = [["put", at, 300 - at] for at in range(300)]
    assert trends([rows, [1, 2], 3, {"a": 1}]) == ("equal", "rise", "fall")
    assert trends([[], [[1]] * 3]) == ()


def shown(name: int, length: int, *words: str) -> ObservedInput:
    case = AuthoredCase(name=str(name), category="stress", origin="t", input=as_compact([name]))
    return ObservedInput(case, frozenset(), lengths=((1, length),), trends=words)


def test_the_longest_of_another_order_comes_before_the_next_of_the_same() -> None:
    some = [shown(1, 100, "rise"), shown(2, 99, "rise"), shown(3, 60, "fall"), shown(4, 7, "many")]
    assert [each.case.name for each in heaviest(some, 3)] == ["1", "3", "4"]
    assert [each.case.name for each in heaviest(some, 4)] == ["1", "3", "4", "2"]
