"""Charge values that are iterated, sorted, searched, compared, grown or computed with.

Each charge wraps an operand or a result in the program, and returns it unchanged. So the
program itself still does the operation: there is no frame between it and what it calls, and an
exception is raised at the same line. The first argument is always the place. Charges are
closures over the counts, because some run in the hottest loops.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from functools import partial
from itertools import compress
from operator import indexOf
from types import GeneratorType
from typing import Any

from steelyard.profiling.counting.incell.costs import (
    ATOMS,
    ITEMS,
    KARATSUBA,
    LAZY,
    SEARCHED,
    SHORT_INT,
    TEXT_BYTES,
    TEXTS,
    WORD_BITS,
    Charge,
    compare_cost,
    log_cost,
    product_cost,
    sort_cost,
)

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


def moves(charged: list[int]) -> tuple[Charge, ...]:
    """Charges of what moves elements within its object.

    Args:
        charged: The sum for each place.
    """

    def shift(k: int, value: Any, index: int) -> Any:
        """For a list that gets or loses an element: those behind it move."""
        kind = type(value)
        if kind is list or kind is bytearray:
            size = len(value)
            moved = size - index if index >= 0 else -index
            charged[k] += max(0, min(moved, size))
        elif kind is deque:
            charged[k] += min(len(value), abs(index) + 1)
        return value

    def pick(k: int, value: Any, name: str) -> Any:
        """Return the method of an object, which moves elements where it is a list's."""
        if type(value) in (list, deque, bytearray):
            return partial(moving, k, value, name)
        return getattr(value, name)

    def moving(k: int, value: Any, name: str, *arguments: Any) -> Any:
        if arguments and type(arguments[0]) is int:
            shift(k, value, arguments[0])
        return getattr(value, name)(*arguments)

    def moved(k: int, value: Any) -> Any:
        """For what loses elements from its middle."""
        if type(value) in (list, bytearray, deque):
            charged[k] += len(value)
        return value

    return shift, pick, moved


def growth(charged: list[int], weigh: Charge) -> tuple[Charge, ...]:
    """Charges of what is added to a target.

    Args:
        charged: The sum for each place.
        weigh: The charge of a value as a whole.
    """

    def added(k: int, value: Any, target: Any) -> Any:
        """For `target += value`, where a text grows in its place."""
        if type(value) is int and -SHORT_INT < value < SHORT_INT:
            return value
        if type(target) is tuple:
            charged[k] += len(target)
        return weigh(k, value)

    def appended(k: int, value: Any, target: Any) -> Any:
        """For `target = target + value`, where a text grows in its place."""
        if type(target) in (list, tuple):
            charged[k] += len(target)
        return weigh(k, value)

    def taken(k: int, value: Any, target: Any) -> Any:
        """For `target //= value` and the like."""
        weigh(k, target)
        return value

    def grown(k: int, value: Any, target: Any) -> Any:
        """For `target += value`, where a text is copied as a whole."""
        if type(value) in (str, bytes, tuple):
            weigh(k, target)
        return weigh(k, value)

    def grown_item(k: int, value: Any, holder: Any, index: Any) -> Any:
        """For `holder[index] += value`."""
        if type(value) is int and -SHORT_INT < value < SHORT_INT:
            return value
        if type(value) in (str, bytes, tuple) and type(holder) in (list, dict, defaultdict):
            weigh(k, holder[index])
        return weigh(k, value)

    def grown_attribute(k: int, value: Any, holder: Any, name: str) -> Any:
        """For `holder.name += value`."""
        if type(value) in (str, bytes, tuple):
            weigh(k, getattr(holder, "__dict__", {}).get(name))
        return weigh(k, value)

    return added, appended, taken, grown, grown_item, grown_attribute


def numbers(charged: list[int], weigh: Charge) -> tuple[Charge, ...]:
    """Charges of arithmetic.

    Args:
        charged: The sum for each place.
        weigh: The charge of a value as a whole.
    """

    def multiply(k: int, left: Any, right: Any) -> Any:
        """`left * right`."""
        product = left * right
        if type(product) is int:
            if not -SHORT_INT < product < SHORT_INT and type(left) is type(right) is int:
                charged[k] += product_cost(left, right)
        else:
            weigh(k, product)
        return product

    def factor(k: int, value: Any, target: Any) -> Any:
        """For `target *= value`."""
        if type(target) is type(value) is int:
            if not -SHORT_INT < target < SHORT_INT:
                charged[k] += product_cost(target, value)
        elif type(value) is int and type(target) in (*TEXTS, list, tuple):
            charged[k] += max(0, len(target) * value)
        return value

    def power(k: int, *arguments: Any) -> tuple[Any, ...]:
        """For the arguments of `pow`."""
        if all(type(each) is int for each in arguments):
            base, exponent = arguments[:2]
            if len(arguments) == 3:
                modulus = arguments[2]
                charged[k] += exponent.bit_length() * product_cost(modulus, modulus)
            elif exponent > 0:
                half = base.bit_length() * exponent // WORD_BITS // 2 + 1
                charged[k] += round(min(half, 1 << 32) ** KARATSUBA)
        return arguments

    def digits(k: int, value: Any) -> Any:
        """For a number that is read or written in base ten, which is quadratic."""
        kind = type(value)
        if kind is int:
            charged[k] += (value.bit_length() // WORD_BITS) ** 2
        elif kind in TEXTS:
            charged[k] += (len(value) // TEXT_BYTES) ** 2
        return value

    return multiply, factor, power, digits
