"""Pump small inputs up: repeat parts of lists and texts until they are as long as they may be.

Slow programs often need one operation, number or bracket again and again. A part that may come
twice may mostly come thousands of times; so may two parts of a text together, such as brackets that
match.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from steelyard.families import Dice
from steelyard.inputs._ground import Ground
from steelyard.inputs._layouts import MOST_CHARS, SHORT, advancing, are_whole, columns_of, joined
from steelyard.inputs._made import Made, made
from steelyard.values import canonical_json

_LEAST_LONGEST = 200
"""What cannot become longer than this is not pumped."""
MOST_ITEMS, _MOST_TOGETHER = 200_000, 30_000_000
"""Items of a list or text; characters of JSON that all inputs gain together."""
_TRIES = 8
"""Parts of an argument that are tried, until one may come twice."""
_WHOLE, _PAIRS, _SHORTEST, _OTHERS = 0.25, 0.4, 0.4, 0.5
"""Shares: of parts that are the whole, of two parts together, of parts of one item, and of further
arguments that are pumped too."""
_ADVANCING, _LEAST_ADVANCING = 0.3, 30
"""The share of parts of whole numbers, or of rows with some, in which these grow each time, and how
often they must be able to."""
_HALVINGS = 8
"""Lengths that are tried where the longest is not valid."""

Span = tuple[int, int]


@dataclass(frozen=True)
class _Pump:
    """Arguments that grow together, and the parts of them that are repeated."""

    together: tuple[int, ...]
    spans: tuple[Span, ...]
    steps: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """What whole numbers of some arguments gain each time, in each column of rows."""
    times: int = 2

    @property
    def items(self) -> int:
        """The items that one repeat adds."""
        return sum(end - start for start, end in self.spans)

    def on(self, parts: Sequence[Made]) -> list[Made]:
        """Return arguments with the parts so many times."""
        new = list(parts)
        for at in self.together:
            value = new[at].value
            if type(value) is int:
                new[at] = made(value + (self.times - 1) * self.items)
            else:
                new[at] = self._repeated(value, self.steps.get(at, ()))
        return new

    def chars(self, args: Sequence[Any]) -> int:
        """Return the characters of JSON that one repeat adds at most."""
        sequences = (args[at] for at in self.together if type(args[at]) is not int)
        return sum(
            len(canonical_json(each[start:end])) for each in sequences for start, end in self.spans
        )

    def _repeated(self, value: Any, steps: Sequence[int]) -> Made:
        pieces: list[tuple[Any, int]] = []
        at = 0
        for start, end in self.spans:
            pieces += [(value[at:start], 1), self._times(value[start:end], steps)]
            at = end
        return joined([*pieces, (value[at:], 1)])

    def _times(self, part: Any, steps: Sequence[int]) -> tuple[Any, int]:
        """Return a part so many times, as `joined` takes it."""
        if not any(steps):
            return part, self.times
        if type(part[0]) is int:
            return [part[0] + steps[0] * turn for turn in range(self.times)], 1
        ends = [
            [min(column) + min(0, step) * self.times, max(column) + max(0, step) * self.times]
            if step
            else [0, 0]
            for step, column in zip(steps, columns_of(part), strict=True)
        ]
        return advancing(part, self.times * len(part), steps, ends), 1


def can_grow(ground: Ground) -> bool:
    """Return whether a list or text may become so long that parts of it are repeated."""
    return ground.is_sequence and ground.longest > _LEAST_LONGEST


@dataclass
class Pumps:
    """Pumps inputs up, until all of them together have very many characters.

    Args:
        grounds: What each argument may be.
        dice: Chooses the parts that are repeated.
        is_valid: Checks arguments.
        most_items: Limit on the items of a list or text.
    """

    grounds: Sequence[Ground]
    dice: Dice
    is_valid: Callable[[Any], bool]
    most_items: int = MOST_ITEMS
    _left: int = _MOST_TOGETHER

    @property
    def can_go_on(self) -> bool:
        """Something can grow, and characters are left for one more input."""
        return self._left >= MOST_CHARS and any(map(can_grow, self.grounds))

    def pumped(self, args: Sequence[Any]) -> list[Made] | None:
        """Return valid arguments as large as repeats of their parts can be; None if none is.

        Args:
            args: Valid arguments, best small ones.
        """
        growing = [at for at, ground in enumerate(self.grounds) if can_grow(ground) and args[at]]
        pumps: list[_Pump] = []
        room = MOST_CHARS
        for at in sorted(self.dice.shuffled(growing), key=lambda at: -self.grounds[at].longest):
            if any(at in pump.together for pump in pumps):
                continue
            if not pumps or self.dice.chance(_OTHERS):
                found = self._pump(args, at, room)
                pumps += found
                room -= sum(pump.times * pump.chars(args) for pump in found)
        best = self._longest(args, pumps) if pumps else None
        if len(pumps) > 1 and best is None:
            best = self._longest(args, pumps[:1])
        if best:
            self._left -= MOST_CHARS - room
        return best

    def _pump(self, args: Sequence[Any], at: int, room: int) -> list[_Pump]:
        """Return what repeats parts of an argument; empty if no part may come twice."""
        length, parts = len(args[at]), [*map(made, args)]
        for _ in range(_TRIES):
            spans = tuple(_spans(length, self.dice))
            for together in self._together(args, at):
                pump = _Pump(together, spans)
                most = min(self.most_items, *(_most(self.grounds[each]) for each in together))
                times = 1 + min((most - length) // pump.items, room // pump.chars(args))
                steps = {each: _steps(args[each], spans, self.dice) for each in together}
                some = replace(pump, steps=steps, times=min(times, _LEAST_ADVANCING))
                for tried in (some, pump) if any(map(any, steps.values())) else (pump,):
                    if times > 1 and self.is_valid([part.value for part in tried.on(parts)]):
                        return [replace(tried, times=times)]
        return []

    def _longest(self, args: Sequence[Any], pumps: Sequence[_Pump]) -> list[Made] | None:
        """Return pumped arguments; if the longest are not valid, the length is searched for.

        Several arguments grow to their largest lengths together, or not.
        """
        best, low, power, high = None, 0.0, 1.0, 1.0
        for _ in range(_HALVINGS if len(pumps) == 1 else 1):
            new = [*map(made, args)]
            for pump in pumps:
                new = replace(pump, times=max(2, round(pump.times**power))).on(new)
            if self.is_valid([part.value for part in new]):
                best, low = new, power
            else:
                high = power
            if low == high:
                break
            power = (low + high) / 2
        return best

    def _together(self, args: Sequence[Any], at: int) -> Iterator[tuple[int, ...]]:
        """Yield what may have to grow as one: an argument, those of its length, numbers too."""
        length = len(args[at])
        alike = tuple(
            other
            for other, ground in enumerate(self.grounds)
            if can_grow(ground) and args[other] and len(args[other]) == length
        )
        numbers = [i for i, each in enumerate(args) if type(each) is int and each == length]
        groups = [(at,), alike] if len(alike) > 1 else [(at,)]
        yield from groups
        for group in groups:
            yield from ((*group, number) for number in numbers)
        if len(numbers) > 1:
            yield (*groups[-1], *numbers)


def _steps(value: Any, spans: Sequence[Span], dice: Dice) -> list[int]:
    """Return what numbers of a part gain each time it comes, if there are any."""
    if len(spans) > 1 or not isinstance(value, list) or not dice.chance(_ADVANCING):
        return []
    ((start, end),) = spans
    part = value[start:end]
    if len(part) == 1 and type(part[0]) is int:
        return [dice.pick((1, 1, -1))]
    return [dice.pick((0, 1, 1, -1)) if are_whole(column) else 0 for column in columns_of(part)]


def _most(ground: Ground) -> int:
    return ground.longest if ground.is_sequence else int(ground.high)


def _spans(n: int, dice: Dice) -> Iterator[Span]:
    """Yield one or two parts of n items, one after the other."""
    if dice.chance(_WHOLE):
        yield 0, n
        return
    longest = 1 if dice.chance(_SHORTEST) else SHORT
    start = dice.below(n)
    end = min(n, start + 1 + dice.below(longest))
    yield start, end
    if end < n and dice.chance(_PAIRS):
        start = dice.between(end, n - 1)
        yield start, min(n, start + 1 + dice.below(longest))
