"""Describe inputs apart from what solutions do with them.

`coincidences` notes which numbers of an input meet: a number and a length, a sum and an item. A
program that treats such an input as a special case shows it in its trace. One that should, and does
not, shows nothing: these inputs have to be tried for what they are.

`trends` describes the order of long lists and of their columns: inputs of different orders differ
much.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, islice, pairwise
from typing import Any

from pydantic import JsonValue

from steelyard.families import Dice

_MOST_QUANTITIES, _MOST_COLUMNS = 24, 4
_MOST_EQUAL = 10
"""Equal pairs of quantities of which those that come together are noted."""
_CONSTANTS, _LARGEST = (0, 1, 2), 2**63
_START = 1 << 40
"""Numbers from here on are of coincidences; those of a trace lie below."""
_MOST_ITEMS, _LONGEST = 200, 1_000
"""Texts of an input, and rows of a list, that are compared with each other; characters of one."""
_SEEN_AS: dict[str, Callable[[str], str]] = {
    "case": str.casefold,
    "spaces": lambda text: "".join(text.split()),
    "letters": lambda text: "".join(sorted(text)),
}
"""How programs take texts for each other that differ."""
Quantity = tuple[str, Any]


def coincidences(args: Sequence[JsonValue]) -> frozenset[int]:
    """Return a number for each thing that an input's quantities have in common.

    These are whether two of them are equal, one apart, or which is larger, whether one divides the
    other, which pairs are equal at once, forms of lists and texts (ordered, mirrored), and texts
    and rows that differ in one way only: in the case of letters, in one column.
    """
    numbers: list[Quantity] = [(str(constant), constant) for constant in _CONSTANTS]
    found: list[object] = []
    for at, value in enumerate(args):
        numbers += _quantities(f"a{at}", value)
        found += _forms(f"a{at}", value)
    equal = []
    for (one, first), (other, second) in combinations(numbers[:_MOST_QUANTITIES], 2):
        apart = first - second
        found.append((one, other, apart if apart in (-1, 0, 1) else (apart > 0, abs(apart) < 1)))
        if not apart:
            equal.append((one, other))
        elif _divides(second, first) or _divides(first, second):
            found.append((one, other, "divides"))
    found += combinations(equal[:_MOST_EQUAL], 2)
    found += _alike_texts({*islice(_texts(args), _MOST_ITEMS)})
    found += (way for value in args if isinstance(value, list) for way in _alike_rows(value))
    return frozenset(_START + zlib.crc32(repr(each).encode()) for each in found)


def _quantities(name: str, value: JsonValue) -> Iterator[Quantity]:
    """Yield the numbers of a value: itself, lengths, items at ends, sums, how many differ."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        if abs(value) < _LARGEST:
            yield name, value
        return
    yield f"len {name}", len(value)
    if isinstance(value, dict):
        value = list(value.values())
    rows = [row for row in value if isinstance(row, list)]
    if not rows or len(rows) < len(value):
        yield from _of_items(name, value)
        return
    yield f"width {name}", min(map(len, rows))
    for at, column in enumerate([*zip(*rows, strict=False)][:_MOST_COLUMNS]):
        yield from _of_items(f"{name}[][{at}]", column)


def _of_items(name: str, items: Sequence[Any]) -> Iterator[Quantity]:
    try:
        yield f"different {name}", len(set(items))
    except TypeError:  # lists within
        return
    if items and all(type(each) in (int, float) and abs(each) < _LARGEST for each in items):
        yield f"first {name}", items[0]
        yield f"last {name}", items[-1]
        yield f"least {name}", min(items)
        yield f"most {name}", max(items)
        yield f"sum {name}", sum(items)


def _forms(name: str, value: JsonValue) -> Iterator[object]:
    if not isinstance(value, list | str) or len(value) < 2:
        return
    items: Sequence[Any] = value
    if items[0] == items[-1]:
        yield name, "ends alike"
    if items == items[::-1]:
        yield name, "mirrored"
    try:
        ordered = sorted(items)
    except TypeError:  # None, or rows of several types
        return
    if list(items) == ordered:
        yield name, "ascending"
    if list(items) == ordered[::-1]:
        yield name, "descending"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) <= _LONGEST:
            yield value
    elif isinstance(value, dict):
        for pair in islice(value.items(), _MOST_ITEMS):
            yield from _texts(pair)
    elif isinstance(value, list | tuple):
        for each in value[:_MOST_ITEMS]:
            yield from _texts(each)


def _alike_texts(texts: AbstractSet[str]) -> Iterator[str]:
    """Yield in which ways texts are taken for each other that differ."""
    for way, seen_as in _SEEN_AS.items():
        if len({*map(seen_as, texts)}) < len(texts):
            yield way
    if any(text != text[::-1] and text[::-1] in texts for text in texts):
        yield "backwards"
    if any(one and other.startswith(one) for one, other in pairwise(sorted(texts))):
        yield "begins"


def _alike_rows(items: list[Any]) -> Iterator[tuple[str, int]]:
    """Yield in which ways rows are taken for each other that differ: which column alone differs."""
    some = items[:_MOST_ITEMS]
    if not all(isinstance(row, list) and len(row) <= _MOST_COLUMNS for row in some):
        return
    rows = {*map(repr, some)}
    if len(rows) < len(some):
        yield "equal rows", 0
    if any(row != row[::-1] and repr(row[::-1]) in rows for row in some):
        yield "turned rows", 0
    width = min(map(len, some), default=0)
    for at in range(width if width > 1 else 0):
        if len({repr([*row[:at], *row[at + 1 :]]) for row in some}) < len(rows):
            yield "rows alike but for", at


def _divides(one: Any, other: Any) -> bool:
    return type(one) is int and type(other) is int and one > 1 and other % one == 0 and other > 0


_LEAST_LONG, _SAMPLE = 200, 100
"""Items from which on a list is long, and how many of them are looked at."""
_FEW, _EXCEPTIONS = 3, 1
"""Values of which a column has few, and pairs of neighbours that may be in another order."""


def trends(args: Sequence[Any]) -> tuple[str, ...]:
    """Return a word for each long list of an input, or for each column of its rows.

    Its items are `equal`, `rise` or `fall`, or have `few` or `many` values in another order.
    """
    return tuple(_trend(column) for arg in args for column in _columns(arg))


def _columns(arg: Any) -> Iterator[Sequence[Any]]:
    if not isinstance(arg, list | str) or len(arg) < _LEAST_LONG:
        return
    # At random, so that items in turn are not taken for equal ones.
    some = [arg[at] for at in sorted(Dice("trends").sample(0, len(arg) - 1, _SAMPLE))]
    if all(isinstance(each, list | tuple) for each in some):
        yield from zip(*some, strict=False)
    else:
        yield some


def _trend(items: Sequence[Any]) -> str:
    different = len({*map(repr, items)})
    if different == 1:
        return "equal"
    if all(type(each) in (int, float) for each in items):
        ups = sum(one < other for one, other in pairwise(items))
        downs = sum(one > other for one, other in pairwise(items))
        if min(ups, downs) <= _EXCEPTIONS and ups != downs:
            return "rise" if ups > downs else "fall"
    return "few" if different <= _FEW else "many"
