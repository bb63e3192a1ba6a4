"""Read constraints over unknown values, as formulas for z3.

Lists keep their length and texts their number of characters: only numbers, truth values and
characters are unknown. What this does not know raises `UnknownFormError`, and the constraint is
left to the validator, which checks every answer again.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any

import z3

from steelyard.constraints import (
    Apply,
    Chain,
    Choice,
    Const,
    Constraint,
    Display,
    Item,
    Logic,
    Loop,
    Many,
    Name,
    Node,
    Part,
    Target,
)

_MOST_STEPS = 20_000
_MOST_EXPONENT = 4
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_LETTERS, _CAPITALS, _DIGITS = (97, 122), (65, 90), (48, 57)
_CHARACTERS: dict[str, tuple[tuple[int, int], ...]] = {
    "isalpha": (_LETTERS, _CAPITALS),
    "isdigit": (_DIGITS,),
    "isdecimal": (_DIGITS,),
    "isnumeric": (_DIGITS,),
    "isalnum": (_LETTERS, _CAPITALS, _DIGITS),
    "islower": (_LETTERS,),
    "isupper": (_CAPITALS,),
    "isascii": ((0, 127),),
    "isprintable": ((32, 126),),
}
_NEIGHBOURS = {
    "is_sorted": operator.le,
    "is_increasing": operator.lt,
    "is_descending": operator.ge,
    "is_decreasing": operator.gt,
}


class UnknownFormError(Exception):
    """A form or an operation that is not read as a formula."""


class Text(tuple[Any, ...]):
    """A text, as the codes of its characters."""

    __slots__ = ()


class Bag(tuple[Any, ...]):
    """A set, with repeats."""

    __slots__ = ()


@dataclass(frozen=True)
class Ranked:
    """Items that are to be sorted."""

    items: Any


@dataclass(frozen=True)
class Rounds:
    """The values of a loop, each with the condition under which it takes place."""

    values: list[tuple[Any, Any]]


class Formulas:
    """Reads constraints over the values of one call."""

    def __init__(self, args: Sequence[Any]) -> None:
        self._args = args
        self._steps = 0
        self.side: list[Any] = []
        """What must hold for the formulas to mean what they say, such as divisors above 0."""

    def of(self, constraint: Constraint) -> Any:
        """Return a constraint as one formula.

        Raises:
            UnknownFormError: if it holds a form that is not read.
        """
        env: list[Any] = [None] * constraint.slots
        env[1 : len(self._args) + 1] = self._args
        return self._value(constraint.tree, env)

    def _value(self, node: Node, env: list[Any]) -> Any:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise UnknownFormError("the formula is too long")
        match node:
            case Const(value=value):
                return Text(map(ord, value)) if isinstance(value, str) else value
            case Name(slot=slot):
                return env[slot]
            case Chain(operands=operands, signs=signs):
                values = [self._value(each, env) for each in operands]
                pairs = zip(values, signs, values[1:], strict=False)
                return _every(_compared(left, sign, right) for left, sign, right in pairs)
            case Logic(sign="not", items=(only,)):
                return _negated(self._value(only, env))
            case Logic(sign="and", items=items):
                return _every(self._value(each, env) for each in items)
            case Logic(items=items):
                return _some(self._value(each, env) for each in items)
            case Choice(test=test, then=then, other=other):
                when = self._value(test, env)
                if isinstance(when, bool):
                    return self._value(then if when else other, env)
                both = (_scalar(self._value(each, env)) for each in (then, other))
                return z3.If(when, *both)
            case Display(items=items):
                return tuple(self._value(each, env) for each in items)
            case Item(base=base, index=index):
                return self._item(self._value(base, env), self._value(index, env))
            case Part(base=base, low=low, high=high, step=step):
                whole = _list(self._value(base, env))
                ends = [each and self._value(each, env) for each in (low, high, step)]
                if not all(each is None or type(each) is int for each in ends) or ends[2] == 0:
                    raise UnknownFormError("a slice with unknown ends")
                return type(whole)(whole[slice(*ends)])
            case Many(body=body, loops=loops):
                rounds = [(g, self._value(body, env)) for g in self._rounds(loops, env, True)]
                certain = all(guard is True for guard, _ in rounds)
                return tuple(value for _, value in rounds) if certain else Rounds(rounds)
            case Apply(name=name, args=args):
                return self._applied(name, [self._value(each, env) for each in args])
        raise UnknownFormError(type(node).__name__)

    def _rounds(self, loops: tuple[Loop, ...], env: list[Any], guard: Any) -> Iterator[Any]:
        if not loops:
            yield guard
            return
        for item in _list(self._value(loops[0].source, env)):
            _assign(loops[0].target, item, env)
            tests = [self._value(each, env) for each in loops[0].conditions]
            together = _every([guard, *tests])
            if together is not False:
                yield from self._rounds(loops[1:], env, together)

    def _item(self, base: Any, index: Any) -> Any:
        items = _list(base)
        if type(index) is int:
            if not -len(items) <= index < len(items):
                raise UnknownFormError("an index outside")
            if isinstance(items, Text):
                return Text(items[index : index + 1 or None])
            return items[index]
        if not items or isinstance(items, Text):
            raise UnknownFormError("an unknown index")
        self.side.append(z3.And(index >= 0, index < len(items)))
        found = _scalar(items[-1])
        for at in range(len(items) - 2, -1, -1):
            found = z3.If(index == at, _scalar(items[at]), found)
        return found

    def _applied(self, name: str, args: list[Any]) -> Any:
        if name in ("all", "any", "sum", "len") and isinstance(args[0], Rounds):
            return _folded(name, args[0])
        if name in ("//", "%", "/"):
            divisor = args[1]
            if type(divisor) is int and divisor <= 0:
                raise UnknownFormError("a divisor that is not positive")
            if not isinstance(divisor, int):
                self.side.append(divisor > 0)
        known = _OPERATIONS.get(name)
        if known is None:
            if name in _CHARACTERS and isinstance(args[0], Text):
                ranges = _CHARACTERS[name]
                return bool(args[0]) and _every(_within(code, ranges) for code in args[0])
            if name in _NEIGHBOURS:
                sign = _NEIGHBOURS[name]
                return _every(_compared_by(sign, pair) for pair in pairwise(_list(args[0])))
            raise UnknownFormError(name)
        return known(*args)


def _assign(target: Target, item: Any, env: list[Any]) -> None:
    if isinstance(target, int):
        env[target] = item
        return
    items = _list(item)
    if len(items) != len(target):
        raise UnknownFormError("a row of another length")
    for each, value in zip(target, items, strict=True):
        _assign(each, value, env)


def _list(value: Any) -> Any:
    if isinstance(value, Text | Bag | range):
        return value if not isinstance(value, range) else tuple(value)
    if not isinstance(value, tuple | list):
        raise UnknownFormError("not a list")
    return tuple(value)


def _items(value: Any) -> Sequence[Any]:
    items = _list(value)
    return [Text((code,)) for code in items] if isinstance(items, Text) else items


def _scalar(value: Any) -> Any:
    if isinstance(value, Text) and len(value) == 1:
        return value[0]
    if isinstance(value, tuple | list | Rounds) or value is None:
        raise UnknownFormError("not a number")
    return value


def _every(parts: Any) -> Any:
    unknown = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            unknown.append(_truth(part))
    return z3.And(*unknown) if unknown else True


def _some(parts: Any) -> Any:
    return _negated(_every([_negated(part) for part in parts]))


def _truth(value: Any) -> Any:
    if isinstance(value, z3.BoolRef):
        return value
    raise UnknownFormError("not a condition")


def _negated(value: Any) -> Any:
    return not value if isinstance(value, bool) else z3.Not(_truth(value))


def _compared_by(sign: Callable[[Any, Any], Any], pair: Sequence[Any]) -> Any:
    return sign(_scalar(pair[0]), _scalar(pair[1]))


def _compared(left: Any, sign: str, right: Any) -> Any:
    if sign in ("in", "not in"):
        found = _some(_equal(left, each) for each in _items(right))
        return found if sign == "in" else _negated(found)
    if sign in ("==", "!="):
        same = _equal(left, right)
        return same if sign == "==" else _negated(same)
    if isinstance(left, Bag) and isinstance(right, Bag):
        if sign not in ("<=", ">="):
            raise UnknownFormError("a proper subset")
        small, large = (left, right) if sign == "<=" else (right, left)
        return _every(_some(_equal(one, other) for other in large) for one in small)
    return _compared_by(_COMPARE[sign], (left, right))


def _equal(left: Any, right: Any) -> Any:
    if left is None or right is None:
        return left is None and right is None
    if isinstance(left, Bag) and isinstance(right, Bag):
        return _every([_compared(left, "<=", right), _compared(right, "<=", left)])
    if isinstance(left, Ranked):
        if isinstance(right, Ranked):
            return _same_items(left.items, right.items)
        sorted_ = _every(_compared_by(operator.le, pair) for pair in pairwise(_list(right)))
        return _every([sorted_, _same_items(left.items, right)])
    if isinstance(right, Ranked):
        return _equal(right, left)
    if isinstance(left, tuple | range) and isinstance(right, tuple | range):
        if len(left) != len(right):
            return False
        return _every(_equal(one, other) for one, other in zip(left, right, strict=True))
    return _scalar(left) == _scalar(right)


def _ranked(items: Any, reverse: object) -> Ranked:
    if reverse:
        raise UnknownFormError("a descending order")
    return Ranked(_list(items))


def _same_items(left: Sequence[Any], right: Sequence[Any]) -> Any:
    if len(left) != len(right):
        return False
    return _every(_count(left, each) == _count(right, each) for each in left)


def _count(items: Sequence[Any], wanted: Any) -> Any:
    return _sum([_if(_equal(each, wanted)) for each in items])


def _if(condition: Any, value: Any = 1) -> Any:
    if isinstance(condition, bool):
        return value if condition else 0
    return z3.If(_truth(condition), _scalar(value), 0)


def _sum(values: Sequence[Any]) -> Any:
    return reduce(operator.add, map(_scalar, values), 0)


def _different(items: Sequence[Any]) -> Any:
    firsts = []
    for at, each in enumerate(items):
        firsts.append(_every(_negated(_equal(each, before)) for before in items[:at]))
    return _sum([_if(first) for first in firsts])


def _within(code: Any, ranges: Sequence[tuple[int, int]]) -> Any:
    return _some(_every([code >= low, code <= high]) for low, high in ranges)


def _folded(name: str, rounds: Rounds) -> Any:
    if name == "all":
        return _every(_some([_negated(guard), value]) for guard, value in rounds.values)
    if name == "any":
        return _some(_every([guard, value]) for guard, value in rounds.values)
    return _sum([_if(guard, value if name == "sum" else 1) for guard, value in rounds.values])


def _extreme(sign: Callable[[Any, Any], Any], *values: Any) -> Any:
    items = [_scalar(each) for each in (_items(values[0]) if len(values) == 1 else values)]
    if not items:
        raise UnknownFormError("no items")
    return reduce(lambda one, other: z3.If(sign(one, other), one, other), items)


def _power(base: Any, exponent: Any) -> Any:
    if type(exponent) is not int or not 0 <= exponent <= _MOST_EXPONENT:
        raise UnknownFormError("an exponent")
    return reduce(operator.mul, [_scalar(base)] * exponent, 1)


def _numbers(*ends: Any) -> range:
    if not all(type(end) is int for end in ends) or len(range(*ends)) > _MOST_STEPS:
        raise UnknownFormError("an unknown range")
    return range(*ends)


def _divided(sign: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def divide(left: Any, right: Any) -> Any:
        left, right = _scalar(left), _scalar(right)
        if isinstance(left, int) and isinstance(right, int):
            return sign(left, right)
        if sign is operator.mod:
            return left % right
        whole = z3.is_int(left) if z3.is_expr(left) else isinstance(left, int)
        if not whole or (z3.is_expr(right) and not z3.is_int(right)):
            raise UnknownFormError("a whole quotient of floats")
        return (z3.IntVal(left) if isinstance(left, int) else left) / right

    return divide


def _permutation(items: Any, other: Any) -> Any:
    values = _list(items)
    if type(other) is not int:
        return _same_items(values, _list(other))
    inside = (_every([each >= other, each < other + len(values)]) for each in values)
    return _every([*inside, _different(values) == len(values)])


def _binary(sign: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def apply(left: Any, right: Any) -> Any:
        if sign is operator.add and isinstance(left, tuple) and type(left) is type(right):
            return type(left)(tuple(left) + tuple(right))
        return sign(_scalar(left), _scalar(right))

    return apply


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "len": lambda items: _different(items) if isinstance(items, Bag) else len(_list(items)),
    "all": lambda items: _every(_list(items)),
    "any": lambda items: _some(_list(items)),
    "sum": lambda items: _sum(_items(items)),
    "prod": lambda items: reduce(operator.mul, map(_scalar, _items(items)), 1),
    "min": lambda *values: _extreme(operator.le, *values),
    "max": lambda *values: _extreme(operator.ge, *values),
    "abs": lambda value: z3.If(_scalar(value) >= 0, _scalar(value), -_scalar(value)),
    "sorted": lambda items, reverse=0: _ranked(items, reverse),
    "set": lambda items=(): Bag(_items(items)),
    "list": lambda items=(): tuple(_items(items)),
    "tuple": lambda items=(): tuple(_items(items)),
    "reversed": lambda items: tuple(_items(items))[::-1],
    "zip": lambda *lists: tuple(zip(*map(_items, lists), strict=False)),
    "enumerate": lambda items, start=0: tuple(enumerate(_items(items), start)),
    "range": _numbers,
    "ord": _scalar,
    "neg": lambda value: -_scalar(value),
    "+": _binary(operator.add),
    "-": _binary(operator.sub),
    "*": _binary(operator.mul),
    "//": _divided(operator.floordiv),
    "%": _divided(operator.mod),
    "**": _power,
    "pow": _power,
    "count": lambda items, wanted: _count(_items(items), wanted),
    "issubset": lambda one, two: _compared(Bag(_items(one)), "<=", Bag(_items(two))),
    "issuperset": lambda one, two: _compared(Bag(_items(two)), "<=", Bag(_items(one))),
    "is_unique": lambda items: _different(_items(items)) == len(_list(items)),
    "is_permutation": _permutation,
    "is_palindrome": lambda items: _equal(tuple(_list(items)), tuple(_list(items))[::-1]),
    "is_rectangular": lambda rows: len({len(_list(row)) for row in _list(rows)}) <= 1,
}
