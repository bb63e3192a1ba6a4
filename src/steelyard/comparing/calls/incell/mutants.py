"""Calls near to a recorded one: its arguments with one part, or a few, changed.

All of it follows from the call and the seed: each process that has them gets the same calls.
"""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from steelyard.comparing.calls.incell.parts import (
    Call,
    Distinct,
    Path,
    alternated,
    build_of,
    copied,
    places,
    put,
    rebuilt,
)
from steelyard.comparing.calls.incell.tied import odd, redrawn, tied, transplanted
from steelyard.comparing.calls.incell.variants import variants

_MOST_PLACES = 300
_ENDS = 4
"""Of a long container the first and the last so many parts are changed."""
_STACKED_AFTER = 3
"""Each so many calls with one change are followed by one with several."""
_MOST_STACKED = 3
_STACKED_AMONG = 10
"""Of the changes of a place so many are thought of: each that is passed over costs time too."""
_MOST_MISSES = 60
_LONGEST = 4_000


@dataclass(frozen=True)
class _How:
    """What is known of the function, and what picks."""

    constants: Sequence[object]
    characters: Sequence[str]
    rng: random.Random

    def variants(self, value: object) -> Iterator[Any]:
        """Values like a given one."""
        return variants(
            value,
            constants=self.constants,
            characters=self.characters,
            rng=self.rng,
        )


def mutants(
    call: Call,
    *,
    count: int,
    seed: int,
    constants: Sequence[object] = (),
    characters: Sequence[str] = (),
) -> list[Call]:
    """Calls that differ from a recorded one in one part of its arguments, or in up to three.

    Each level of the arguments gets its share: the arguments themselves, their parts, the parts
    of those. Types are kept. Objects are changed through their class's own checks (dataclasses,
    attrs, pydantic), and never in their private fields.

    Args:
        call: The recorded call.
        count: At most so many calls.
        seed: Decides what is picked and shuffled.
        constants: Literals of the function's source. They and their neighbours are used as
            values where their type fits, whole numbers as lengths too.
        characters: Odd ones that matter to the function.

    Returns:
        Calls that differ from the given one and from each other, none of them sharing an object
        with it or with each other. None where the call can be copied in no way.
    """
    rng = random.Random(seed)  # noqa: S311 - nothing is kept secret with it
    start = copied(call)
    if start is None:
        return []
    how = _How(constants, characters, rng)
    return _taken(_changed(start, how), Distinct([call]), count)


def crossed(calls: Sequence[Call], *, count: int, seed: int) -> list[Call]:
    """Calls that take each argument from one of several recorded calls.

    Also calls that join two containers recorded for the same argument, and calls that pass one
    object for two arguments of the same type.

    Args:
        calls: Recorded calls of one function.
        count: At most so many calls.
        seed: Decides what is mixed.

    Returns:
        Calls that differ from those given and from each other.
    """
    rng = random.Random(seed)  # noqa: S311 - nothing is kept secret with it
    sources = [_exchanged(calls), _joined(calls), _aliased(calls), _mixed(calls, count, rng)]
    return _taken(alternated(sources), Distinct(list(calls)), count)


def _taken(made: Iterator[Call], distinct: Distinct, count: int) -> list[Call]:
    """The first so many different calls; fewer where hardly any more of those made differ."""
    found: list[Call] = []
    misses = 0
    while len(found) < count and misses < _MOST_MISSES:
        call = next(made, None)
        if call is None:
            break
        taken = distinct.take(call)
        misses = misses + 1 if taken is None else 0
        if taken is not None:
            found.append(taken)
    return found


def _changed(start: Call, how: _How) -> Iterator[Call]:
    rng = how.rng
    levels: dict[int, list[Iterator[Call]]] = {}
    everywhere = _places(start)
    found = [place for place in everywhere if not _names_a_field(*place)]
    for i, (path, value) in enumerate(found):
        # Neighbours begin with different changes, or the first change alone would fill the count.
        first = 0 if len(path) == 1 else i
        levels.setdefault(len(path), []).append(_at_place(start, path, value, first, how))
    top, *deeper = [alternated(level) for level in levels.values()] or [iter(())]
    # Twice as often as the rest: there is most to change in what the arguments hold.
    sources = [top, *deeper, _without(start), tied(start, everywhere, rng)]
    sources += [transplanted(start, everywhere, rng), *deeper]
    sources += [redrawn(start, everywhere, rng), odd(start, everywhere)]
    single = alternated(sources)
    while True:
        some = list(itertools.islice(single, _STACKED_AFTER))
        yield from some
        if (stacked := _stacked(start, how)) is not None:
            yield stacked
        elif not some:
            return


def _places(call: Call) -> list[tuple[Path, object]]:
    return places(call, most=_MOST_PLACES, ends=_ENDS)


def _names_a_field(path: Path, value: object) -> bool:
    """Whether a value is a key of a record: with another one the record is only incomplete."""
    inside = len(path) > 2 and path[-1][0] == "key"
    return inside and isinstance(value, str) and value.isidentifier()


def _at_place(start: Call, path: Path, value: object, first: int, how: _How) -> Iterator[Call]:
    made = how.variants(value)
    if first:
        listed = list(made)
        turn = first % max(1, len(listed))
        made = iter(listed[turn:] + listed[:turn])
    for variant in made:
        if (changed := _put(start, path, variant)) is not None:
            yield changed


def _put(call: Call, path: Path, value: object) -> Call | None:
    try:
        return put(call, path, value)
    except Exception:  # an object's own checks refuse the value
        return None


def _without(start: Call) -> Iterator[Call]:
    """The call without one of its keyword arguments."""
    args, kwargs = start
    for name in kwargs:
        yield args, {other: value for other, value in kwargs.items() if other != name}


def _stacked(start: Call, how: _How) -> Call | None:
    call, rng = start, how.rng
    for _ in range(rng.randint(2, _MOST_STACKED)):
        found = [place for place in _places(call) if not _names_a_field(*place)]
        if not found:
            return None
        depth = rng.choice(sorted({len(path) for path, _ in found}))
        path, value = rng.choice([place for place in found if len(place[0]) == depth])
        made = how.variants(value)
        options = deque(itertools.islice(made, rng.randint(1, _STACKED_AMONG)), maxlen=1)
        if options and (changed := _put(call, path, options[0])) is not None:
            call = changed
    return call


def _exchanged(calls: Sequence[Call]) -> Iterator[Call]:
    """Each call with one argument of another one."""
    for base, other in itertools.permutations(calls, 2):
        for path, value in _shared(base, other):
            yield put(base, path, value)


def _shared(base: Call, other: Call) -> list[tuple[Path, Any]]:
    """The places of the arguments that both calls have, with the other one's values."""
    inner: list[tuple[Path, Any]] = [
        ((("arg", i),), value) for i, value in enumerate(other[0][: len(base[0])])
    ]
    return inner + [
        ((("kwarg", name),), value) for name, value in other[1].items() if name in base[1]
    ]


def _joined(calls: Sequence[Call]) -> Iterator[Call]:
    """Each call with one container that holds another call's items after its own."""
    for base, other in itertools.permutations(calls, 2):
        for path, value in _shared(base, other):
            (kind, where), *_ = path
            own: Any = base[0][where] if kind == "arg" else base[1][where]
            if type(own) is not type(value) or not isinstance(
                value, (list, dict, set, frozenset, deque, str, bytes)
            ):
                continue
            if len(own) + len(value) > _LONGEST:
                continue
            if isinstance(value, (str, bytes)):
                yield put(base, path, own + value)
            elif isinstance(value, dict):
                yield put(base, path, rebuilt(own, [*own.items(), *value.items()]))
            else:
                yield put(base, path, rebuilt(own, [*own, *value]))


def _aliased(calls: Sequence[Call]) -> Iterator[Call]:
    """Each call with one and the same object for two of its arguments."""
    for args, kwargs in calls:
        for i, j in itertools.permutations(range(len(args)), 2):
            if build_of(args[i]) == build_of(args[j]) and args[i] is not args[j]:
                yield (*args[:j], args[i], *args[j + 1 :]), kwargs


def _mixed(calls: Sequence[Call], count: int, rng: random.Random) -> Iterator[Call]:
    """Each argument of a call from any of those that have it."""
    for _ in range(2 * count if len(calls) > 1 else 0):
        made = rng.choice(calls)
        for path, _ in _shared(made, made):
            where: Any = path[0][1]
            held = [
                call[0][where] if path[0][0] == "arg" else call[1][where]
                for call in calls
                if (path[0][0] == "arg" and where < len(call[0])) or where in call[1]
            ]
            made = put(made, path, rng.choice(held))
        yield made
