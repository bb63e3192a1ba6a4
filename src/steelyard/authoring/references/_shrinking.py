"""Make an input smaller while it stays valid and still shows the same fault."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pydantic import JsonValue

from steelyard.authoring.constraints import Validator
from steelyard.authoring.plain import canonical_json

__all__ = ["shrink"]

Args = tuple[JsonValue, ...]

_ROUNDS = 30
_BATCH = 64
_POSITIONS = 12
_DEEPEST = 3


def shrink(
    args: Args, shows_fault: Callable[[Sequence[Args]], Sequence[bool]], validator: Validator
) -> Args:
    """Return a smaller input that shows the fault; the input itself if there is none.

    Args:
        args: An input that shows it.
        shows_fault: Returns for each of several inputs if it shows the fault.
        validator: Only inputs that it accepts are tried.
    """
    for _ in range(_ROUNDS):
        smaller = _next(args, shows_fault, validator)
        if smaller is None:
            break
        args = smaller
    return args


def _next(
    args: Args, shows_fault: Callable[[Sequence[Args]], Sequence[bool]], validator: Validator
) -> Args | None:
    size = _weight(args)
    seen: set[str] = set()
    tried: list[Args] = []
    for candidate in _smaller(args):
        text = canonical_json(list(candidate))
        if text in seen or _weight(candidate) >= size:
            continue
        seen.add(text)
        if validator.is_valid(candidate):
            tried.append(candidate)
        if len(tried) >= _BATCH:
            break
    tried.sort(key=_weight)
    shown = zip(tried, shows_fault(tried) if tried else (), strict=True)
    return next((candidate for candidate, shows in shown if shows), None)


def _weight(value: Any) -> float:
    """Return how large a value is for a reader: items, then magnitudes."""
    if isinstance(value, str):
        return len(value) + 0.001 * sum(ord(char) != ord("a") for char in value)
    if isinstance(value, list | tuple):
        return 1 + sum(map(_weight, value))
    if isinstance(value, dict):
        return 1 + sum(1 + _weight(each) for each in value.values())
    if isinstance(value, bool) or value is None:
        return 0.1 if value else 0.0
    if isinstance(value, int):
        return 0.01 * value.bit_length() + 1e-5 * min(abs(value), 99) + 1e-6 * (value < 0)
    return 0.5 + 0.01 * len(repr(value))


def _smaller(args: Args) -> Iterator[Args]:
    """Yield inputs with one thing less: first halves of lists, then items, then single values."""
    lengths = sorted({len(each) for each in args if isinstance(each, list | str)}, reverse=True)
    for length in lengths:
        for start, end in _cuts(length):
            yield tuple(_cut(each, length, start, end) for each in args)
    for index, value in enumerate(args):
        for other in _values(value, 0):
            yield (*args[:index], other, *args[index + 1 :])


def _cuts(length: int) -> Iterator[tuple[int, int]]:
    """Yield ranges to leave out, longest first."""
    part = length
    while part > 1:
        part = (part + 1) // 2
        starts = range(0, length, part)[:_POSITIONS]
        yield from ((start, min(start + part, length)) for start in starts)
    if length == 1:
        yield 0, 1


def _cut(value: JsonValue, length: int, start: int, end: int) -> JsonValue:
    """Return the value without a range, if it has this length, or is the length itself."""
    if isinstance(value, list | str) and len(value) == length:
        return value[:start] + value[end:]  # type: ignore[operator]
    if type(value) is int and value == length:
        return length - (end - start)
    return value


def _values(value: Any, depth: int) -> Iterator[Any]:
    """Yield simpler values of the same kind."""
    if depth > _DEEPEST:
        return
    if isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int):
        toward_zero = value - (value > 0) + (value < 0)
        yield from (0, 1, -1, value // 2, -(-value // 2), toward_zero, -value)
    elif isinstance(value, float):
        yield from (0.0, 1.0, float(int(value)) if abs(value) < 1e15 else 0.0)
    elif isinstance(value, str):
        yield from (value[:start] + value[end:] for start, end in _cuts(len(value)))
        yield from (value[:at] + "a" + value[at + 1 :] for at in range(min(len(value), _POSITIONS)))
    elif isinstance(value, list):
        yield from (value[:start] + value[end:] for start, end in _cuts(len(value)))
        for at, item in enumerate(value[:_POSITIONS]):
            rest = value[at + 1 :]
            yield from ([*value[:at], other, *rest] for other in _values(item, depth + 1))
    elif isinstance(value, dict):
        for key in list(value)[:_POSITIONS]:
            yield {name: each for name, each in value.items() if name != key}
            yield from ({**value, key: other} for other in _values(value[key], depth + 1))
