"""Orders that make quicksort quadratic, and characters that programs get wrong."""

from collections.abc import Callable

import pytest

from steelyard.families import FAMILIES, UNUSUAL, args_of
from tests.unit.inputs.input_specs import make_inputs, specification

Items = list[int]


def in_place(items: Items) -> int:
    """Comparisons of a quicksort that takes the middle item as pivot."""
    items, count, todo = [*items], 0, [(0, len(items) - 1)]
    while todo:
        low, high = todo.pop()
        if low >= high:
            continue
        middle = (low + high) // 2
        items[middle], items[high] = items[high], items[middle]
        at = low
        for i in range(low, high):
            count += 1
            if items[i] < items[high]:
                items[i], items[at] = items[at], items[i]
                at += 1
        items[at], items[high] = items[high], items[at]
        todo += [(low, at - 1), (at + 1, high)]
    return count


def in_new_lists(items: Items) -> int:
    """Comparisons of a quicksort that takes the median of the first, middle and last item."""
    count, todo = 0, [items]
    while todo:
        part = todo.pop()
        if len(part) > 1:
            pivot = sorted((part[0], part[len(part) // 2], part[-1]))[1]
            todo += [[x for x in part if x < pivot], [x for x in part if x > pivot]]
            count += 2 * len(part)
    return count


@pytest.mark.parametrize(
    ("name", "comparisons"),
    [("middle_pivot_killer", in_place), ("three_pivot_killer", in_new_lists)],
)
def test_quicksort_is_quadratic(name: str, comparisons: Callable[[Items], int]) -> None:
    few, many = (FAMILIES[name].make(list(range(n)), 0) for n in (400, 800))
    assert sorted(many) == list(range(800))
    assert comparisons(many) > 3.5 * comparisons(few)
    assert comparisons(many) > 800**2 / 8
    mixed = FAMILIES["shuffled"].make(list(range(800)), 0)
    assert comparisons(many) > 5 * comparisons(mixed)


def test_texts_without_an_alphabet_hold_unusual_characters() -> None:
    made = make_inputs(specification("s: str", ["len(s) <= 40"], [["ab"]]), seed=0, count=60)
    used = set().union(*(args_of(case.input)[0] for case in made))
    assert len(used & set(UNUSUAL)) >= 10, "such as letters whose upper case is longer"
    assert any(ord(each) > 0xFFFF for each in used)
