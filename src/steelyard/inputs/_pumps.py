"""Pump small inputs up: repeat parts of lists and texts until they are as long as they may be.

Slow programs often need one operation, number or bracket again and again. A part that may come twice
may mostly come thousands of times; so may two parts of a text together, such as brackets that match.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from steelyard.families import Dice, literal
from steelyard.inputs._ground import Ground
from steelyard.inputs._made import Made, made

_LEAST_LONGEST = 200
"""What cannot become longer than this is not pumped."""
_MOST_ITEMS = 200_000
_TRIES = 8
_LONGEST_PART = 6
_WHOLE, _PAIRS, _SHORTEST, _OTHERS = 0.25, 0.4, 0.4, 0.5
"""Shares: of parts that are the whole, of two parts together, of parts of one item, and of further
arguments that are pumped too."""
_SHRINKS = (1, 3, 50)
"""Where the longest is not valid, these parts of it are tried."""

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
        pumps += _pump(args, at, grounds[at].longest, dice, is_valid)
    for shrink in _SHRINKS if pumps else ():
        new = parts
        for pump in pumps:
            new = pump.on(new, max(2, pump.times // shrink))
        if is_valid([part.value for part in new]):
            return new
    return None


def _pump(
    args: Sequence[Any], at: int, longest: int, dice: Dice, is_valid: Callable[[Any], bool]
) -> list[_Pump]:
    """Return what repeats parts of an argument; empty if no part may come twice."""
    room = min(longest, _MOST_ITEMS) - len(args[at])
    for _ in range(_TRIES):
        spans = tuple(_spans(len(args[at]), dice))
        times = 1 + room // sum(end - start for start, end in spans)
        for together in _together(args, at):
            pump = _Pump(together, spans, times)
            twice = pump.on([*map(made, args)], 2)
            if times > 1 and is_valid([part.value for part in twice]):
                return [pump]
    return []


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
    if numbers:
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
