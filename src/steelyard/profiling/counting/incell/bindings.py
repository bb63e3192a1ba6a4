"""Resolve the names of a program as far as its text allows: modules, functions, kinds."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator

_STAR = {
    "heapq": (
        "heapify",
        "heappop",
        "heappush",
        "heappushpop",
        "heapreplace",
        "nlargest",
        "nsmallest",
    ),
    "bisect": ("bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right"),
    "collections": ("Counter", "OrderedDict", "defaultdict", "deque"),
    "functools": ("reduce",),
    "math": ("comb", "factorial", "fsum", "perm", "prod"),
    "sys": ("stdin", "stdout"),
    "copy": ("copy", "deepcopy"),
}
"""The charged names that `from MODULE import *` imports."""

_NUMERIC_CALLS = frozenset(
    {
        "builtins.int",
        "builtins.float",
        "builtins.len",
        "builtins.ord",
        "builtins.abs",
        "builtins.round",
        "builtins.hash",
        "math.gcd",
        "math.sqrt",
        "math.isqrt",
        "math.ceil",
        "math.floor",
        "math.log",
        "math.log2",
        "builtins.id",
    }
)
_NUMERIC_OPERATORS = (ast.Div, ast.FloorDiv, ast.LShift, ast.RShift, ast.Pow)
_SEQUENCE_CALLS = frozenset(
    {
        "builtins.list",
        "builtins.sorted",
        "builtins.tuple",
        "builtins.str",
        "builtins.input",
        "builtins.bytes",
        "builtins.bytearray",
        "sys.stdin.readline",
        "sys.stdin.read",
    }
)
_SEQUENCE_METHODS = frozenset(
    {"split", "strip", "rstrip", "join", "lower", "upper", "copy", "replace"}
)
_TABLE_CALLS = frozenset(
    {
        "builtins.set",
        "builtins.dict",
        "builtins.frozenset",
        "collections.defaultdict",
        "collections.Counter",
        "collections.OrderedDict",
        "builtins.range",
    }
)
_MAX_DEPTH = 40

Binding = ast.expr | str | None
"""A value; the dotted name of what was imported, or `<number>`; None if nothing is known."""
NUMBER = "<number>"


class Bindings:
    """All values that each name is bound to anywhere in a program, whatever the scope.

    Args:
        tree: The program.
    """

    def __init__(self, tree: ast.AST) -> None:
        self._of: dict[str, list[Binding]] = {}
        self.methods: set[str] = set()
        """The functions that the program's own classes and modules define."""
        for node in ast.walk(tree):
            for name, value in _bound(node):
                self._of.setdefault(name, []).append(value)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.methods.add(node.name)
        self._sequences: set[str] = set()
        self._settle()

    def dotted(self, node: ast.expr, depth: int = 0) -> str:
        """Return the dotted name of an expression, such as `heapq.heappush`; empty if unknown."""
        if depth > _MAX_DEPTH:
            return ""
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value, depth + 1)
            return f"{base}.{node.attr}" if base else ""
        if not isinstance(node, ast.Name):
            return ""
        values = self._of.get(node.id)
        if values is None:
            return f"builtins.{node.id}" if hasattr(builtins, node.id) else ""
        if any(isinstance(value, ast.Name) and value.id == node.id for value in values):
            return ""
        found = {
            value if isinstance(value, str) else self.dotted(value, depth + 1) if value else ""
            for value in values
        }
        return found.pop() if len(found) == 1 else ""

    def is_number(self, node: ast.expr) -> bool:
        """Return whether an expression can only be a number."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (int, float))
        if isinstance(node, ast.Name):
            return node.id in self._numbers
        if isinstance(node, ast.UnaryOp):
            return not isinstance(node.op, ast.Not) and self.is_number(node.operand)
        if isinstance(node, ast.BinOp):
            sides = self.is_number(node.left), self.is_number(node.right)
            if isinstance(node.op, _NUMERIC_OPERATORS):
                return any(sides)
            if isinstance(node.op, ast.Mod):
                return sides[0]
            return all(sides) if isinstance(node.op, ast.Mult) else any(sides)
        if isinstance(node, ast.IfExp):
            return self.is_number(node.body) and self.is_number(node.orelse)
        if isinstance(node, ast.Call):
            called = self.dotted(node.func)
            if called in ("builtins.min", "builtins.max") and len(node.args) > 1:
                return any(map(self.is_number, node.args))
            return called in _NUMERIC_CALLS
        return isinstance(node, ast.Compare)

    def is_sequence(self, node: ast.expr) -> bool:
        """Return whether an expression is a list, a tuple or a text, as far as known."""
        if isinstance(node, (ast.List, ast.ListComp, ast.Tuple, ast.JoinedStr)):
            return True
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (str, bytes))
        if isinstance(node, ast.Name):
            return node.id in self._sequences
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Slice)
        if isinstance(node, ast.BinOp):
            return self.is_sequence(node.left) or self.is_sequence(node.right)
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in _SEQUENCE_METHODS:
                return True
            return self.dotted(node.func) in _SEQUENCE_CALLS
        return False

    def is_table(self, node: ast.expr) -> bool:
        """Return whether a search in it needs no pass: a set, a dictionary, a range."""
        if isinstance(node, (ast.Set, ast.Dict, ast.SetComp, ast.DictComp, ast.Constant)):
            return True
        if isinstance(node, (ast.Tuple, ast.List)):  # written out, so of a fixed size
            return not any(isinstance(each, ast.Starred) for each in node.elts)
        if isinstance(node, ast.Name):
            return node.id in self._tables
        return isinstance(node, ast.Call) and self.dotted(node.func) in _TABLE_CALLS

    def _settle(self) -> None:
        """Find the kinds of names: a name is a number until one of its bindings is not."""
        self._numbers = set(self._of)
        self._tables = {name for name in self._of if not self._is_text_or_row(name)}
        self._shrink(self._numbers, self.is_number)
        self._shrink(self._tables, self.is_table)
        before = -1
        while len(self._sequences) > before:
            before = len(self._sequences)
            for name, values in self._of.items():
                if any(isinstance(each, ast.expr) and self.is_sequence(each) for each in values):
                    self._sequences.add(name)

    def _shrink(self, names: set[str], is_kind: Callable[[ast.expr], bool]) -> None:
        """Remove names with a binding of another kind, until nothing changes."""
        while wrong := [
            name
            for name in names
            for value in self._of[name]
            if value != NUMBER and not (isinstance(value, ast.expr) and is_kind(value))
        ]:
            names.difference_update(wrong)

    def _is_text_or_row(self, name: str) -> bool:
        """Return whether it is bound to what is of a fixed size only where it is written out."""
        fixed = (ast.Constant, ast.Tuple, ast.List)
        return any(value == NUMBER or isinstance(value, fixed) for value in self._of[name])


def _bound(node: ast.AST) -> Iterator[tuple[str, Binding]]:
    """Yield the names that a node binds."""
    if isinstance(node, ast.Import):
        for each in node.names:
            yield (each.asname, each.name) if each.asname else (each.name.partition(".")[0],) * 2
    elif isinstance(node, ast.ImportFrom):
        for each in node.names:
            names = _STAR.get(node.module or "", ()) if each.name == "*" else (each.name,)
            for name in names:
                yield each.asname or name, f"{node.module}.{name}"
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _assigned(target, node.value)
    elif isinstance(node, ast.AnnAssign):
        if node.value:
            yield from _assigned(node.target, node.value)
    elif isinstance(node, ast.NamedExpr):
        yield from _assigned(node.target, node.value)
    elif isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Name):
            loaded = ast.Name(node.target.id, ast.Load())
            yield node.target.id, ast.BinOp(loaded, node.op, node.value)
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield from _gone_through(node.target, node.iter)
    elif isinstance(node, ast.withitem):
        if node.optional_vars:
            yield from _assigned(node.optional_vars, None)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, None
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        if node.name:
            yield node.name, None
    elif isinstance(node, ast.MatchMapping):
        if node.rest:
            yield node.rest, None
    elif isinstance(node, ast.arguments):
        yield from _parameters(node)


def _parameters(node: ast.arguments) -> Iterator[tuple[str, Binding]]:
    """Yield parameters with their defaults: a default that is a name is taken as the argument."""
    placed = [*node.posonlyargs, *node.args]
    defaults: dict[str, ast.expr] = {}
    if node.defaults:
        given = zip(placed[-len(node.defaults) :], node.defaults, strict=True)
        defaults.update((each.arg, value) for each, value in given)
    defaults.update(
        (each.arg, value)
        for each, value in zip(node.kwonlyargs, node.kw_defaults, strict=True)
        if value
    )
    rest = [each for each in (node.vararg, node.kwarg) if each]
    for each in (*placed, *node.kwonlyargs, *rest):
        value = defaults.get(each.arg)
        yield each.arg, value if isinstance(value, (ast.Name, ast.Attribute)) else None


def _assigned(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, Binding]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Starred):
        yield from _assigned(target.value, None)
    elif isinstance(target, (ast.Tuple, ast.List)):
        numbers = _maps_to_numbers(value)
        pairs: list[ast.expr | None] = [None] * len(target.elts)
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
            pairs = list(value.elts)
        for each, one in zip(target.elts, pairs, strict=True):
            if numbers and isinstance(each, ast.Name):
                yield each.id, NUMBER
            else:
                yield from _assigned(each, one)


def _gone_through(target: ast.expr, over: ast.expr) -> Iterator[tuple[str, Binding]]:
    """Yield the names that a loop binds."""
    called = over.func.id if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) else ""
    if isinstance(target, ast.Name) and (called == "range" or _maps_to_numbers(over)):
        yield target.id, NUMBER
    elif called == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        first, second = target.elts
        yield from ([(first.id, NUMBER)] if isinstance(first, ast.Name) else _assigned(first, None))
        yield from _assigned(second, None)
    else:
        yield from _assigned(target, None)


def _maps_to_numbers(value: ast.expr | None) -> bool:
    """Return whether it is `map(int, ...)`."""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "map"
        and bool(value.args)
        and isinstance(value.args[0], ast.Name)
        and value.args[0].id in ("int", "float")
    )
