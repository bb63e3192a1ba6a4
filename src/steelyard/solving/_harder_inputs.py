"""Apply the transforms of the portfolio to an input, and keep those that follow the format.

A transform makes a list of items into another one of the same length. See
docs/decisions/0014-evidence.md.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, cycle, islice

from steelyard.schemas import SolutionLanguage
from steelyard.solving._input_format import InputFormat, Item, block_of

_MOST_CHARS = 16 << 20
_MOST_COLUMNS = 3


@dataclass(frozen=True)
class Transformed:
    """An input that a transform made."""

    name: str
    text: str = ""
    refused: str = ""
    """The property that it would break; empty if it is used."""


def transformed(
    made: str, generated: Sequence[str], form: InputFormat, language: SolutionLanguage
) -> Iterator[Transformed]:
    """Yield the transforms of an input.

    Args:
        made: The input, of the largest size.
        generated: Other inputs of its generator, small ones too.
        form: The format that the samples show.
        language: The program's language.
    """
    lines = [line for line in made.splitlines() if line.strip()] if len(made) < _MOST_CHARS else []
    block = block_of(lines)
    rows = block.rows_in(lines) if block else None
    if block is None or rows is None:
        return
    observed = form.observed(block, [*generated, made])
    columns = range(min(len(rows[0]), _MOST_COLUMNS))
    values = [observed.values(column) for column in columns]
    indexes = form.indexes(block, made)
    for transform in TRANSFORMS:
        if transform.language not in (None, language):
            continue
        for column in columns:
            new = _rows_by(transform, rows, column, values[column])
            if new is None or (indexes and not transform.reorders):
                continue
            name = transform.name + (f" by column {column + 1}" if len(rows[0]) > 1 else "")
            broken = next((each.name for each in observed.required if not each.holds(new)), "")
            if broken:
                yield Transformed(name, refused=broken)
            elif new != rows:
                yield Transformed(name, block.put(lines, new) + "\n")


_Apply = Callable[[Sequence[Item], range], Sequence[Item] | None]
"""From the items, and the range of values that inputs are known to have."""


@dataclass(frozen=True)
class Transform:
    """One way to make an input harder."""

    name: str
    apply: _Apply
    """Returns as many items; None if it has no sense for these."""
    reorders: bool
    """True if it keeps the items and changes their order only."""
    language: SolutionLanguage | None = None
    """The only language for which it is harder; None for all."""


def _rows_by(
    transform: Transform, rows: Sequence[tuple[Item, ...]], column: int, values: range
) -> list[tuple[Item, ...]] | None:
    """Return the rows after a transform of one column; whole rows are only reordered."""
    if not transform.reorders or len(rows[0]) == 1:
        items = transform.apply([row[column] for row in rows], values)
        if items is None:
            return None
        return [
            (*row[:column], item, *row[column + 1 :]) for row, item in zip(rows, items, strict=True)
        ]
    # The ranks of the rows are distinct numbers: their order is the order of the rows.
    ranked = sorted(range(len(rows)), key=lambda index: (rows[index][column], index))
    order = transform.apply(range(len(rows)), values)
    assert order is not None
    return [rows[ranked[rank]] for rank in order if isinstance(rank, int)]


_GCC_BUCKETS = (
    13,
    29,
    59,
    127,
    257,
    541,
    1_109,
    2_357,
    5_087,
    10_273,
    20_753,
    42_043,
    85_229,
    172_933,
    351_061,
    712_697,
    1_447_153,
    2_938_679,
    5_967_347,
)
"""Bucket counts of libstdc++ as a table grows one key at a time: it has the next count as soon as
the keys are more than this one. Source: measured with `bucket_count()`, GCC 7 and later."""
_FEWEST_COLLIDING = 32
_FEW = 4
_SEED = 1


def _shuffled(items: Sequence[Item], _values: range) -> Sequence[Item]:
    new = list(items)
    random.Random(_SEED).shuffle(new)  # noqa: S311 - no secret
    return new


def _organ_pipe(items: Sequence[Item], _values: range) -> Sequence[Item]:
    rising = _sorted(items)
    return [*rising[::2], *rising[1::2][::-1]]


def _few_distinct(items: Sequence[Item], _values: range) -> Sequence[Item]:
    values = _sorted(set(items))
    few = values[:: max(1, len(values) // _FEW)]
    return random.Random(_SEED).choices(few, k=len(items))  # noqa: S311 - no secret


def _sorted(items: Sequence[Item] | set[Item]) -> list[Item]:
    return sorted(items)  # a block has items of one type


def _gcc_collisions(growing: int) -> _Apply:
    """Return the transform to keys that collide in libstdc++'s table after it has grown.

    Own keys make the table grow to its last bucket count but `growing`; multiples of that count
    follow, repeated if the range of the keys has too few.
    """

    def apply(items: Sequence[Item], values: range) -> Sequence[Item] | None:
        numbers = _whole(items)
        filled = [count for count in _GCC_BUCKETS if 2 * count <= len(numbers)]
        if len(filled) <= growing:
            return None
        last = filled[-1 - growing]
        buckets = _GCC_BUCKETS[_GCC_BUCKETS.index(last) + 1]
        first = list(islice(dict.fromkeys(numbers), last + 1))
        if len(first) <= last:
            return None
        return _followed(first, _multiples(buckets, values, most=buckets - len(first)), numbers)

    return apply


def _python_collisions(larger: int) -> _Apply:
    """Return the transform to keys that collide in a dict or set of CPython.

    Half of them fill a path of the probe sequence i -> 5 i + 1; multiples of the table's size all
    begin there. Source: Objects/dictobject.c, "collision resolution".
    """

    def apply(items: Sequence[Item], values: range) -> Sequence[Item] | None:
        numbers = _whole(items)
        if not numbers:
            return None
        slots = 1 << ((3 * len(numbers) // 2).bit_length() + larger)
        path, slot = [], 0
        for _ in range(len(numbers)):
            slot = (5 * slot + 1) % slots
            if slot in values:
                path.append(slot)
            if 2 * len(path) >= len(numbers):
                break
        if 2 * len(path) < len(numbers):
            return None
        return _followed(path, _multiples(slots, values, most=len(numbers)), numbers)

    return apply


def _whole(items: Sequence[Item]) -> list[int]:
    """Return the items if they are numbers."""
    return [item for item in items if isinstance(item, int)]


def _multiples(of: int, values: range, *, most: int) -> Sequence[int]:
    """Return the multiples in a range, at most so many."""
    return range(-(-values.start // of) * of, values.stop, of)[: max(0, most)]


def _followed(
    first: Sequence[int], colliding: Sequence[int], numbers: Sequence[int]
) -> Sequence[Item] | None:
    if len(colliding) < _FEWEST_COLLIDING:
        return None
    return list(islice(chain(first, cycle(colliding)), len(numbers)))


TRANSFORMS = (
    Transform("sorted", lambda items, _: _sorted(items), reorders=True),
    Transform("reversed", lambda items, _: _sorted(items)[::-1], reorders=True),
    Transform("shuffled", _shuffled, reorders=True),
    Transform("organ pipe", _organ_pipe, reorders=True),
    Transform("all equal", lambda items, _: [max(items)] * len(items), reorders=False),
    Transform("few distinct", _few_distinct, reorders=False),
    Transform("multiples of the buckets", _gcc_collisions(0), reorders=False, language="cpp"),
    Transform("multiples of fewer buckets", _gcc_collisions(1), reorders=False, language="cpp"),
    Transform("multiples of the slots", _python_collisions(0), reorders=False, language="python"),
    Transform("multiples of more slots", _python_collisions(1), reorders=False, language="python"),
)
