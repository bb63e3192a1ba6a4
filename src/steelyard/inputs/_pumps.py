"""Pump small inputs up: repeat parts of lists and texts until they are as long as they may be.

Slow programs often need one operation, number or bracket again and again. A part that may come
twice may mostly come thousands of times; so may two parts of a text together, such as brackets that
match.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from steelyard.families import Dice, literal
from steelyard.inputs._ground import Ground
from steelyard.inputs._made import Made, made
from steelyard.inputs._meter import visits

_LEAST_LONGEST = 200
"""What cannot become longer than this is not pumped."""
_MOST_ITEMS, _MOST_VISITS = 200_000, 1_000_000
"""Items of a list or text, and items and characters of all that is repeated."""
_TRIES = 8
_LONGEST_PART = 6
_WHOLE, _PAIRS, _SHORTEST, _OTHERS = 0.25, 0.4, 0.4, 0.5
"""Shares: of parts that are the whole, of two parts together, of parts of one item, and of further
arguments that are pumped too."""
_HALVINGS = 8
"""Lengths that are tried where the longest is not valid."""

Span = tuple[int, int]


@dataclass(frozen=True)
class _Pump:
    """Arguments that grow together, and the parts of them that are repeated."""

    together: tuple[int, ...]
    spans: tuple[Span, ...]
    times: int

    def on(self, parts: Sequence[Made], times: int) -> list[Made]:
        """Return arguments with the parts so many times."""
        new = list(parts)
        added = (times - 1) * sum(end - start for start, end in self.spans)
        for at in self.together:
            value = new[at].value
            new[at] = made(value + added) if type(value) is int else self._repeated(value, times)
        return new

    def _repeated(self, value: Any, times: int) -> Made:
        pieces: list[tuple[Any, int]] = []
        at = 0
        for start, end in self.spans:
            pieces += [(value[at:start], 1), (value[start:end], times)]
            at = end
        pieces = [(piece, count) for piece, count in (*pieces, (value[at:], 1)) if piece]
        whole = value[:0]
        for piece, count in pieces:
            whole += piece * count
        return Made(whole, partial(_written, pieces))


def can_grow(ground: Ground) -> bool:
    """Return whether a list or text may become so long that parts of it are repeated."""
    return ground.is_sequence and ground.longest > _LEAST_LONGEST


def pumped(
    args: Sequence[Any], grounds: Sequence[Ground], dice: Dice, is_valid: Callable[[Any], bool]
) -> list[Made] | None:
    """Return valid arguments that are as large as parts of them can be repeated; None if none is.

    Args:
        args: Valid arguments, best small ones.
        grounds: What each may be.
        dice: Chooses the parts.
        is_valid: Tells whether constraints hold.
    """
    growing = [
        at
        for at, (value, ground) in enumerate(zip(args, grounds, strict=True))
        if can_grow(ground) and value and ground.longest > len(value)
    ]
    parts = [*map(made, args)]
    pumps: list[_Pump] = []
    for at in sorted(dice.shuffled(growing), key=lambda at: -grounds[at].longest):
        if any(at in pump.together for pump in pumps) or (pumps and not dice.chance(_OTHERS)):
            continue
        pumps += _pump(args, grounds, at, dice, is_valid)
    return _longest(parts, pumps, is_valid) if pumps else None


def _longest(
    parts: Sequence[Made], pumps: Sequence[_Pump], is_valid: Callable[[Any], bool]
) -> list[Made] | None:
    """Return pumped arguments, shorter ones if the longest are not valid."""
    best, low, share, high = None, 0.0, 1.0, 1.0
    for _ in range(_HALVINGS):
        new = [*parts]
        for pump in pumps:
            new = pump.on(new, max(2, round(pump.times * share)))
        if is_valid([part.value for part in new]):
            best, low = new, share
            if share == 1:
                break
        else:
            high = share
        share = (low + high) / 2
    return best


def _pump(
    args: Sequence[Any],
    grounds: Sequence[Ground],
    at: int,
    dice: Dice,
    is_valid: Callable[[Any], bool],
) -> list[_Pump]:
    """Return what repeats parts of an argument; empty if no part may come twice."""
    parts, length = [*map(made, args)], len(args[at])
    for _ in range(_TRIES):
        spans = tuple(_spans(length, dice))
        for together in _together(args, at):
            most = min(_MOST_ITEMS, *(_most(grounds[each]) for each in together))
            pump = _Pump(together, spans, 2)
            twice = [part.value for part in pump.on(parts, 2)]
            added = visits(twice) - visits(args)
            times = 1 + min(
                (most - length) // sum(end - start for start, end in spans),
                _MOST_VISITS // max(1, added),
            )
            if times > 1 and is_valid(twice):
                return [replace(pump, times=times)]
    return []


def _most(ground: Ground) -> int:
    return ground.longest if ground.is_sequence else int(ground.high)


def _together(args: Sequence[Any], at: int) -> Iterator[tuple[int, ...]]:
    """Yield what may have to grow as one: an argument, those of its length, a number too."""
    length = len(args[at])
    yield (at,)
    alike = tuple(
        i for i, each in enumerate(args) if isinstance(each, list | str) and len(each) == length
    )
    numbers = tuple(i for i, each in enumerate(args) if type(each) is int and each == length)
    if len(alike) > 1:
        yield alike
    for number in numbers:
        yield (*alike, number)
    if len(numbers) > 1:
        yield (*alike, *numbers)


def _spans(n: int, dice: Dice) -> Iterator[Span]:
    """Yield one or two parts of n items, one after the other."""
    if dice.chance(_WHOLE):
        yield 0, n
        return
    longest = 1 if dice.chance(_SHORTEST) else _LONGEST_PART
    start = dice.below(n)
    end = min(n, start + 1 + dice.below(longest))
    yield start, end
    if end < n and dice.chance(_PAIRS):
        start = dice.between(end, n - 1)
        yield start, min(n, start + 1 + dice.below(longest))


def _written(pieces: Sequence[tuple[Any, int]]) -> str:
    """Return an expression of repeated pieces."""
    return " + ".join(
        literal(piece) + (f" * {count}" if count > 1 else "") for piece, count in pieces
    )
