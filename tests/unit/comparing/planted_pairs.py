"""Pairs of functions that differ on few inputs only, with recorded calls on which they agree."""

import bisect
import datetime as dt
import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Call = tuple[tuple[object, ...], dict[str, object]]


@dataclass(frozen=True)
class Item:
    name: str
    price: float
    stock: int = 1


@dataclass(frozen=True)
class Pair:
    name: str
    original: Callable[..., object]
    candidate: Callable[..., object]
    recorded: list[Call]


def _chunks(items, size):
    return [items[i : i + size] for i in range(0, len(items), size)]


def _chunks_dropped(items, size):
    return [items[i : i + size] for i in range(0, len(items) - size + 1, size)]


def _rank(rows):
    return [row["id"] for row in sorted(rows, key=lambda row: row["score"])]


def _rank_reversed_ties(rows):
    return [row["id"] for row in sorted(rows, key=lambda row: row["score"], reverse=True)][::-1]


def _wrap(position, width):
    return position % width


def _wrap_fmod(position, width):
    return int(math.fmod(position, width))


def _mean(values):
    return sum(values) / len(values) if values else 0.0


def _mean_unguarded(values):
    return sum(values) / len(values)


def _largest(values):
    best = None
    for value in values:
        if best is None or value > best:
            best = value
    return best


def _largest_builtin(values):
    return max((value for value in values if value == value), default=None)


def _key(text):
    return text.casefold()


def _key_lower(text):
    return text.lower()


def _number(text):
    return text.isdecimal()


def _number_ascii(text):
    return text != "" and all("0" <= letter <= "9" for letter in text)


def _unique(items):
    seen, kept = set(), []
    for item in items:
        if item not in seen:
            seen.add(item)
            kept.append(item)
    return kept


def _unique_sorted(items):
    return sorted(set(items))


def _discount(amount):
    return amount * 0.9 if amount >= 250 else amount


def _discount_edge(amount):
    return amount * 0.9 if amount > 250 else amount


def _halves(numbers):
    return [number // 2 for number in numbers]


def _halves_float(numbers):
    return [math.floor(number / 2) for number in numbers]


def _position(items, wanted):
    return bisect.bisect_left(items, wanted)


def _position_right(items, wanted):
    return bisect.bisect_right(items, wanted)


def _total(items):
    return sum(item.price * item.stock for item in items)


def _total_deduplicated(items):
    return sum(item.price * item.stock for item in set(items))


def _merged(first, second):
    made = list(first)
    made.extend(second)
    return made


def _merged_in_place(first, second):
    first += second
    return first


def _doubled(first, second):
    return [2 * number for number in first], [2 * number for number in second]


def _doubled_in_place(first, second):
    kept = list(first), list(second)
    for items in (first, second):
        items[:] = [2 * number for number in items]
    made = list(first), list(second)
    first[:], second[:] = kept
    return made


def _lines(text):
    return text.split("\n")


def _lines_any(text):
    return text.splitlines()


def _words(text):
    return text.split()


def _words_space(text):
    return [word for word in text.split(" ") if word]


def _inverted(table):
    made = {}
    for key, value in table.items():
        made.setdefault(value, key)
    return made


def _inverted_last(table):
    return {value: key for key, value in table.items()}


def _day_before(day):
    return day - dt.timedelta(days=1)


def _day_before_replaced(day):
    return day.replace(day=day.day - 1)


def _shown(amount):
    return str(amount)


def _shown_normal(amount):
    return str(amount.normalize())


def _batched(items):
    return "small" if len(items) <= 16 else "large"


def _batched_late(items):
    return "small" if len(items) <= 17 else "large"


def _window(items, size=2):
    return [sum(items[i : i + size]) for i in range(len(items) - size + 1)]


def _window_running(items, size=2):
    if not size or len(items) < size:
        return []
    total = sum(items[:size])
    made = [total]
    for i in range(size, len(items)):
        total += items[i] - items[i - size]
        made.append(total)
    return made


def _name_of(user, fallback="?"):
    return user.get("name", fallback)


def _name_of_or(user, fallback="?"):
    return user.get("name") or fallback


def _top(sales, count):
    return [name for name, _ in sorted(sales, key=lambda sale: -sale[1])[:count]]


def _top_by_name(sales, count):
    return [name for _, name in sorted((-amount, name) for name, amount in sales)[:count]]


def _billed(readings, price, tax):
    return [reading * price * tax for reading in readings]


def _billed_at_once(readings, price, tax):
    return [reading * (price * tax) for reading in readings]


def _bands(weights, limits):
    return [sum(weight > limit for limit in limits) for weight in weights]


def _bands_edge(weights, limits):
    return [sum(weight >= limit for limit in limits) for weight in weights]


def _checked(number):
    return len(number) == 9 and sum(int(digit) for digit in number if digit.isdigit()) % 10 == 5


def _checked_length(number):
    return len(number) == 9


_SCORES = [{"id": 1, "score": 7}, {"id": 2, "score": 3}, {"id": 3, "score": 5}]


def _call(*args: Any, **kwargs: Any) -> Call:
    return args, kwargs


PAIRS = [
    Pair("last chunk", _chunks, _chunks_dropped, [_call([1, 2, 3, 4], 2), _call([5, 6, 7], 3)]),
    Pair("order of ties", _rank, _rank_reversed_ties, [_call(_SCORES), _call(_SCORES[:2])]),
    Pair("negative modulo", _wrap, _wrap_fmod, [_call(7, 5), _call(12, 4)]),
    Pair("empty", _mean, _mean_unguarded, [_call([1.0, 2.0]), _call([4.0])]),
    Pair("nan", _largest, _largest_builtin, [_call([1.0, 3.0, 2.0]), _call([5.0, 4.0])]),
    Pair("sharp s", _key, _key_lower, [_call("Hello"), _call("World Wide")]),
    Pair("digits", _number, _number_ascii, [_call("123"), _call("x1")]),
    Pair("order kept", _unique, _unique_sorted, [_call([1, 2, 2, 3]), _call([4, 5])]),
    Pair("edge of a limit", _discount, _discount_edge, [_call(10), _call(900)]),
    Pair("float precision", _halves, _halves_float, [_call([10, 4]), _call([7])]),
    Pair("equal element", _position, _position_right, [_call([1, 3, 5], 2), _call([2, 9], 4)]),
    Pair(
        "equal records",
        _total,
        _total_deduplicated,
        [_call([Item("a", 1.5), Item("b", 2.0, 3)]), _call([Item("c", 1.0)])],
    ),
    Pair("changed argument", _merged, _merged_in_place, [_call([1, 2], []), _call([4], [])]),
    Pair("same object twice", _doubled, _doubled_in_place, [_call([3, 1], [2]), _call([5], [6])]),
    Pair("last newline", _lines, _lines_any, [_call("a\nb"), _call("one line")]),
    Pair("white space", _words, _words_space, [_call("two words"), _call("a b c")]),
    Pair("equal values", _inverted, _inverted_last, [_call({"a": 1, "b": 2}), _call({"c": 3})]),
    Pair(
        "first of a month",
        _day_before,
        _day_before_replaced,
        [_call(dt.date(2023, 5, 17)), _call(dt.date(2022, 8, 9))],
    ),
    Pair("trailing zero", _shown, _shown_normal, [_call(Decimal("1.5")), _call(Decimal("0.25"))]),
    Pair("length of a limit", _batched, _batched_late, [_call([1, 2]), _call(list(range(40)))]),
    Pair("window too wide", _window, _window_running, [_call([1, 2, 3]), _call([5, 7], size=2)]),
    Pair(
        "tie in one field",
        _top,
        _top_by_name,
        [_call([("ann", 10), ("bob", 30), ("cyd", 20)], 3), _call([("ann", 1)], 0)],
    ),
    Pair(
        "rounded digits",
        _billed,
        _billed_at_once,
        [_call([0.5, 1.0, 2.0], 0.25, 1.5), _call([4.0], 0.5, 1.25)],
    ),
    Pair(
        "value of another argument",
        _bands,
        _bands_edge,
        [_call([40, 700], [100, 500]), _call([20], [33])],
    ),
    Pair("other digit", _checked, _checked_length, [_call("123456789"), _call("12-34")]),
    Pair(
        "falsy value",
        _name_of,
        _name_of_or,
        [_call({"name": "x"}), _call({"age": 3}, fallback="-")],
    ),
]


def is_endless(call: Call) -> bool:
    """Whether an argument is a number to which a function could count for hours."""
    args, kwargs = call
    return any(type(value) is int and abs(value) >= 2**22 for value in (*args, *kwargs.values()))


def outcome(function: Callable[..., object], call: Call) -> str:
    """What a function does on a call, as text: its result or failure, and the arguments after."""
    args, kwargs = call
    try:
        result = repr(function(*args, **kwargs))
    except Exception as error:  # noqa: BLE001 - a failure is an outcome
        result = type(error).__name__
    return f"{result} {args!r} {kwargs!r}"
