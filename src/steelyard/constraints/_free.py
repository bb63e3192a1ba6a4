"""Read `nums[i]` with a free `i` as: for every i.

1. A condition is split into its conjuncts, so that each runs over the positions of its own lists:
   `1 <= a[i] <= 9 and 1 <= b[i] <= 9` is about all items of both. A chain of comparisons is a
   conjunction too, and so is what `not (... or ...)` denies. Neighbours with the same items stay
   together.
2. A name is bound around the smallest condition that holds its uses: inside of `or` if one side
   alone has them, inside of `... if ... else ...`, and inside of `all(... for ...)`.
3. It runs over each position for which all items of that condition exist.
"""

import ast
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from copy import deepcopy
from itertools import groupby
from typing import NamedTuple, TypeVar

_Tree = TypeVar("_Tree", bound=ast.expr)


class _Use(NamedTuple):
    """An index by a free name."""

    name: str
    base: ast.expr
    """The indexed value."""
    shift: int
    """The constant that is added to the name."""


class Length(ast.Call):
    """The call of `len` for a value that is indexed."""


def quantified(tree: ast.expr, known: frozenset[str]) -> ast.expr:
    """Return the expression with `all(...)` around each condition that has a free index.

    `a[i] <= a[i + 1]` runs over each i for which both items exist. Two free names that index the
    same value run over all pairs of different positions, the first name before the second.

    Args:
        tree: The expression.
        known: Names that are not free.
    """
    free = _free(tree, known)
    if not free:
        return tree
    parts = [*_conjuncts(tree, known)]
    groups = [[*each] for _, each in groupby(parts, lambda each: _items(each, known))]
    hosts = [group for group in groups if _names_of(group) & free <= _free_of(group, known)]
    for group in groups:
        if group in hosts:
            continue
        # `i < 5` has no item: it goes with the first conjunct that has an item of each of its names
        needed = _names_of(group) & free
        host = next((each for each in hosts if needed <= _free_of(each, known)), None)
        if host is None:
            return _for_all(tree, known)
        host += group
    bound = [
        _bound_inside(each[0], known) if len(each) == 1 else _for_all(_joined(each, tree), known)
        for each in hosts
    ]
    return _joined(bound, tree)


def _conjuncts(tree: ast.expr, known: frozenset[str]) -> Iterator[ast.expr]:
    match tree:
        case ast.BoolOp(op=ast.And(), values=parts):
            for each in parts:
                yield from _conjuncts(each, known)
        case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=ast.Or(), values=parts)):
            for each in parts:
                yield from _conjuncts(_at(ast.UnaryOp(ast.Not(), each), tree), known)
        case ast.Compare(left=left, ops=signs, comparators=others):
            links = zip((left, *others[:-1]), signs, others, strict=True)
            pairs = [_at(ast.Compare(one, [sign], [other]), tree) for one, sign, other in links]
            for _, run in groupby(pairs, lambda each: _items(each, known)):
                first, *rest = run
                yield _at(
                    ast.Compare(
                        first.left,
                        [*first.ops, *(each.ops[0] for each in rest)],
                        [*first.comparators, *(each.comparators[0] for each in rest)],
                    ),
                    tree,
                )
        case _:
            yield tree


def _bound_inside(tree: ast.expr, known: frozenset[str]) -> ast.expr:
    """Bind the free names of one conjunct around the smallest condition."""
    free = _free(tree, known)
    match tree:
        case ast.BoolOp(op=ast.Or(), values=parts):
            users = [each for each in parts if _names(each) & free]
            if len(users) == 1:
                parts = [quantified(each, known) for each in parts]
                return _at(ast.BoolOp(ast.Or(), parts), tree)
        case ast.IfExp(test=test, body=body, orelse=other) if not _names(test) & free:
            then, other = quantified(body, known), quantified(other, known)
            return _at(ast.IfExp(test, then, other), tree)
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() as many]):
            loops = many.generators
            outside = {name for each in loops for name in _names(each.iter)} | {
                name for each in loops for test in each.ifs for name in _names(test)
            }
            if not outside & free:
                inner = quantified(many.elt, known | _stored(many))
                return _call("all", _at(ast.GeneratorExp(inner, loops), many), at=tree)
    return _for_all(tree, known)


def _for_all(tree: ast.expr, known: frozenset[str]) -> ast.expr:
    """Return the expression inside `all(...)` over each free name."""
    if not _free(tree, known):
        return tree
    tree = _unshifted(tree, known)
    uses: dict[str, list[_Use]] = {}
    for use in _uses(tree, known):
        uses.setdefault(use.name, []).append(use)
    ranges: dict[str, str] = {}
    generators: list[ast.comprehension] = []
    dependent: list[_Use] = []
    order, is_ordered = _ordered(uses)
    for at, name in enumerate(order):
        later = uses.keys() - {*order[:at]} if is_ordered else uses.keys()
        alone = [use for use in uses[name] if not _names(use.base) & later]
        first = (alone or uses[name])[0]
        key = ast.dump(first.base) if first.shift == 0 else ""
        before = ranges.get(key)
        generators.append(_generator(name, alone or uses[name], before, tree))
        ranges[key or name] = name
        dependent += [use for use in uses[name] if alone and use not in alone]
    generators[-1].ifs = [*_exist(tree, uses.keys()), *map(_is_there, dependent)]
    return _call("all", _at(ast.GeneratorExp(tree, generators), tree), at=tree)


def _unshifted(tree: ast.expr, known: frozenset[str]) -> ast.expr:
    """Write `a[i]` for `a[i + 1]` if all uses of a name have one shift: all items are meant."""
    tree = deepcopy(tree)
    for name in _free(tree, known):
        shifts = [use.shift for use in _uses(tree, known) if use.name == name]
        count = sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))
        if len({*shifts}) == 1 and shifts[0] and count == len(shifts):
            for node in ast.walk(tree):
                match node:
                    case ast.Subscript(slice=ast.BinOp(left=ast.Name(id=found) as plain)) if (
                        found == name
                    ):
                        node.slice = plain
    return tree


def _exist(tree: ast.expr, names: AbstractSet[str]) -> Iterator[ast.expr]:
    """Yield conditions under which items at larger positions exist: `heap[2 * i + 1]`, `a[i + k]`.

    Other positions must exist: `p[p[i]]` is broken by an item that is not a position.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(slice=ast.BinOp(left=ast.Name(), right=ast.Constant())):
                continue
            case ast.Subscript(value=base, slice=ast.BinOp() as at) if (
                _names(at) & names and _grows(at, names) and not _names(node) & _stored(tree)
            ):
                length = _length(base)
                low = _at(ast.Constant(0), at)
                yield _at(ast.Compare(low, [ast.LtE(), ast.Lt()], [at, length]), at)


def _is_there(use: _Use) -> ast.expr:
    """Return the condition that an item exists whose list depends on the position: `m[i][i]`."""
    position: ast.expr = _at(ast.Name(use.name, ast.Load()), use.base)
    if use.shift:
        position = _binary(position, ast.Add(), _at(ast.Constant(use.shift), use.base))
    low = _at(ast.Constant(0), use.base)
    return _at(ast.Compare(low, [ast.LtE(), ast.Lt()], [position, _length(use.base)]), low)


def _grows(at: ast.expr, names: AbstractSet[str]) -> bool:
    """Return whether a position is a sum or product of free names and of other values."""
    match at:
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult(), right=right):
            return _grows(left, names) and _grows(right, names)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _grows(left, names) and not _names(right) & names
    return isinstance(at, ast.Name) or not _names(at) & names


def _uses(tree: ast.expr, known: frozenset[str]) -> Iterator[_Use]:
    """Yield the indexes by free names, in the order of the text."""
    known |= _stored(tree)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
    for node in sorted(found, key=lambda each: (each.slice.lineno, each.slice.col_offset)):
        match node.slice:
            case ast.Name(id=name) if name not in known:
                yield _Use(name, node.value, 0)
            case ast.BinOp(
                left=ast.Name(id=name),
                op=ast.Add() | ast.Sub() as op,
                right=ast.Constant(value=int(shift)),
            ) if name not in known:
                yield _Use(name, node.value, shift if isinstance(op, ast.Add) else -shift)


def _items(tree: ast.expr, known: frozenset[str]) -> object:
    """Return the items that a condition needs, or the condition itself if it is not atomic."""
    if not isinstance(tree, ast.Compare):
        return id(tree)
    return {(use.name, ast.dump(use.base), use.shift) for use in _uses(tree, known)}


def _free(tree: ast.expr, known: frozenset[str]) -> set[str]:
    return {use.name for use in _uses(tree, known)}


def _free_of(group: Sequence[ast.expr], known: frozenset[str]) -> set[str]:
    return {name for each in group for name in _free(each, known)}


def _names_of(group: Sequence[ast.expr]) -> set[str]:
    return {name for each in group for name in _names(each) - _stored(each)}


def _joined(parts: Sequence[ast.expr], at: ast.expr) -> ast.expr:
    return parts[0] if len(parts) == 1 else _at(ast.BoolOp(ast.And(), [*parts]), at)


def _ordered(uses: dict[str, list[_Use]]) -> tuple[list[str], bool]:
    """Return the names, those that others' values depend on first: `grid[i][j]` gives i, j.

    Also returns whether each name comes after all that its values depend on: not so for
    `m[i][j] == m[j][i]`.
    """
    needed = {
        name: [_names(use.base) & uses.keys() - {name} for use in each]
        for name, each in uses.items()
    }
    for waits in (
        {name: set[str]().union(*each) for name, each in needed.items()},
        {name: set.intersection(*each) for name, each in needed.items()},
    ):
        order: list[str] = []
        while ready := [each for each in waits if each not in order and waits[each] <= {*order}]:
            order.append(ready[0])
        if len(order) == len(uses):
            return order, waits == {name: set[str]().union(*each) for name, each in needed.items()}
    return sorted(uses), False


def _generator(name: str, uses: list[_Use], before: str | None, at: ast.expr) -> ast.comprehension:
    lows = {-use.shift for use in uses if use.shift < 0}
    low: ast.expr = _at(ast.Constant(max(lows, default=0)), at)
    if before:
        one = _at(ast.Constant(1), at)
        low = _binary(_at(ast.Name(before, ast.Load()), at), ast.Add(), one)
    largest: dict[str, _Use] = {}
    for use in sorted(uses, key=lambda each: -each.shift):
        largest.setdefault(ast.dump(use.base), use)
    highs = [_stop(use, at) for use in largest.values()]
    high = highs[0] if len(highs) == 1 else _call("min", *highs, at=at)
    target = _at(ast.Name(name, ast.Store()), at)
    bounds = [high] if isinstance(low, ast.Constant) and low.value == 0 else [low, high]
    return ast.comprehension(target, _call("range", *bounds, at=at), [], 0)


def _stop(use: _Use, at: ast.expr) -> ast.expr:
    length = _length(use.base)
    if use.shift == 0:
        return length
    sign = ast.Sub() if use.shift > 0 else ast.Add()
    return _binary(length, sign, _at(ast.Constant(abs(use.shift)), at))


def _call(name: str, *args: ast.expr, at: ast.expr) -> ast.expr:
    return _at(ast.Call(_at(ast.Name(name, ast.Load()), at), [*args], []), at)


def _length(base: ast.expr) -> ast.Call:
    return _at(Length(_at(ast.Name("len", ast.Load()), base), [base], []), base)


def _binary(left: ast.expr, op: ast.operator, right: ast.expr) -> ast.expr:
    return _at(ast.BinOp(left, op, right), left)


def _at(tree: _Tree, at: ast.expr) -> _Tree:
    """Give a new node the column of another one, for messages."""
    return ast.copy_location(tree, at)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _stored(tree: ast.expr) -> set[str]:
    """Return the names of loops: an index by one of them is not free."""
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
