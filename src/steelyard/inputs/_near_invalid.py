"""Inputs that break exactly one constraint, for grading validators.

Each comparison of a constraint is turned round in its turn, and valid inputs that are closest to
that are led there: a bound is missed by one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

from pydantic import JsonValue

from steelyard.constraints import (
    Apply,
    Chain,
    Constraint,
    Logic,
    Many,
    Node,
    Validator,
    shape_of,
)
from steelyard.families import Dice
from steelyard.inputs._meter import Meter, visits
from steelyard.inputs._repair import repaired
from steelyard.inputs._sizes import Sizes
from steelyard.inputs.nodes import Changes, Number, Text
from steelyard.inputs.nodes import Node as Allowed
from steelyard.inputs.nodes import Sequence as Listed
from steelyard.schemas import Specification
from steelyard.values import digest_of

_SMALL = 300
"""Items of the inputs that repair leads over a bound."""
_TRIES = 6
"""Attempts in a row without a new input, after which a comparison is left."""
_NEAREST = 12
_MOST_FAR = 2
_STRAYS = 0.4


def near_invalid(
    spec: Specification, inputs: Sequence[Sequence[JsonValue]], *, seed: int, count: int
) -> tuple[tuple[tuple[JsonValue, ...], str], ...]:
    """Return inputs close to valid ones, each with the text of the one constraint that it breaks.

    Args:
        spec: The specification.
        inputs: Valid inputs to start from, such as those of a suite.
        seed: The result depends on the other arguments and the seed alone.
        count: Limit on the inputs; all comparisons of all constraints have their turns.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    validator, dice = Validator.of(spec), Dice(seed, "near-invalid")
    meter = Meter(validator)
    search = _Search(validator, Sizes(shape_of(validator)).nodes, inputs, meter, dice)
    sources = [
        search.breaking(constraint, other)
        for constraint in validator.constraints
        for other in _turned(constraint)
    ]
    chosen: dict[str, tuple[tuple[JsonValue, ...], str]] = {}
    failures = [0] * len(sources)
    while len(chosen) < count and min(failures, default=_TRIES) < _TRIES and not meter.spent:
        for index, source in enumerate(sources):
            if failures[index] >= _TRIES or len(chosen) >= count or meter.spent:
                continue
            found = next(source)
            digest = digest_of(found[0]) if found else ""
            failures[index] = failures[index] + 1 if digest in chosen or not found else 0
            if found:
                chosen.setdefault(digest, found)
    return tuple(chosen.values())


def _turned(constraint: Constraint) -> Iterator[Constraint]:
    """Yield constraints that state of one comparison each that it does not hold."""
    for part in _comparisons(constraint.tree):
        yield replace(constraint, tree=Logic("not", (part,)))


def _comparisons(node: Node) -> Iterator[Node]:
    match node:
        case Logic(sign="and", items=items):
            for item in items:
                yield from _comparisons(item)
        case Chain(operands=operands, signs=signs):
            for sign, left, right in zip(signs, operands, operands[1:], strict=False):
                yield Chain((left, right), (sign,))
        case Apply(name="all", args=(Many(body=body) as many,)):
            for part in _comparisons(body):
                yield replace(node, args=(replace(many, body=part),))
        case _:
            yield node


@dataclass(frozen=True)
class _Search:
    validator: Validator
    nodes: tuple[Allowed, ...]
    inputs: Sequence[Sequence[Any]]
    """Valid arguments."""
    meter: Meter
    dice: Dice

    def breaking(
        self, constraint: Constraint, other: Constraint
    ) -> Iterator[tuple[tuple[JsonValue, ...], str] | None]:
        """Yield inputs that break a constraint alone; None for an attempt that failed.

        Args:
            constraint: The constraint.
            other: What holds instead of it.
        """
        rest = [other if each is constraint else each for each in self.validator.constraints]
        target = Validator(self.validator.types, tuple(rest), work=self.validator.work)
        small = [args for args in self.inputs if visits(args) <= _SMALL]
        self.meter.charge(sum(map(self.meter.cost, small)))
        nearest = sorted(small, key=target.distance)[:_NEAREST]
        yield from islice(self._far(constraint.text), _MOST_FAR)
        for start in cycle(nearest):
            found = repaired(start, self.nodes, target, self.meter, self.dice, strays=_STRAYS)
            is_alone = found is not None and self._breaks(constraint.text, found)
            yield (tuple(found), constraint.text) if found and is_alone else None
        while True:
            yield None

    def _breaks(self, text: str, args: Sequence[Any]) -> bool:
        self.meter.charge(self.meter.cost(args))
        return self.validator.broken(args) == (text,)

    def _far(self, text: str) -> Iterator[tuple[tuple[JsonValue, ...], str]]:
        """Yield large inputs with one item more or less."""
        for at, node in enumerate(self.nodes):
            if not isinstance(node, Text | Listed) or "len" not in text:
                continue
            args = max(self.inputs, key=lambda args: len(args[at] or ()), default=None)
            if args and args[at] and visits(args) > _SMALL:
                for changed in self._longer(args[at], node):
                    found = (*args[:at], changed, *args[at + 1 :])
                    if self._breaks(text, found):
                        yield found, text

    def _longer(self, value: Any, node: Text | Listed) -> Iterator[Any]:
        if isinstance(node, Text):
            yield from (value + value[-1], value[:-1])
            return
        item = node.item.changed(value[-1], Changes(self.dice, value))
        yield from ([*value, value[-1]], [*value, item], value[:-1])
        if isinstance(node.item, Number) and node.item.is_whole:
            yield from ([*value, value[-1] + 1], [*value, value[-1] - 1])
