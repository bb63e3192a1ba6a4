"""Numbers, texts and bytes like a given one: what a function that is nearly right treats otherwise.

What any value is tried with and what the function's own literals suggest come in turns: a function
with many literals leaves room for the rest.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from steelyard.comparing.calls.incell.oddities import FLOATS, LARGE, oddly
from steelyard.comparing.calls.incell.parts import alternated

LONGEST = 4_000
"""Containers and strings are made no longer than this, unless the given one is longer."""
_EDITS = 24
_NUMBER, _NUMBER_OF_BYTES = re.compile("[0-9]+"), re.compile(b"[0-9]+")
_MOST_NUMBERS = 8
_WORDS = ("\u0663\u0664", "a,b", "0", "-1", "\n")
_ODD_AFTER = 4


def numbers(value: Any, constants: Sequence[object], rng: random.Random) -> Iterator[Any]:
    """Numbers of the type of a given one: its neighbours and edges, and those of the function.

    Each so many of them one follows that is far from all that tests give.

    Args:
        value: A whole or floating number.
        constants: Literals of the function.
        rng: Draws.
    """
    kind = type(value)
    own: list[Any] = []
    for constant in constants:
        if type(constant) in (int, float) and not (kind is int and isinstance(constant, float)):
            own += [constant, _plus(constant, -1), _plus(constant, 1)]
    near: list[Any] = [value + 1, value - 1]
    if isinstance(value, float):
        near += [
            inexact(value, rng),
            0.0,
            math.nan,
            -value,
            math.inf,
            -0.0,
            1.0,
            0.5,
            -math.inf,
            value / 2,
            value * 3,
            value + 0.5,
            -1.0,
            2.5,
            0.1,
            math.nextafter(value, math.inf),
        ]
    else:
        near += [0, -value, 1, -1, 2, value * 2, value // 2, -value - 1, value + 2, 10, 3, 100]
    odd = FLOATS if kind is float else LARGE
    spiced = _spiced(near, rng.sample(odd, len(odd)))
    for number in alternated([spiced, iter(own)]):
        try:
            made = number if type(number) is kind else kind(number)
        except (ValueError, OverflowError, TypeError):
            continue
        if repr(made) != repr(value):
            yield made


def _spiced(near: Sequence[Any], odd: Sequence[Any]) -> Iterator[Any]:
    """What is near, with an odd one after the first and then after each few."""
    rest = iter(odd)
    for place, number in enumerate(near):
        yield number
        if place % _ODD_AFTER == 0:
            yield from itertools.islice(rest, 1)


def _plus(number: Any, step: int) -> Any:
    return number + step


def texts(
    value: Any, constants: Sequence[object], characters: Sequence[str], rng: random.Random
) -> Iterator[Any]:
    """Texts or bytes like a given one: edited, cut, joined with the function's own, recased.

    Args:
        value: A text or bytes.
        constants: Literals of the function.
        characters: Odd ones that matter to the function: they come before others.
        rng: Picks.
    """
    own = [constant for constant in constants if isinstance(constant, type(value)) and constant]
    sources = [_cut(value, constants), _with_constants(value, own)]
    if len(value) < LONGEST:
        odd = oddly(value, characters, rng)
        sources = [_respelled(value), _edited(value, rng), *sources, odd, _edited(value, rng)]
    sources.append(_cased(value) if isinstance(value, str) else _of_bytes(value))
    yield from alternated(sources)


def _cut(value: Any, constants: Sequence[object]) -> Iterator[Any]:
    half = len(value) // 2
    ends = (value[:0], value[:1], value[:-1], value[1:])
    yield from (made for made in ends if made != value)
    if len(value) < LONGEST:
        yield value + value
        yield value[::-1]
        yield from lengths(value, constants)
        if value:
            yield value[:half] + value[half : half + 1] + value[half:]


def _with_constants(value: Any, own: Sequence[Any]) -> Iterator[Any]:
    half = len(value) // 2
    yield from own
    for constant in own:
        yield from (value + constant, constant + value, value[:half] + constant)


def _respelled(value: Any) -> Iterator[Any]:
    """The numbers in a text without their leading zeros, and with one more: all, then each."""
    zero: Any = "0" if isinstance(value, str) else b"0"
    numbers_in: Any = _NUMBER if isinstance(value, str) else _NUMBER_OF_BYTES
    spellings: tuple[Callable[[Any], Any], ...] = (
        lambda found: found[0].lstrip(zero) or zero,
        lambda found: zero + found[0],
    )
    for spelled in spellings:
        made = numbers_in.sub(spelled, value)
        if made != value:
            yield made
    for found in itertools.islice(numbers_in.finditer(value), _MOST_NUMBERS):
        for spelled in spellings:
            made = value[: found.start()] + spelled(found) + value[found.end() :]
            if made != value:
                yield made


def _edited(value: Any, rng: random.Random) -> Iterator[Any]:
    yield from (edited(value, rng) for _ in range(_EDITS if value else 0))


def edited(value: Any, rng: random.Random) -> Any:
    """A text with one character changed: to another of its kind, left out, twice, or moved by one.

    Args:
        value: A text or bytes that are not empty.
        rng: Picks.
    """
    at = rng.choice(_starts(value)) if rng.random() < 0.5 else rng.randrange(len(value))
    before, here, after = value[:at], value[at : at + 1], value[at + 1 :]
    return before + rng.choice(
        (
            _other_of_its_kind(here) + after,
            after,
            here + here + after,
            after[:1] + here + after[1:],
        )
    )


def _starts(value: Any) -> list[int]:
    """Where a number, a word or what parts them begins: signs, leading zeros, first letters."""
    kinds = [(each.isdigit(), each.isalpha()) for each in _each(value)]
    return [at for at, kind in enumerate(kinds) if at == 0 or kind != kinds[at - 1]]


def _each(value: Any) -> list[Any]:
    return [value[at : at + 1] for at in range(len(value))]


def _other_of_its_kind(character: Any) -> Any:
    """The next digit, the next letter, another white space; of anything else, the same twice."""
    code = character[0] if not isinstance(character, str) else ord(character)
    for first, last in ((48, 57), (65, 90), (97, 122)):
        if first <= code <= last:
            code = first if code == last else code + 1
            return chr(code) if isinstance(character, str) else type(character)((code,))
    if character.isspace():
        other = 9 if code == 32 else 32
        return chr(other) if isinstance(character, str) else type(character)((other,))
    return character + character


def _of_bytes(value: Any) -> Iterator[Any]:
    yield from (value + b"\x00", b"\xff" + value, value.upper(), value.swapcase())
    yield from (value + b"\n", b" " + value + b" ", bytes(value).replace(b" ", b"\t"))


def _cased(value: str) -> Iterator[str]:
    half = len(value) // 2
    cased = (value.upper(), value.swapcase(), value.title())
    spaced = (f" {value}", f"{value} ", f"  {value}\t", f"{value}\n", value.replace(" ", "  "))
    for pair in zip(spaced, cased, strict=False):
        yield from (made for made in pair if made != value)
    yield from (value[:half] + word + value[half:] for word in _WORDS)
    yield from (made for made in spaced[len(cased) :] if made != value)
    yield from _WORDS


def lengths(value: Any, constants: Sequence[object]) -> Iterator[Any]:
    """The value cut or repeated to the function's own numbers and their neighbours."""
    for constant in constants:
        if type(constant) is int and value:
            for length in (constant, constant + 1, constant - 1):
                if 0 < length <= LONGEST and length != len(value):
                    times = -(-length // len(value))
                    yield (value * times)[:length]


def inexact(value: float, rng: random.Random) -> float:
    """A number near to a given one with a full mantissa, or with two decimal digits."""
    if not math.isfinite(value) or value == 0:
        value = rng.choice((1.0, 10.0))
    made = value * (0.5 + rng.random())
    rounded = round(made, 2)
    return rounded if rounded and rng.random() < 0.5 else made
