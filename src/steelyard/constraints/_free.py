"""Read `nums[i]` with a free `i` as: for every i."""

import ast
from collections.abc import Iterator

_Use = tuple[ast.expr, int]  # the indexed value, and the constant that is added to the index


def quantified(tree: ast.expr, known: frozenset[str]) -> ast.expr:
    """Return the expression inside `all(...)` over each free name that is used as an index.

    `a[i] <= a[i + 1]` runs over each i for which both items exist. Two free names that index the
    same value run over all pairs of different positions, the first name before the second.

    Args:
        tree: The expression.
        known: Names that are not free.
    """
    uses: dict[str, list[_Use]] = {}
    for name, use in _index_uses(tree, known | _bound(tree)):
        uses.setdefault(name, []).append(use)
    if not uses:
        return tree
    ranges: dict[str, str] = {}
    generators = []
    for name in _ordered(uses):
        alone = [use for use in uses[name] if not _names(use[0]) & uses.keys()]
        first = (alone or uses[name])[0]
        key = ast.dump(first[0]) if first[1] == 0 else ""
        before = ranges.get(key)
        generators.append(_generator(name, alone or uses[name], before, tree))
        ranges[key or name] = name
    body = ast.copy_location(ast.GeneratorExp(tree, generators), tree)
    return _call("all", body, at=tree)


def _index_uses(tree: ast.expr, known: frozenset[str]) -> Iterator[tuple[str, _Use]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            match node.slice:
                case ast.Name(id=name) if name not in known:
                    yield name, (node.value, 0)
                case ast.BinOp(
                    left=ast.Name(id=name),
                    op=ast.Add() | ast.Sub() as op,
                    right=ast.Constant(value=int(shift)),
                ) if name not in known:
                    yield name, (node.value, shift if isinstance(op, ast.Add) else -shift)


def _ordered(uses: dict[str, list[_Use]]) -> list[str]:
    """Return the names, those that others' values depend on first: `grid[i][j]` gives i, j."""
    waits = {
        name: set.intersection(*(_names(base) & uses.keys() - {name} for base, _ in bases))
        for name, bases in uses.items()
    }
    order: list[str] = []
    while waits:
        name = next((name for name, other in waits.items() if not other - {*order}), min(waits))
        order.append(name)
        del waits[name]
    return order


def _generator(name: str, uses: list[_Use], before: str | None, at: ast.expr) -> ast.comprehension:
    lows = {-shift for _, shift in uses if shift < 0}
    low: ast.expr = ast.copy_location(ast.Constant(max(lows, default=0)), at)
    if before:
        one = ast.copy_location(ast.Constant(1), at)
        low = _binary(ast.copy_location(ast.Name(before, ast.Load()), at), ast.Add(), one)
    shifts: dict[str, _Use] = {}
    for base, shift in uses:
        key = ast.dump(base)
        shifts[key] = (base, max(shift, shifts.get(key, (base, shift))[1]))
    highs = [_last(base, shift, at) for base, shift in shifts.values()]
    high = highs[0] if len(highs) == 1 else _call("min", *highs, at=at)
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    bounds = [high] if isinstance(low, ast.Constant) and low.value == 0 else [low, high]
    return ast.comprehension(target, _call("range", *bounds, at=at), [], 0)


def _last(base: ast.expr, shift: int, at: ast.expr) -> ast.expr:
    length = _call("len", base, at=at)
    if shift <= 0:
        return length
    return _binary(length, ast.Sub(), ast.copy_location(ast.Constant(shift), at))


def _call(name: str, *args: ast.expr, at: ast.expr) -> ast.expr:
    function = ast.copy_location(ast.Name(name, ast.Load()), at)
    return ast.copy_location(ast.Call(function, list(args), []), at)


def _binary(left: ast.expr, op: ast.operator, right: ast.expr) -> ast.expr:
    return ast.copy_location(ast.BinOp(left, op, right), left)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _bound(tree: ast.expr) -> set[str]:
    """Return the names of loops: an index by one of them is not free."""
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
