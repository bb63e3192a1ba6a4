"""Make inputs from others: small changes, and parts of two inputs together."""

from collections.abc import Sequence
from functools import partial

from pydantic import JsonValue

from steelyard.families import Dice
from steelyard.inputs._columns import ordered, width_of
from steelyard.inputs._ground import Ground
from steelyard.inputs._layouts import laid_out
from steelyard.inputs._made import Made, call, made
from steelyard.inputs._make import LARGE, as_cases
from steelyard.inputs._meter import visits
from steelyard.inputs._pokes import changed
from steelyard.inputs._workshop import Draft, Input, Workshop
from steelyard.schemas import AuthoredCase, CompactInput, Specification

_TRIES = 6
"""Attempts for each input that is wanted."""
_MOST_WORK = 300_000_000
"""Units of work, as of `make_inputs`."""
_MIXED = 0.3
"""The share of inputs of which one argument comes from another input, in whole or in part."""
_WHOLE = 0.3
"""The share of these that take the whole argument."""
_ONLY_WHOLE = 0.5
"""The share of inputs with a large argument from another input, or with one that is laid out anew,
that are not changed further."""
_BLOCKS = 0.2
"""The share of changes of a list or text that change many of its items at once."""
_LAID_OUT, _LEAST_LAID_OUT = 0.6, 200
"""The share of inputs with a long list or text that is laid out anew, and its least length."""
_ORDERED, _COLUMNS = 0.5, (1, 1, 2, 3)
"""In blocks, the share of these in which columns are put in an order instead, and how many are."""
_ONE_ITEM = 0.5
"""In blocks, the share of other inputs in which one item of a long list or text is changed."""
_MOST_CHANGED = 5_000
"""Items and characters of an argument beyond which it is not changed but taken as a whole."""


def changed_inputs(
    spec: Specification,
    inputs: Sequence[CompactInput],
    *,
    seed: int,
    count: int,
    in_blocks: bool = False,
) -> tuple[AuthoredCase, ...]:
    """Make inputs that are close to some others, without outputs.

    All are valid, no two are equal, and none is one of the others. An argument with thousands of
    items stays as it is, comes from another input as a whole, or is laid out anew: what is written
    as an expression stays one.

    In blocks, that holds for each long argument that is written as an expression, so that it can be
    stretched. Its columns are put in an order too, and one item is changed.

    Args:
        spec: The specification.
        inputs: Valid inputs to start from.
        seed: The new inputs depend on the specification, the inputs and the seed alone.
        count: Limit on the new inputs.
        in_blocks: The inputs are in blocks, and will be stretched.

    Raises:
        SpecificationError: if a type or a constraint cannot be read, or an input.
    """
    shop = Workshop(spec, seed, _MOST_WORK)
    shop.seen.update(each.digest for each in inputs)
    parents = _Parents(inputs, shop)
    found: list[Input] = []
    for _ in range(_TRIES * count if inputs and shop.names else 0):
        if len(found) == count or shop.meter.spent:
            break
        parts = _changed(parents, shop.grounds, shop.dice, in_blocks=in_blocks)
        if parents.have_given(parts):
            continue
        draft = Draft(parts, "adversarial", "changed")
        if visits(draft.args) <= max(LARGE, parents.most) and shop.is_valid(draft.args):
            new = shop.new(draft)
            found += [new] if new else []
    return as_cases(found)


class _Parents:
    """Inputs to start from. Each is expanded when it is needed: large ones take long."""

    def __init__(self, inputs: Sequence[CompactInput], shop: Workshop) -> None:
        self.most = 0
        """The items of the largest input so far."""
        self._inputs, self._shop = inputs, shop
        self._made: dict[int, list[Made]] = {}
        self._numbers: dict[int, int] = {}  # by the `id` of arguments, which live on
        self._given: set[tuple[int, ...]] = set()

    def pick(self, dice: Dice) -> list[Made]:
        """Return the arguments of one of them."""
        at = dice.below(len(self._inputs))
        if at not in self._made:
            pairs = self._shop.parts_of(self._inputs[at])
            parts = [Made(value, partial(str, text)) for value, text in pairs]
            self._made[at] = parts
            self.most = max(self.most, visits([part.value for part in parts]))
            for part in parts:
                self._numbers[id(part)] = len(self._numbers)
            self.have_given(parts)
        return self._made[at]

    def have_given(self, parts: Sequence[Made]) -> bool:
        """Return True if these arguments were put together before, without any change."""
        numbers = tuple(self._numbers.get(id(part), -1) for part in parts)
        if -1 in numbers:
            return False
        known = numbers in self._given
        self._given.add(numbers)
        return known


def _changed(
    parents: _Parents, grounds: Sequence[Ground], dice: Dice, *, in_blocks: bool
) -> list[Made]:
    stays = _is_written if in_blocks else _is_large
    parts = list(parents.pick(dice))
    is_whole = False
    if dice.chance(_MIXED):
        at = dice.below(len(parts))
        other = parents.pick(dice)[at]
        is_whole = stays(parts[at]) or stays(other)
        parts[at] = (
            other if is_whole else made(_mixed(parts[at].value, other.value, grounds[at], dice))
        )
    long = [at for at, part in enumerate(parts) if _is_long(part.value)]
    small = [at for at, part in enumerate(parts) if not stays(part)]
    written = [at for at in long if at not in small]
    if long and dice.chance(_LAID_OUT):
        if in_blocks and dice.chance(_ORDERED):
            parts = _with_orders(parts, long, grounds, dice)
        else:
            at = dice.pick(long)
            parts[at] = laid_out(parts[at].value, dice)
        small = [each for each in small if each not in long]
        is_whole = True
    elif in_blocks and written and dice.chance(_ONE_ITEM):
        at = dice.pick(written)
        parts[at] = _with_one_item(parts[at], grounds[at], dice)
        is_whole = True
    if not small or (is_whole and dice.chance(_ONLY_WHOLE)):
        return parts
    args = changed([part.value for part in parts], grounds, dice, small, blocks=_BLOCKS)
    return [
        part if part.value is value else made(value)
        for part, value in zip(parts, args, strict=True)
    ]


def _with_orders(
    parts: Sequence[Made], long: Sequence[int], grounds: Sequence[Ground], dice: Dice
) -> list[Made]:
    """Return arguments of which some columns are in an order; a text is laid out anew."""
    new = list(parts)
    having = [at for at in long if width_of(new[at].value)]
    for _ in range(dice.pick(_COLUMNS)):
        at = dice.pick(having or long)
        new[at] = ordered(new[at], grounds[at], dice) if having else laid_out(new[at].value, dice)
    return new


def _with_one_item(part: Made, ground: Ground, dice: Dice) -> Made:
    """Return a long list or text of which one item is changed; it is still written as it was."""
    n = len(part.value)
    at = dice.pick((0, -1, dice.below(n)))
    at = at if at < n // 2 else at - n  # from the nearer end, where it is when others get more
    if ground.kind == "str":
        return call("put", part, at, dice.pick(ground.letters or part.value))
    (item,) = changed([part.value[at]], ground.items, dice)
    return call("put", part, at, item)


def _is_long(value: JsonValue) -> bool:
    return isinstance(value, list | str) and len(value) >= _LEAST_LAID_OUT


def _is_written(part: Made) -> bool:
    """Return whether an argument is best left an expression, which is shorter than its items."""
    return _is_large(part) or (_is_long(part.value) and len(part.write()) < len(part.value))


def _is_large(part: Made) -> bool:
    return visits(part.value) > _MOST_CHANGED


def _mixed(one: JsonValue, other: JsonValue, ground: Ground, dice: Dice) -> JsonValue:
    """Return the other value, or the start of one list or text and the end of the other.

    Of two rows the items at each position are as in one of them.
    """
    if dice.chance(_WHOLE):
        return other
    if ground.columns and isinstance(one, list) and isinstance(other, list):
        return [dice.pick(each) for each in zip(one, other, strict=True)]
    if isinstance(one, list) and isinstance(other, list):
        return one[: dice.below(len(one) + 1)] + other[dice.below(len(other) + 1) :]
    if isinstance(one, str) and isinstance(other, str):
        return one[: dice.below(len(one) + 1)] + other[dice.below(len(other) + 1) :]
    return other
