"""Read a suite without running it: which tests it has, and what each of them holds.

The values that a test writes down show its edge cases and the cases at a bound.
"""

import ast
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice, pairwise

from steelyard.project_runs import UnparsableError, parse
from steelyard.schemas import CATEGORIES, SuiteCategory

_HEAD = re.compile(
    r"[\s#`*]*(?:file(?:name)?\s*:)?[\s`*]*(?:[\w.-]+/)*"
    r"((?:test_[A-Za-z0-9_]{1,80}|[A-Za-z0-9_]{1,80}_test)\.py)[`*:\s]*$",
    re.IGNORECASE,
)
_LONGEST_HEAD = 300
_MOST_ROWS = 1_000
_BROAD = ("Exception", "BaseException")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """A test function as it is written."""

    name: str
    """`test_x` or `TestGroup::test_x`, as in its node ids."""
    category: SuiteCategory | None
    """The category that its name claims."""
    counts: int = 0
    """Cases that hold what the category asks for."""
    fault: str = ""
    """Why it holds less than its name claims."""
    asserts: bool = True
    """False if it holds no assertion that could depend on the module."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A file of tests."""

    file_name: str
    code: str
    """Without the line that names the file."""
    tests: tuple[WrittenTest, ...] = ()
    fault: str = ""
    """Why it cannot be read."""

    def test_of(self, node_id: str) -> WrittenTest | None:
        """Return the function of a node id of pytest."""
        name = node_id.partition("::")[2].partition("[")[0]
        return next((each for each in self.tests if each.name == name), None)


def default_name(module: str) -> str:
    """Return the usual name of a module's test file."""
    return f"test_{module.rpartition('.')[2]}.py"


def suite_of_text(text: str) -> tuple[str | None, str]:
    """Return the file's name in the first line of a suite, and the rest; None without a name."""
    first, _, rest = text.lstrip("\ufeff\r\n\t ").partition("\n")
    match = _HEAD.fullmatch(first.strip()[:_LONGEST_HEAD])
    return (match[1], rest) if match else (None, text)


def read_suite(code: str, file_name: str, bounds: AbstractSet[int] = frozenset()) -> Suite:
    """Return the tests of a suite.

    Args:
        code: The suite's text, without the line that names the file; hostile.
        file_name: The name of its file.
        bounds: Numbers that the module and its specification name.
    """
    try:
        return _read(parse(code).tree, code, file_name, bounds)
    except UnparsableError as error:
        line = f"line {error.line}: " if error.line and "line" not in str(error) else ""
        return Suite(file_name, code, fault=f"it is not valid Python: {line}{error}")
    except RecursionError:
        return Suite(file_name, code, fault="it is nested too deeply")


def _read(tree: ast.Module, code: str, file_name: str, bounds: AbstractSet[int]) -> Suite:
    helpers = {node.name: node for node in ast.walk(tree) if isinstance(node, _Function)}
    seen: dict[str, str] = {}
    tests = []
    for name, node in _functions(tree):
        body = ast.dump(ast.Module([*node.decorator_list, node.args, *node.body], []))  # type: ignore[list-item]
        twin = seen.setdefault(body, name)
        tests.append(_TestReader(name, node, helpers, bounds, "" if twin == name else twin).test())
    if not tests:
        return Suite(file_name, code, fault="it has no test function")
    twice = next((name for name, count in Counter(t.name for t in tests).items() if count > 1), "")
    fault = f"two tests have the name {twice}, so that pytest runs only one" if twice else ""
    return Suite(file_name, code, tuple(tests), fault)


def _functions(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    """Yield the tests that pytest finds, by the usual rules of names."""
    for node in tree.body:
        if isinstance(node, _Function) and node.name.startswith("test"):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and (node.name.startswith("Test") or node.bases):
            for inner in node.body:
                if isinstance(inner, _Function) and inner.name.startswith("test"):
                    yield f"{node.name}::{inner.name}", inner


@dataclass(frozen=True, slots=True)
class _Sized:
    """A container or text, of which only the size counts."""

    size: int
    distinct: int
    plain: bool = True
    """False for text with characters that programs often forget."""


Value = int | float | None | _Sized
Group = tuple[Value, ...]
"""The values that a test passes in one call."""


class _TestReader:
    """Reads one test with the helpers and fixtures that it uses."""

    def __init__(
        self,
        name: str,
        node: _Function,
        helpers: Mapping[str, _Function],
        bounds: AbstractSet[int],
        twin: str,
    ) -> None:
        self._name, self._node, self._bounds, self._twin = name, node, bounds, twin
        self._category = _category_of(node.name)
        used = {
            getattr(each, "id", getattr(each, "arg", getattr(each, "attr", "")))
            for each in ast.walk(node)
            if isinstance(each, ast.Name | ast.arg | ast.Attribute)
        } - {node.name}
        # One step deep: what a helper's helper does is not the test's own.
        self._bodies = [node, *(helpers[each] for each in sorted(used & helpers.keys()))]

    def test(self) -> WrittenTest:
        """Return what the test holds."""
        raised = [error for body in self._bodies for error in _raised(body)]
        asserts = bool(raised) or any(map(_asserts, self._bodies))
        counts, fault = self._counted(raised) if asserts else (0, "it asserts nothing")
        return WrittenTest(self._name, self._category, counts, fault, asserts)

    def _counted(self, raised: list[ast.expr]) -> tuple[int, str]:
        if self._category is None:
            names = ", ".join(f"test_{each}_" for each in CATEGORIES)
            return 0, f"its name begins with none of {names}"
        if self._twin:
            return 0, f"it repeats {self._twin}"
        rows = self._rows()
        match self._category:
            case "exception":
                narrow = [error for error in raised if not _is_broad(error)]
                if narrow:
                    return len(rows), ""
                return 0, (
                    "pytest.raises(Exception) accepts any error; name the exact one"
                    if raised
                    else "it has no pytest.raises"
                )
            case "normal":
                return (0, "it expects an exception") if raised else (len(rows), "")
            case "edge":
                held = sum(any(map(is_edge, row)) for row in rows)
                return held, "" if held else (
                    "it passes no edge value: write None, zero, a negative or huge number, an "
                    "empty or one-item container, equal items, or unusual text in the test itself"
                )
            case "boundary":
                held = sum(any(_is_boundary(each, self._bounds) for each in row) for row in rows)
                return held, "" if held else (
                    "it passes no value at a bound or one away from it: write the number, or "
                    "the container of that size, in the test itself"
                )

    def _rows(self) -> list[list[Group]]:
        """Return the groups of values that each case passes; a plain test is one case."""
        own = [group for body in self._bodies for group in _groups(body)]
        passed = {
            each.id
            for body in self._bodies
            for call in ast.walk(body)
            if isinstance(call, ast.Call)
            for argument in (*call.args, *(keyword.value for keyword in call.keywords))
            for each in ast.walk(argument)
            if isinstance(each, ast.Name)
        }
        rows = [own]
        for names, table in _tables(self._node):
            distinct = {ast.dump(row): row for row in table}
            cells = [_passed_cells(names, row, passed) for row in distinct.values()]
            both = ([*row, _values_of(each)] for row in rows for each in cells)
            rows = list(islice(both, _MOST_ROWS))
        return rows


def _category_of(name: str) -> SuiteCategory | None:
    return next(
        (each for each in CATEGORIES if re.match(rf"test_{each}(?:_|$)", name)),
        None,
    )


def _calls(body: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls in a body, each with the last part of the function's name."""
    for node in ast.walk(body):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", getattr(node.func, "id", "")), node


def _raised(body: ast.AST) -> Iterator[ast.expr]:
    """Yield the exceptions that a body expects."""
    for name, call in _calls(body):
        if name in ("raises", "assertRaises", "assertRaisesRegex"):
            expected = [each.value for each in call.keywords if each.arg == "expected_exception"]
            yield from (call.args[:1] or expected)[:1]


def _is_broad(error: ast.expr) -> bool:
    return any(
        isinstance(each, ast.Name) and each.id in _BROAD
        for each in (error.elts if isinstance(error, ast.Tuple) else [error])
    )


def _asserts(body: ast.AST) -> bool:
    if any(isinstance(node, ast.Assert) and _uses_a_value(node.test) for node in ast.walk(body)):
        return True
    return any(
        name.startswith("assert") or name in ("fail", "warns", "deprecated_call")
        for name, _ in _calls(body)
    )


def _uses_a_value(test: ast.expr) -> bool:
    """Return False for `assert True`, `assert 1 == 1` and the like."""
    return any(isinstance(node, ast.Name) for node in ast.walk(test))


def _groups(body: _Function) -> Iterator[Group]:
    """Yield the values that each call of a body passes, and those that it assigns."""
    assigned: list[ast.expr] = []
    for node in ast.walk(ast.Module(list(body.body), [])):
        match node:
            case ast.Call(args=args, keywords=keywords):
                yield _values_of([*args, *(each.value for each in keywords)])
            case ast.Assign(value=value):
                assigned.append(value)
            case ast.AnnAssign(value=ast.expr() as value):
                assigned.append(value)
            case ast.For(iter=ast.List(elts=items) | ast.Tuple(elts=items)):
                for item in items:
                    yield _values_of([item])
            case _:
                pass
    yield _values_of(each for each in assigned if not isinstance(each, ast.Call))


def _tables(node: _Function) -> Iterator[tuple[list[str], list[ast.expr]]]:
    """Yield the names and the rows of each parametrization that is written as a literal."""
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"),
                args=[names, ast.List(elts=rows) | ast.Tuple(elts=rows), *_],
            ) if rows:
                yield _names(names), rows
            case _:
                pass


def _names(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str() as text):
            return [each.strip() for each in text.split(",")]
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [each.value for each in items if isinstance(each, ast.Constant)]  # type: ignore[misc]
    return []


def _passed_cells(names: list[str], row: ast.expr, passed: AbstractSet[str]) -> list[ast.expr]:
    """Return the cells of a row that the test passes to a call; the others are expectations."""
    if isinstance(row, ast.Call) and getattr(row.func, "attr", "") == "param":
        cells = list(row.args)
    elif len(names) == 1:
        cells = [row]
    else:
        cells = list(row.elts) if isinstance(row, ast.Tuple | ast.List) else [row]
    return [cell for name, cell in zip(names, cells, strict=False) if name in passed]


_MOST_VALUES = 1_000
_MOST_POWER = 4_096
_LARGE = 2**31 - 1
_POWERS = (7, 8, 15, 16, 31, 32, 53, 63, 64)
_NEAR = frozenset(2**power + step for power in _POWERS for step in (-1, 0, 1))
_NAMED = {
    "sys.maxsize": sys.maxsize,
    "math.inf": math.inf,
    "math.nan": math.nan,
    "float('inf')": math.inf,
    "float('-inf')": -math.inf,
    "float('nan')": math.nan,
}
_EMPTY = ("set", "dict", "list", "tuple", "str", "bytes", "frozenset", "deque", "bytearray")


def _values_of(nodes: Iterable[ast.expr]) -> Group:
    """Return the values among some expressions, with those inside containers."""
    return tuple(islice((value for node in nodes for value in _values(node)), _MOST_VALUES))


def is_edge(group: Group) -> bool:
    """Return True if a value is one that programs often get wrong.

    None, zero, a negative or very large number, an infinity, NaN, an empty container or one of a
    single item, equal items, text that is blank or not ASCII.
    """
    return any(_is_edge(value) for value in group)


def _is_boundary(group: Group, bounds: AbstractSet[int]) -> bool:
    """Return True if a number or a size is at a bound, or one away.

    A bound is one of the module or the specification, zero, the end of a machine's integers, or
    another number or size of the same call.

    Args:
        group: The values of one call.
        bounds: The numbers that the module and the specification name.
    """
    numbers = [value for value in group if isinstance(value, int | float)]
    finite = [value for value in numbers if math.isfinite(value)]
    sizes = [value.size for value in group if isinstance(value, _Sized)]
    near = {bound + step for bound in (*bounds, 0) for step in (-1, 0, 1)} | _NEAR
    if any(value in near for value in (*finite, *sizes)):
        return True
    both = sorted([*finite, *sizes])
    return any(other - one <= 1 for one, other in pairwise(both))


def bounds_in(tree: ast.AST) -> frozenset[int]:
    """Return the whole numbers that a program names."""
    return frozenset(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int)
        and not isinstance(node.value, bool)
    )


def _is_edge(value: Value) -> bool:
    match value:
        case None:
            return True
        case _Sized(size, distinct, plain):
            return size <= 1 or distinct == 1 or not plain
        case int() | float():
            return value <= 0 or value >= _LARGE or value != value
    return False


def _values(node: ast.expr) -> Iterator[Value]:
    """Yield the values of one expression; nothing if it cannot be read."""
    if isinstance(node, ast.Starred):
        node = node.value
    number = _number(node)
    if number is not None:
        yield number
        return
    match node:
        case ast.Constant(value=None):
            yield None
        case ast.Constant(value=str() | bytes() as text):
            blank = not text.strip() or not text.isascii()
            yield _Sized(len(text), len(set(text)), plain=not blank)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            distinct = len({ast.dump(item) for item in items})
            yield _Sized(len(items), distinct)
            for item in items:
                yield from _values(item)
        case ast.Dict(keys=keys, values=values):
            yield _Sized(len(keys), len(keys))
            for each in (*keys, *values):
                if each is not None:
                    yield from _values(each)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            yield from _repeated(left, right)
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in _EMPTY:
            yield _Sized(0, 0)
        case ast.Call(func=ast.Name(id="range"), args=[only]):
            size = _number(only)
            if isinstance(size, int):
                yield _Sized(max(size, 0), max(size, 0))
        case ast.Call(args=args, keywords=keywords):  # Decimal("0"), list(range(5)), Point(0, 0)
            for each in (*args, *(keyword.value for keyword in keywords)):
                yield from _values(each)
        case _:
            pass


def _repeated(left: ast.expr, right: ast.expr) -> Iterator[Value]:
    for body, count in ((left, right), (right, left)):
        times = _number(count)
        inner = next(_values(body), None)
        if isinstance(times, int) and isinstance(inner, _Sized):
            yield _Sized(max(0, inner.size * times), inner.distinct if times > 0 else 0)
            return


def _number(node: ast.expr) -> int | float | None:
    """Return the value of an expression of numbers; None if it is not one."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _number(operand)
            return None if inner is None else -inner
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(op, _number(left), _number(right))
        case ast.Attribute() | ast.Call():
            return _NAMED.get(ast.unparse(node)) if _is_short(node) else None
    return None


def _computed(op: ast.operator, one: float | None, other: float | None) -> int | float | None:
    if one is None or other is None:
        return None
    try:
        match op:
            case ast.Add():
                return one + other
            case ast.Sub():
                return one - other
            case ast.Mult() if max(abs(one), abs(other)) < 1 << _MOST_POWER:
                return one * other
            case ast.Pow() if 0 <= other <= _MOST_POWER and abs(one) <= 1 << 64:
                power: int | float = one**other
                return power if abs(power) < 1 << _MOST_POWER else None
    except (OverflowError, ValueError):
        return None
    return None


def _is_short(node: ast.expr) -> bool:
    return (node.end_col_offset or 0) - node.col_offset < 40
