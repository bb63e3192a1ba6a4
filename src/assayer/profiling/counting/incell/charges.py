"""What the work that one built-in operation does in C is charged with, at the place of its call.

Each function here stands around an operand or a result in the program, and gives it back as it is.
So the operation itself is still done by the program: no frame stands between it and what it calls,
and what it raises is raised at the same line. The names in here go into `builtins`, each with the
prefix `PREFIX`; the first argument is always the place.

A charge is about what as many passes of a loop would count: one for each element, one for sixteen
bytes of text, and words to the power of log2(3) where large integers are multiplied.
"""

from __future__ import annotations

import builtins
import itertools
import math
from bisect import bisect_right
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain, compress, islice, repeat
from operator import indexOf, length_hint, lt
from types import GeneratorType
from typing import Any

from assayer.profiling.counting.incell.charged import PREFIX

_MAX_COUNT = (1 << 63) - 1
_STEPS = 1 << 62
_BYTES = 16
_WORD_BITS = 64
_SMALL = 1 << _WORD_BITS
_SMALL_RUN = 32
_KARATSUBA = 1.58
_SAMPLE = 4
_MOST_OPEN = 1 << 20
_MISSING = "sequence.index(x): x not in sequence"

_TEXTS = frozenset({str, bytes, bytearray})
_ITEMS = frozenset(
    {list, tuple, set, frozenset, dict, deque, Counter, OrderedDict, defaultdict, range}
    | {type({}.keys()), type({}.values()), type({}.items())}
)
_SEARCHED = frozenset({list, tuple, deque, type({}.values())})
_LAZY = frozenset(
    {map, filter, zip, enumerate, reversed, type(iter(int, 0))}
    | {type(iter(kind())) for kind in (list, tuple, str, bytes, set, dict)}
    | {type(iter({}.items())), type(iter({}.values())), type(iter(range(0))), type(reversed([]))}
    | {each for each in vars(itertools).values() if isinstance(each, type)}
)
_ATOMS = frozenset({int, float, str, bytes, bool})


class Counts:
    """The counters of one program: one of each kind for every place.

    Args:
        places: How many places there are.
    """

    def __init__(self, places: int) -> None:
        # Taking a step from a `repeat` makes no object, so it costs less than counting up.
        self._entered = [repeat(True, _STEPS) for _ in range(places)]
        self._charged = [0] * places

    def names(self) -> dict[str, object]:
        """What the transformed program looks up."""
        found: dict[str, object] = {f"c{place}": each for place, each in enumerate(self._entered)}
        found.update(next=next, compress=compress)
        found.update(_charges(self._charged, self._entered))
        return {PREFIX + name: value for name, value in found.items()}

    def take(self) -> list[int]:
        """The counts by place."""
        return [
            min(_STEPS - length_hint(entered) + charged, _MAX_COUNT)
            for entered, charged in zip(self._entered, self._charged, strict=True)
        ]


def publish(names: dict[str, object]) -> None:
    """Make the names known everywhere, without one more in the program's own namespace."""
    vars(builtins).update(names)


def _charges(charged: list[int], entered: list[Any]) -> dict[str, Callable[..., Any]]:
    """The functions that charge, by name: closures, as some stand in the hottest loops."""

    def weigh(k: int, value: Any) -> Any:
        """For an operand or result that is read or made as a whole."""
        kind = type(value)
        if kind is int:
            if not -(1 << 64) < value < (1 << 64):  # constants, unlike a name
                charged[k] += value.bit_length() // _WORD_BITS
        elif kind in _TEXTS:
            charged[k] += len(value) // _BYTES + 1
        elif kind in _ITEMS:
            charged[k] += len(value)
        return value

    def consume(k: int, value: Any) -> Any:
        """For what is gone through, element by element."""
        kind = type(value)
        if kind in _ITEMS or kind in _TEXTS:
            charged[k] += len(value)
        elif kind in _LAZY:
            return compress(value, entered[k])
        return value

    def observe(k: int, value: Any) -> Any:
        """For an object with a method that goes through all of it."""
        kind = type(value)
        if kind in _ITEMS:
            charged[k] += len(value)
        elif kind in _TEXTS:
            charged[k] += len(value) // _BYTES + 1
        return value

    def order(k: int, value: Any, keyed: bool) -> Any:
        """For what is sorted."""
        kind = type(value)
        if kind in _LAZY or kind is GeneratorType:
            value = list(value)
        elif kind not in _ITEMS and kind not in _TEXTS:
            return value
        charged[k] += round(len(value) * _log(len(value)) if keyed else sort_cost(value))
        return value

    def order_list(k: int, value: Any, keyed: bool) -> Any:
        """For what sorts itself."""
        return order(k, value, keyed) if type(value) is list else value

    def log(k: int, value: Any) -> Any:
        """For a heap, or a sorted list that is searched."""
        if type(value) in _ITEMS:
            charged[k] += len(value).bit_length()
        return value

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
        """The method of an object, which moves elements where it is a list's."""
        if type(value) in (list, deque, bytearray):
            return partial(moving, k, value, name)
        return getattr(value, name)

    def moving(k: int, value: Any, name: str, *arguments: Any) -> Any:
        if arguments and type(arguments[0]) is int:
            shift(k, value, arguments[0])
        return getattr(value, name)(*arguments)

    def within(k: int, item: Any, value: Any) -> bool:
        """`item in value`."""
        kind = type(value)
        if kind not in _SEARCHED:
            if kind in _TEXTS:
                charged[k] += len(value) // _BYTES + 1
            return item in value
        if type(item) not in _ATOMS and type(item) is not tuple:
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
        """`left == right`. Unequal ones are told apart at some element, likely an early one."""
        equal = left == right
        charged[k] += _compared(left) if equal is True else 1
        return equal

    def differ(k: int, left: Any, right: Any) -> Any:
        """`left != right`."""
        differs = left != right
        charged[k] += _compared(left) if differs is False else 1
        return differs

    def added(k: int, value: Any, target: Any) -> Any:
        """For `target += value`, where a text grows in its place."""
        if type(value) is int and -(1 << 64) < value < (1 << 64):
            return value
        if type(target) is tuple:
            charged[k] += len(target)
        return weigh(k, value)

    def appended(k: int, value: Any, target: Any) -> Any:
        """For `target = target + value`, where a text grows in its place."""
        if type(target) in (list, tuple):
            charged[k] += len(target)
        return weigh(k, value)

    def moved(k: int, value: Any) -> Any:
        """For what loses elements from its middle."""
        if type(value) in (list, bytearray, deque):
            charged[k] += len(value)
        return value

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
        if type(value) is int and -(1 << 64) < value < (1 << 64):
            return value
        if type(value) in (str, bytes, tuple) and type(holder) in (list, dict, defaultdict):
            weigh(k, holder[index])
        return weigh(k, value)

    def grown_attribute(k: int, value: Any, holder: Any, name: str) -> Any:
        """For `holder.name += value`."""
        if type(value) in (str, bytes, tuple):
            weigh(k, getattr(holder, "__dict__", {}).get(name))
        return weigh(k, value)

    def multiply(k: int, left: Any, right: Any) -> Any:
        """`left * right`."""
        product = left * right
        if type(product) is int:
            if not -_SMALL < product < _SMALL and type(left) is type(right) is int:
                charged[k] += _product(left, right)
        else:
            weigh(k, product)
        return product

    def factor(k: int, value: Any, target: Any) -> Any:
        """For `target *= value`."""
        if type(target) is type(value) is int:
            if not -_SMALL < target < _SMALL:
                charged[k] += _product(target, value)
        elif type(value) is int and type(target) in (*_TEXTS, list, tuple):
            charged[k] += max(0, len(target) * value)
        return value

    def power(k: int, *arguments: Any) -> tuple[Any, ...]:
        """For the arguments of `pow`."""
        if all(type(each) is int for each in arguments):
            base, exponent = arguments[:2]
            if len(arguments) == 3:
                modulus = arguments[2]
                charged[k] += exponent.bit_length() * _product(modulus, modulus)
            elif exponent > 0:
                half = base.bit_length() * exponent // _WORD_BITS // 2 + 1
                charged[k] += round(min(half, 1 << 32) ** _KARATSUBA)
        return arguments

    def insorted(k: int, values: Any, item: Any) -> tuple[Any, Any]:
        """For the arguments of `insort`."""
        if type(values) is list:
            charged[k] += len(values).bit_length()
            if type(item) in _ATOMS:
                charged[k] += len(values) - bisect_right(values, item)
            else:
                charged[k] += len(values) // 2
        return values, item

    def zeros(k: int, value: Any) -> Any:
        """For what bytes are made of: elements, or their number."""
        if type(value) is int:
            charged[k] += max(0, value) // _BYTES
            return value
        return consume(k, value)

    def deep(k: int, value: Any) -> Any:
        """For a value that is copied with all that is in it."""
        todo = [value]
        while todo:
            each = todo.pop()
            if type(each) in _ITEMS:
                charged[k] += len(each)
                inner = each.values() if isinstance(each, dict) else each
                todo += [one for one in inner if type(one) in _ITEMS and len(todo) < _MOST_OPEN]
        return value

    def digits(k: int, value: Any) -> Any:
        """For a number that is read or written in base ten, which is quadratic."""
        kind = type(value)
        if kind is int:
            charged[k] += (value.bit_length() // _WORD_BITS) ** 2
        elif kind in _TEXTS:
            charged[k] += (len(value) // _BYTES) ** 2
        return value

    every = (
        weigh, consume, observe, order, order_list, log, shift, pick, within, same, differ, added,
        appended, moved, taken, grown, grown_item, grown_attribute, multiply, factor, power,
        insorted, zeros, deep, digits,
    )  # fmt: skip
    return {each.__name__: each for each in every}


def _compared(value: Any) -> int:
    kind = type(value)
    if kind in _TEXTS:
        return len(value) // _BYTES + 1
    return len(value) if kind in _ITEMS else 1


def _product(left: int, right: int) -> int:
    """What multiplying two integers costs: the shorter one's words by Karatsuba, piece by piece."""
    short, long = sorted(
        (left.bit_length() // _WORD_BITS + 1, right.bit_length() // _WORD_BITS + 1)
    )
    return round(long / short * math.pow(short, _KARATSUBA))


def _log(size: int) -> float:
    return max(1.0, math.log2(size)) if size else 0.0


def sort_cost(values: Any) -> float:
    """The comparisons of a merge sort that finds runs, from the runs that the values have.

    Args:
        values: What is sorted without a key; its elements are compared only where they are plain.

    Source:
        Auger, Juge, Nicaud, Pivoteau, On the Worst-Case Complexity of TimSort: n + n H(runs).
    """
    size = len(values)
    if size < 2:
        return size
    if not _is_plain(values):
        return size * _log(size)
    try:
        falls = bytes(map(lt, islice(values, 1, None), values))
    except TypeError:  # it will be raised again where it belongs
        return size
    turns = falls.count(b"\0\1") + falls.count(b"\1\0")
    if turns == 0:
        return size
    shortest = min(size, _SMALL_RUN)
    if turns > size // _SAMPLE:  # no run is as long as those that are made by insertion
        return size * math.log2(shortest) + size * math.log2(max(1.0, size / shortest))
    return size * math.log2(shortest) + size * _entropy(falls, shortest)


def _entropy(falls: bytes, shortest: int) -> float:
    """The entropy of the lengths of runs, where short ones are lengthened by insertion."""
    size = len(falls) + 1
    total, start = 0.0, 0
    while start < size:
        direction = falls[start : start + 1] or b"\0"
        end = falls.find(b"\0" if direction == b"\1" else b"\1", start)
        length = (size if end < 0 else end + 1) - start
        length = min(max(length, shortest), size - start)
        total -= length / size * math.log2(length / size)
        start += length
    return total


def _is_plain(values: Iterable[Any]) -> bool:
    """Whether comparing the elements runs none of the program's own code."""
    kinds = set(map(type, values))
    if kinds <= {tuple, list}:
        return set(map(type, chain.from_iterable(values))) <= _ATOMS
    return kinds <= _ATOMS
