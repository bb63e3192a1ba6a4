"""Charge values that are iterated, sorted, searched or compared.

Each charge wraps an operand or a result in the program, and returns it unchanged. So the
program itself still does the operation: there is no frame between it and what it calls, and an
exception is raised at the same line. The first argument is always the place. Charges are
closures over the counts, because some run in the hottest loops.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import compress
from operator import indexOf
from types import GeneratorType
from typing import Any

from steelyard.profiling.counting.incell.costs import (
    SHORT_INT,
    TEXT_BYTES,
    WORD_BITS,
    compare_cost,
    log_cost,
    sort_cost,
)
from steelyard.profiling.counting.incell.kinds import ATOMS, ITEMS, LAZY, SEARCHED, TEXTS, Charge

_MOST_OPEN = 1 << 20
_MISSING = "sequence.index(x): x not in sequence"


def weighing(charged: list[int]) -> Charge:
    """Return the charge that most others are made of.

    Args:
        charged: The sum for each place.
    """

    def weigh(k: int, value: Any) -> Any:
        """For an operand or result that is read or made as a whole."""
        kind = type(value)
        if kind is int:
            if not -SHORT_INT < value < SHORT_INT:
                charged[k] += value.bit_length() // WORD_BITS
        elif kind in TEXTS:
            charged[k] += len(value) // TEXT_BYTES + 1
        elif kind in ITEMS:
            charged[k] += len(value)
        return value

    return weigh


def passes(charged: list[int], entered: list[Any]) -> tuple[Charge, ...]:
    """Charges of what is gone through by one operation.

    Args:
        charged: The sum for each place.
        entered: A counter for each place, to take a step for each element of what is lazy.
    """

    def consume(k: int, value: Any) -> Any:
        """For what is gone through, element by element."""
        kind = type(value)
        if kind in ITEMS or kind in TEXTS:
            charged[k] += len(value)
        elif kind in LAZY:
            return compress(value, entered[k])
        return value

    def zeros(k: int, value: Any) -> Any:
        """For what bytes are made of: elements, or their number."""
        if type(value) is int:
            charged[k] += max(0, value) // TEXT_BYTES
            return value
        return consume(k, value)

    def deep(k: int, value: Any) -> Any:
        """For a value that is copied with all that is in it."""
        todo = [value]
        while todo:
            each = todo.pop()
            if type(each) in ITEMS:
                charged[k] += len(each)
                inner = each.values() if isinstance(each, dict) else each
                todo += [one for one in inner if type(one) in ITEMS and len(todo) < _MOST_OPEN]
        return value

    return consume, zeros, deep


def orders(charged: list[int]) -> tuple[Charge, ...]:
    """Charges of what is sorted, or kept in order.

    Args:
        charged: The sum for each place.
    """

    def order(k: int, value: Any, keyed: bool) -> Any:
        """For what is sorted."""
        kind = type(value)
        if kind in LAZY or kind is GeneratorType:
            value = list(value)
        elif kind not in ITEMS and kind not in TEXTS:
            return value
        charged[k] += round(len(value) * log_cost(len(value)) if keyed else sort_cost(value))
        return value

    def order_list(k: int, value: Any, keyed: bool) -> Any:
        """For what sorts itself."""
        return order(k, value, keyed) if type(value) is list else value

    def log(k: int, value: Any) -> Any:
        """For a heap, or a sorted list that is searched."""
        if type(value) in ITEMS:
            charged[k] += len(value).bit_length()
        return value

    def insorted(k: int, values: Any, item: Any) -> tuple[Any, Any]:
        """For the arguments of `insort`."""
        if type(values) is list:
            charged[k] += len(values).bit_length()
            if type(item) in ATOMS:
                charged[k] += len(values) - bisect_right(values, item)
            else:
                charged[k] += len(values) // 2
        return values, item

    return order, order_list, log, insorted


def searches(charged: list[int]) -> tuple[Charge, ...]:
    """Charges of what is searched or compared: these do the operation themselves.

    Args:
        charged: The sum for each place.
    """

    def within(k: int, item: Any, value: Any) -> bool:
        """`item in value`."""
        kind = type(value)
        if kind not in SEARCHED:
            if kind in TEXTS:
                charged[k] += len(value) // TEXT_BYTES + 1
            return item in value
        if type(item) not in ATOMS and type(item) is not tuple:
            charged[k] += len(value)
            return item in value
        try:
            place = indexOf(value, item)
        except ValueError as error:
            if error.args != (_MISSING,):  # an element's own
                raise
            charged[k] += len(value)
            return False
        charged[k] += place + 1
        return True

    def same(k: int, left: Any, right: Any) -> Any:
        """`left == right`. Unequal values differ at some element, likely an early one."""
        equal = left == right
        charged[k] += compare_cost(left) if equal is True else 1
        return equal

    def differ(k: int, left: Any, right: Any) -> Any:
        """`left != right`."""
        differs = left != right
        charged[k] += compare_cost(left) if differs is False else 1
        return differs

    return within, same, differ
