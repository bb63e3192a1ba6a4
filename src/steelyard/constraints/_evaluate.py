"""Evaluate a tree: each node becomes one Python closure over an environment.

The environment is a list: what is left of the budget, the arguments, the variables of loops. A loop
is charged for its rounds before it starts, and what reads a long value for its length, so that an
evaluation ends soon whatever the constraint and the arguments are.
"""

import operator
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeVar

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


def charge(env: Environment, steps: int) -> None:
    """Take steps from the budget.

    Raises:
        TooLargeError: if it is spent.
    """
    if steps > env[0]:
        raise TooLargeError("the evaluation takes too many steps")
    env[0] -= steps


def _weighed(env: Environment, values: Iterable[Any]) -> Iterator[Any]:
    """Yield values that are hashed or compared: a list among them is charged for its items."""
    for value in values:
        if type(value) is tuple:
            charge(env, _extent(value))
        yield value


def _extent(value: tuple[Any, ...]) -> int:
    """Return the number of items in a list, and in the lists in it."""
    return len(value) + sum(_extent(each) for each in value if type(each) is tuple)


def runner(node: Node) -> Run:
    """Return a function from an environment to the node's value.

    It raises one of `FAULTS` where there is no value.
    """
    match node:
        case Const(value=value):
            return lambda _: value
        case Name(slot=slot):
            return operator.itemgetter(slot)
        case Apply():
            return _apply(node)
        case Chain():
            return _chain(node)
        case Logic(sign="not", items=(item,)):
            inner = runner(item)
            return lambda env: not inner(env)
        case Logic(sign=sign, items=items):
            runs = [runner(item) for item in items]
            if sign == "and":
                return lambda env: all(run(env) for run in runs)
            return lambda env: any(run(env) for run in runs)
        case Choice(test=test, then=then, other=other):
            a, b, c = runner(test), runner(then), runner(other)
            return lambda env: b(env) if a(env) else c(env)
        case Item(base=base, index=index):
            a, b = runner(base), runner(index)
            return lambda env: a(env)[b(env)]
        case Part():
            return _part(node)
        case Display(items=items, type=kind):
            runs = [runner(item) for item in items]
            if kind.kind == "set":
                return lambda env: frozenset(_weighed(env, (run(env) for run in runs)))
            return lambda env: tuple([run(env) for run in runs])
        case Kept(body=body, slot=slot):
            return _kept(runner(body), slot)
        case Many():
            values = each_round(node.loops, runner(node.body), weight(node.body))
            return lambda env: tuple(values(env))


def _kept(run: Run, slot: int) -> Run:
    def kept(env: Environment) -> Any:
        value = env[slot]
        if value is None:
            value = env[slot] = run(env)
        return value

    return kept


def _apply(node: Apply) -> Run:
    operation, args = node.operation, node.args
    if operation.name in ("all", "any") and isinstance(args[0], Many):
        return _quantifier(args[0].loops, args[0].body, wanted=operation.name == "any")
    if len(args) == 1 and isinstance(args[0], Many) and operation.name in _STREAMING:
        body, consume = args[0].body, operation.run
        values = each_round(args[0].loops, runner(body), weight(body))
        if body.type.base.kind in ("list", "tuple"):
            return lambda env: consume(_weighed(env, values(env)))
        return lambda env: consume(values(env))
    if operation.name == "range":
        inner = _call(operation, args)
        return lambda env: _materialised(env, inner(env))
    return _call(operation, args)


def _call(operation: Operation, args: tuple[Node, ...]) -> Run:
    run, runs = operation.run, [runner(arg) for arg in args]
    if operation.is_linear:
        return _charged(operation, runs)
    if len(runs) == 1:
        (a,) = runs
        return lambda env: run(a(env))
    if len(runs) == 2:
        a, b = runs
        return lambda env: run(a(env), b(env))
    return lambda env: run(*[each(env) for each in runs])


def _charged(operation: Operation, runs: list[Run]) -> Run:
    """Return a call that is charged for the lengths of its arguments and of its result."""
    run, rate = operation.run, _RATES.get(operation.name, 10 if operation.faults else 1)

    def charged(env: Environment) -> Any:
        values = [each(env) for each in runs]
        charge(env, rate * (rate + sum(len(each) for each in values if hasattr(each, "__len__"))))
        result = run(*values)
        if hasattr(result, "__len__"):
            charge(env, len(result))
        return result

    return charged


def _materialised(env: Environment, values: range) -> tuple[int, ...]:
    if len(values) > MAX_ITEMS:
        raise TooLargeError("a range is too long")
    charge(env, len(values))
    return tuple(values)


def lazily(node: Node) -> Run:
    """Return a runner whose value is only iterated over, or searched: a range is not built."""
    if isinstance(node, Apply) and node.name == "range":
        return _call(node.operation, node.args)
    return runner(node)


def _chain(node: Chain) -> Run:
    runs = [runner(node.operands[0])]
    tests: list[Callable[[Any, Any], bool]] = []
    is_sized = any(operand.type.base.kind in _SIZED for operand in node.operands)
    for sign, operand in zip(node.signs, node.operands[1:], strict=True):
        runs.append(lazily(operand) if "in" in sign else runner(operand))
        tests.append(SIGNS[sign])
    if is_sized:
        return partial(_long_chain, runs, tests)
    if len(tests) == 1:
        (a, b), (f,) = runs, tests
        return lambda env: f(a(env), b(env))
    if len(tests) == 2:
        (a, b, c), (f, g) = runs, tests

        def between(env: Environment) -> bool:
            middle = b(env)
            return f(a(env), middle) and g(middle, c(env))

        return between
    return partial(_long_chain, runs, tests)


def _long_chain(runs: list[Run], tests: list[Callable[[Any, Any], bool]], env: Environment) -> bool:
    left = runs[0](env)
    for test, run in zip(tests, runs[1:], strict=True):
        right = run(env)
        if type(right) is tuple or type(right) is str:
            charge(env, len(right))
        elif type(left) is type(right) is frozenset:
            charge(env, len(left) + len(right))
        elif type(left) is tuple:  # hashed, or compared with items of an index
            charge(env, _extent(left))
        if not test(left, right):
            return False
        left = right
    return True


def _part(node: Part) -> Run:
    base = runner(node.base)
    ends = [None if end is None else runner(end) for end in (node.low, node.high, node.step)]

    def part(env: Environment) -> Any:
        found = base(env)[slice(*(None if end is None else end(env) for end in ends))]
        charge(env, len(found))
        return found

    return part


def _quantifier(loops: tuple[Loop, ...], body: Node, *, wanted: bool) -> Run:
    """Return a search for a round whose body is `wanted`; it returns `wanted` if there is one."""
    loop, rest = loops[0], loops[1:]
    inner = _quantifier(rest, body, wanted=wanted) if rest else runner(body)
    conditions = [runner(condition) for condition in loop.conditions]
    source, cost, put = lazily(loop.source), _cost(loops, body), _put(loop.target)

    def search(env: Environment) -> bool:
        items = source(env)
        charge(env, len(items) * cost)
        if type(put) is int and not conditions:
            for env[put] in items:
                if bool(inner(env)) is wanted:
                    return wanted
            return not wanted
        for _ in _items(env, items, put, conditions):
            if bool(inner(env)) is wanted:
                return wanted
        return not wanted

    return search


_T = TypeVar("_T")


def each_round(
    loops: tuple[Loop, ...], run: Callable[[Environment], _T], cost: int
) -> Callable[[Environment], Iterator[_T]]:
    """Return a function from an environment to what `run` gives in all rounds of the loops."""
    loop, rest = loops[0], loops[1:]
    inner = each_round(rest, run, cost) if rest else None
    conditions = [runner(condition) for condition in loop.conditions]
    source, put = lazily(loop.source), _put(loop.target)
    cost = sum(map(weight, loop.conditions)) + (_ROUND if rest else _ROUND + cost)

    def values(env: Environment) -> Iterator[_T]:
        items = source(env)
        charge(env, len(items) * cost)
        for _ in _items(env, items, put, conditions):
            if inner:
                yield from inner(env)
            else:
                yield run(env)

    return values


def _cost(loops: tuple[Loop, ...], body: Node) -> int:
    return sum(map(weight, loops[0].conditions)) + (1 if loops[1:] else 1 + weight(body))


_Put = int | Callable[[Environment, Any], None]


def _items(env: Environment, items: Any, put: _Put, conditions: list[Run]) -> Iterator[None]:
    """Set the loop's variables to each item that meets the conditions."""
    for item in items:
        if isinstance(put, int):
            env[put] = item
        else:
            put(env, item)
        if all(condition(env) for condition in conditions):
            yield None


def _put(target: Target) -> _Put:
    """Return the slot of a loop's variable, or a function that unpacks an item into several."""
    if isinstance(target, int):
        return target
    puts = [_put(each) for each in target]

    def unpack(env: Environment, item: Any) -> None:
        for put, value in zip(puts, item, strict=True):
            if isinstance(put, int):
                env[put] = value
            else:
                put(env, value)

    return unpack
