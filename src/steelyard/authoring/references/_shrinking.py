"""Make an input smaller while it stays valid and still shows the same fault."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from steelyard.authoring.calls import Args
from steelyard.constraints import Validator
from steelyard.values import PlainType, canonical_json

_MOST_CANDIDATES = 20_000
_MOST_TRIED = 1_000
_MOST_CHARS = 20_000_000
"""Work in all: candidates, those that are valid and tried, and the characters of their JSON."""
_BATCH, _BATCH_CHARS = 32, 1 << 18


def shrink(
    args: Args, shows_fault: Callable[[Sequence[Args]], Sequence[bool]], validator: Validator
) -> Args:
    """Return a smaller input that shows the fault; the input itself if there is none.

    Args:
        args: An input that shows it.
        shows_fault: Returns for each of several inputs if it shows the fault.
        validator: Only inputs that it accepts are tried.
    """
    search, best = _ShrinkSearch(validator), tuple(args)
    while batch := search.batch(best):
        shown = [each for each, shows in zip(batch, shows_fault(batch), strict=True) if shows]
        if shown:
            best = min(shown, key=_size)
            search.restart()
    return best


class _ShrinkSearch:
    """Candidates for one best input after the other, and what is left of the bounds."""

    def __init__(self, validator: Validator) -> None:
        self._validator = validator
        self._types = tuple(validator.types.values())
        self._seen: set[int] = set()
        self._candidates, self._tried, self._chars = _MOST_CANDIDATES, _MOST_TRIED, _MOST_CHARS
        self._left: Iterator[Args] | None = None

    def restart(self) -> None:
        """Begin with the largest steps again."""
        self._left = None

    def batch(self, best: Args) -> list[Args]:
        """Return the next smaller valid inputs; empty at the end of the search."""
        if self._left is None:
            self._left = smaller_arguments(self._types, best)
        size, enough = _size(best), self._chars - _BATCH_CHARS
        found: list[Args] = []
        while len(found) < min(_BATCH, self._tried) and self._chars > (enough if found else 0):
            each = next(islice(self._left, 1), None)
            if each is None or not self._candidates:
                break
            self._candidates -= 1
            own = _size(each)
            self._chars -= own[0]
            if own >= size or hash(own) in self._seen:
                continue
            self._seen.add(hash(own))
            if self._validator.is_valid(each):
                found.append(each)
        self._tried -= len(found)
        return found


def _size(args: Args) -> tuple[int, str]:
    """Return the order of inputs: the shorter as JSON, then the one with smaller items."""
    text = canonical_json(list(args)).replace("false", "0").replace("true", "1")
    return len(text), text


_MOST_EACH = 64
"""Items of a longer list or text are not made smaller one by one."""
_STEPS = 16
Arguments = tuple[Any, ...]


def smaller_arguments(types: Sequence[PlainType], args: Arguments) -> Iterator[Arguments]:
    """Yield simpler arguments; some of them may be invalid.

    Parts that depend on each other change together: a cut is made in all sequences of one length
    and in the numbers that state this length, and a number that falls takes along the items that
    name larger ones, as the edges of a graph name its vertices.
    """
    bases = [kind.base for kind in types]
    yield from _cut_together(bases, args)
    yield from _replaced_everywhere(args)
    for index, kind in enumerate(types):
        for value in _smaller(kind, args[index]):
            yield _with(args, {index: value})
            if bases[index].kind == "int" and isinstance(value, int):
                yield from _without_larger(bases, args, index, value)


def _cut_together(types: Sequence[PlainType], args: Arguments) -> Iterator[Arguments]:
    """Yield arguments with the same cut in every sequence of one length."""
    lengths: dict[int, list[int]] = {}
    for index, kind in enumerate(types):
        if kind.kind in ("list", "str") and args[index]:
            lengths.setdefault(len(args[index]), []).append(index)
    for length, indices in lengths.items():
        counts = [i for i, kind in enumerate(types) if kind.kind == "int" and args[i] == length]
        together = [indices, *([each] for each in indices)] if len(indices) > 1 else [indices]
        if not counts and len(indices) == 1:
            continue  # the same as a cut in one value
        for start, end in _cuts(length):
            fewer = dict.fromkeys(counts, length - (end - start))
            for some in together if counts else [indices]:
                cut = {index: args[index][:start] + args[index][end:] for index in some}
                yield _with(args, cut | fewer)


def _replaced_everywhere(args: Arguments) -> Iterator[Arguments]:
    """Yield arguments with each number that occurs more than once made smaller everywhere."""
    for number, count in islice(Counter(_integers(args)).items(), _MOST_EACH):
        if count > 1:
            for value in _smaller_integers(number):
                yield tuple(_replaced(each, number, value) for each in args)


def _integers(value: Any) -> Iterator[int]:
    if type(value) is int:
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _integers(each)


def _replaced(value: Any, number: int, by: int) -> Any:
    if isinstance(value, list | tuple):
        return [_replaced(each, number, by) for each in value]
    return by if type(value) is int and value == number else value


def _without_larger(
    types: Sequence[PlainType], args: Arguments, index: int, limit: int
) -> Iterator[Arguments]:
    """Yield arguments with a number at this limit, and no items that name larger numbers."""
    for least in (limit, limit + 1):  # counted from 0, and from 1
        changed: dict[int, Any] = {
            at: [item for item in args[at] if not _names(item, least)]
            for at, kind in enumerate(types)
            if kind.kind == "list" and isinstance(args[at], list | tuple)
        }
        if changed:
            yield _with(args, changed | {index: limit})


def _names(item: Any, least: int) -> bool:
    """Return True if a number, or a number in a short list, is as large as this."""
    if isinstance(item, int):
        return item >= least
    return isinstance(item, list | tuple) and any(
        isinstance(each, int) and each >= least for each in item[:_MOST_EACH]
    )


def _smaller(kind: PlainType, value: Any) -> Iterator[Any]:
    if value is None:
        return
    if kind.kind == "optional":
        yield None
    kind = kind.base
    match kind.kind:
        case "int":
            yield from _smaller_integers(value)
        case "float":
            yield from _smaller_floats(value)
        case "bool":
            if value:
                yield False
        case "str":
            yield from (value[:start] + value[end:] for start, end in _cuts(len(value)))
            yield from _plainer_texts(value)
        case "list" | "set":
            yield from (value[:start] + value[end:] for start, end in _cuts(len(value)))
            if len(value) <= _MOST_EACH:
                yield from _each_smaller([kind.items[0]] * len(value), value)
        case "tuple":
            yield from _each_smaller(kind.items, value)
        case "dict":
            yield from ({k: v for k, v in value.items() if k != key} for key in value)
            if len(value) <= _MOST_EACH:
                for key, item in value.items():
                    yield from (value | {key: each} for each in _smaller(kind.items[0], item))


def _cuts(length: int) -> Iterator[tuple[int, int]]:
    """Yield what to cut out: everything, then halves, quarters, down to single items."""
    size = length
    while size:
        yield from ((start, min(length, start + size)) for start in range(0, length, size))
        size //= 2


def _smaller_integers(value: int) -> Iterator[int]:
    """Yield 0, then numbers of growing size, then some that are nearer and nearer to the value."""
    if not value:
        return
    yield 0
    if value < 0:
        yield -value
    most, sign = abs(value), 1 if value > 0 else -1
    bits = most.bit_length()
    sizes = sorted({1 << (bits - 1) * step // _STEPS for step in range(_STEPS)})
    yield from (sign * size for size in sizes if size < most)
    yield from (value - sign * (most >> step) for step in range(1, _STEPS) if most >> step)
    yield value - sign


def _smaller_floats(value: float) -> Iterator[float]:
    whole = int(value)
    if isinstance(value, int):  # as JSON may hold a float
        yield from _smaller_integers(value)
    elif whole == value:
        yield from map(float, _smaller_integers(whole))
    else:
        yield from (float(whole), round(value, 1), round(value, 3))


def _plainer_texts(text: str) -> Iterator[str]:
    yield from (letter * len(text) for letter in ("a", text[:1]))
    if len(text) <= _MOST_EACH:
        least = min(text, default="")
        for letter in ("a", least):
            yield from (text[:i] + letter + text[i + 1 :] for i in range(len(text)))


def _each_smaller(types: Sequence[PlainType], values: Sequence[Any]) -> Iterator[list[Any]]:
    for index, kind in enumerate(types):
        for each in _smaller(kind, values[index]):
            yield [*values[:index], each, *values[index + 1 :]]


def _with(args: Arguments, changed: dict[int, Any]) -> Arguments:
    return tuple(changed.get(index, value) for index, value in enumerate(args))
