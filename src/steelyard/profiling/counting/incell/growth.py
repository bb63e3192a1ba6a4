"""The charges of what grows, loses elements, or is computed with integers of any size.

They are made as those of what is gone through (passes.py).
"""

from __future__ import annotations

from collections import defaultdict, deque
from functools import partial
from typing import Any

from steelyard.profiling.counting.incell.costs import (
    KARATSUBA,
    SHORT_INT,
    TEXT_BYTES,
    WORD_BITS,
    product_cost,
)
from steelyard.profiling.counting.incell.kinds import TEXTS, Charge


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
