"""Evaluate a tree: it becomes one Python function of an environment.

The environment is a list: what is left of the budget, the arguments, the variables of loops. A loop
is charged for its rounds before it starts, and what reads a long value for its length, so that an
evaluation ends soon whatever the constraint and the arguments are.

The function is written from the tree alone: slots, signs of the language, and names under which it
finds constants and operations. Nothing of the constraint's text gets into it.
"""

import operator
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, TypeVar, cast

from steelyard.constraints._operations import MAX_ITEMS, TooLargeError
from steelyard.constraints._tree import (
    Apply,
    Chain,
    Choice,
    Const,
    Display,
    Item,
    Kept,
    Logic,
    Loop,
    Many,
    Name,
    Node,
    Operation,
    Part,
    Target,
    weight,
)

Environment = list[Any]
Run = Callable[[Environment], Any]

BUDGET = 30_000_000
"""Nodes that the evaluation of all constraints may visit for one input: a few seconds."""
_ROUND = 4  # what a round of a generator costs, in nodes
FAULTS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
    MemoryError,
)
"""What an evaluation raises if the constraint has no value for the arguments."""

_STREAMING = frozenset({"sum", "min", "max", "prod", "set", "sorted", "list", "tuple"})
_RATES = {"sorted": 4, "index of": 4, "is_prime": 20}
_SIZED = frozenset({"list", "tuple", "str", "set", "dict", "any"})
_SEARCHED = frozenset({str, tuple})
_COMPARED = _SEARCHED | {frozenset}
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "in": lambda one, other: one in other,
    "not in": lambda one, other: one not in other,
}

_T = TypeVar("_T")


def runner(node: Node) -> Run:
    """Return a function from an environment to the node's value.

    It raises one of `FAULTS` where there is no value.
    """
    writer = _Writer()
    return writer.function(writer.value(node))


def each_round(
    loops: tuple[Loop, ...], run: Callable[[Environment], _T], cost: int
) -> Callable[[Environment], Iterator[_T]]:
    """Return a function from an environment to what `run` gives in all rounds of the loops."""
    writer = _Writer()
    return writer.function(writer.rounds(writer.call(run), loops, _ROUND, cost))


class _Writer:
    """Writes expressions over `env` that compute nodes."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def function(self, text: str) -> Callable[[Environment], Any]:
        return cast("Run", eval(f"lambda env: {text}", self._known))  # noqa: S307 - see above

    def call(self, function: Callable[..., Any], *args: str) -> str:
        return f"{self._named(function)}({', '.join(('env', *args))})"

    def _named(self, value: Any) -> str:
        """Return a name under which the function finds a value."""
        name = f"_{len(self._known)}"
        self._known[name] = value
        return name

    def value(self, node: Node) -> str:
        match node:
            case Const(value=value):
                return self._named(value)
            case Name(slot=slot):
                return f"env[{slot}]"
            case Kept(body=body, slot=slot):
                first = self.call(_put, str(slot), self.value(body))
                return f"({first} if env[{slot}] is None else env[{slot}])"
            case Apply():
                return self._apply(node)
            case Chain():
                return self._chain(node)
            case Logic(sign="not", items=(item,)):
                return f"(not {self.value(item)})"
            case Logic(sign=sign, items=items):
                return f"({f' {sign} '.join(map(self.value, items))})"
            case Choice(test=test, then=then, other=other):
                return f"({self.value(then)} if {self.value(test)} else {self.value(other)})"
            case Item(base=base, index=index):
                return f"{self.value(base)}[{self.value(index)}]"
            case Part(base=base, low=low, high=high, step=step):
                ends = ["" if end is None else self.value(end) for end in (low, high, step)]
                part = f"{self.value(base)}[{':'.join(ends)}]"
                return self.call(_sized, part, self._named(_COMPARED))
            case Display(items=items, type=kind):
                whole = f"({''.join(f'{self.value(item)}, ' for item in items)})"
                is_set = kind.kind == "set"
                return (
                    f"{self._named(frozenset)}({self.call(_weighed, whole)})" if is_set else whole
                )
            case Many(body=body, loops=loops):
                rounds = self.rounds(self.value(body), loops, _ROUND, weight(body))
                return f"{self._named(tuple)}({rounds})"

    def rounds(self, body: str, loops: tuple[Loop, ...], each: int, cost: int) -> str:
        """Return a generator of what `body` gives in all rounds; each costs so many nodes."""
        heads = ""
        for loop in loops:
            price = each + sum(map(weight, loop.conditions)) + cost * (loop is loops[-1])
            source = self.call(_charge_rounds, self._lazily(loop.source), str(price))
            heads += f" for {_target(loop.target)} in {source}"
            heads += "".join(f" if {self.value(condition)}" for condition in loop.conditions)
        return f"({body}{heads})"

    def _apply(self, node: Apply) -> str:
        run = self._named(node.operation.run)
        match node.args:
            case (Many(body=body, loops=loops),) if node.name in ("all", "any"):
                return f"{run}({self.rounds(self.value(body), loops, 1, weight(body))})"
            case (Many(body=body, loops=loops),) if node.name in _STREAMING:
                rounds = self.rounds(self.value(body), loops, _ROUND, weight(body))
                is_nested = body.type.base.kind in ("list", "tuple")
                return f"{run}({self.call(_weighed, rounds) if is_nested else rounds})"
        if node.name == "range":
            return self.call(_materialised, self._lazily(node))
        args = [self.value(arg) for arg in node.args]
        if node.operation.is_linear:
            return self.call(_charged(node.operation), *args)
        return f"{run}({', '.join(args)})"

    def _lazily(self, node: Node) -> str:
        """Return a value that is only iterated over, or searched: a range is not built."""
        if isinstance(node, Apply) and node.name == "range":
            return f"{self._named(range)}({', '.join(map(self.value, node.args))})"
        return self.value(node)

    def _chain(self, node: Chain) -> str:
        text = ""
        for before, operand, after in zip(
            ("", *node.signs), node.operands, (*node.signs, ""), strict=True
        ):
            each = self._lazily(operand) if "in" in before else self.value(operand)
            if operand.type.base.kind in _SIZED and not isinstance(operand, Const):
                kinds = _SEARCHED if "in" in before else _COMPARED
                each = (
                    self.call(_hashed, each)
                    if "in" in after
                    else self.call(_sized, each, self._named(kinds))
                )
            text += f" {before} {each}"
        return f"({text})"


def _target(target: Target) -> str:
    if isinstance(target, int):
        return f"env[{target}]"
    return f"({''.join(f'{_target(each)}, ' for each in target)})"


def charge(env: Environment, steps: int) -> None:
    """Take steps from the budget.

    Raises:
        TooLargeError: if it is spent.
    """
    if steps > env[0]:
        raise TooLargeError("the evaluation takes too many steps")
    env[0] -= steps


def _put(env: Environment, slot: int, value: Any) -> Any:
    env[slot] = value
    return value


def _charge_rounds(env: Environment, items: Any, cost: int) -> Any:
    charge(env, len(items) * cost)
    return items


def _sized(env: Environment, value: Any, kinds: Container[type]) -> Any:
    """Charge a value of some kinds for its length."""
    if type(value) in kinds:
        charge(env, len(value))
    return value


def _hashed(env: Environment, value: Any) -> Any:
    """Charge a list that is hashed, or compared with items of an index, for all in it."""
    if type(value) is tuple:
        charge(env, _extent(value))
    return value


def _extent(value: tuple[Any, ...]) -> int:
    """Return the number of items in a list, and in the lists in it."""
    return len(value) + sum(_extent(each) for each in value if type(each) is tuple)


def _weighed(env: Environment, values: Iterable[Any]) -> Iterator[Any]:
    return (_hashed(env, value) for value in values)


def _materialised(env: Environment, values: range) -> tuple[int, ...]:
    if len(values) > MAX_ITEMS:
        raise TooLargeError("a range is too long")
    charge(env, len(values))
    return tuple(values)


def _charged(operation: Operation) -> Callable[..., Any]:
    """Return a call that is charged for the lengths of its arguments and of its result."""
    run, rate = operation.run, _RATES.get(operation.name, 10 if operation.faults else 1)

    def charged(env: Environment, *values: Any) -> Any:
        charge(env, rate * (rate + sum(len(each) for each in values if hasattr(each, "__len__"))))
        result = run(*values)
        if hasattr(result, "__len__"):
            charge(env, len(result))
        return result

    return charged
