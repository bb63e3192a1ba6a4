"""Find the largest sizes of the input, and evaluate expressions such as `2^(n/2) * n` at them.

`Sizes` knows sizes by the names and nouns that plans and programs use. `magnitude` evaluates an
expression: it is tolerant, bounded, and evaluates nothing but its own small grammar.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import re2

from steelyard.solving.pruning._tree import readable

_AFFIX = re2.compile(r"^(?:max|num|number_of|count_of)_?|_?(?:max|limit|count)$")
_LONGEST_NAME = 100
_MAIN = ("n", "length", "len", "size", "s_length", "string_length", "array_size", "n_elements")
_VALUES = re2.compile(
    r"^(?:[a-z]_?i|[a-z]_?ij|[a-z]_?max|max_?[a-z]|a|w|c|x|y|s|mod|k|.*(?:value|values|weight|cost"
    r"|price|coord|coordinate|coordinates|time|sum|height|target|element|elements|capacity).*)$"
)
_ROLES: Mapping[str, tuple[str, ...]] = {
    "query": ("q", "queries", "operations", "ops", "updates", "events", "commands", "m"),
    "edge": ("m", "e", "edges", "roads", "links", "k"),
    "vertex": ("n", "v", "vertices", "nodes", "cities"),
    "test": ("t", "tests", "test_cases", "testcases"),
    "row": ("h", "rows", "r", "height", "n"),
    "column": ("w", "cols", "columns", "c", "width", "m"),
}
_NOUNS: Mapping[str, str] = {
    "query": "query",
    "queries": "query",
    "operation": "query",
    "operations": "query",
    "op": "query",
    "ops": "query",
    "update": "query",
    "updates": "query",
    "event": "query",
    "events": "query",
    "command": "query",
    "edge": "edge",
    "edges": "edge",
    "road": "edge",
    "roads": "edge",
    "cable": "edge",
    "cables": "edge",
    "vertex": "vertex",
    "vertices": "vertex",
    "node": "vertex",
    "nodes": "vertex",
    "city": "vertex",
    "cities": "vertex",
    "test": "test",
    "tests": "test",
    "testcase": "test",
    "row": "row",
    "rows": "row",
    "column": "column",
    "columns": "column",
}


@dataclass(frozen=True, slots=True)
class Size:
    """A size of the input at its largest."""

    name: str
    value: float


class Sizes:
    """The known sizes of the input.

    Args:
        bounds: The largest value of each, by name; not empty.
        statement: The problem's words: `the sum of n over all tests` makes tests share n.
    """

    def __init__(self, bounds: Mapping[str, int], statement: str = "") -> None:
        self._by_name: dict[str, Size] = {}
        for name, value in list(bounds.items())[:100]:
            shown = readable(name, _LONGEST_NAME)
            size = Size(shown, float(min(max(value, 0), 10**300)))
            for key in (shown.lower(), _AFFIX.sub("", shown.lower())):
                self._by_name.setdefault(key, size)
        self.shared_by_tests = any(key.startswith(("sum", "total")) for key in self._by_name) or (
            "sum of" in statement.lower() and "test" in statement.lower()
        )
        self.main = self._main()
        self.least = min(size.value for size in self._by_name.values())
        """Return the smallest size: enumerations are often over that one."""

    def named(self, name: str) -> Size | None:
        """Return the size of this name, in any case, with or without `max_` and the like."""
        key = name.lower()
        return self._by_name.get(key) or self._by_name.get(_AFFIX.sub("", key) or key)

    def of_role(self, role: str) -> Size | None:
        """Return the size of queries, edges, vertices, tests, rows or columns."""
        for name in _ROLES[role]:
            if name in self._by_name:
                return self._by_name[name]
        return None

    def of_noun(self, noun: str) -> Size | None:
        """Return the number of items that a noun names, such as `queries`."""
        named = self.named(noun)
        if named is None and len(noun) > 1:
            named = self.named(noun + "s") or self.named(noun.removesuffix("s"))
        if named is not None:
            return named
        role = _NOUNS.get(noun.lower())
        return self.of_role(role) if role else None

    def _main(self) -> Size:
        for name in _MAIN:
            if name in self._by_name:
                return self._by_name[name]
        if rows := self._by_name.get("h") or self._by_name.get("rows"):
            columns = self._by_name.get("w") or self._by_name.get("cols") or rows
            return max(rows, columns, key=lambda size: size.value)
        plain = [size for key, size in self._by_name.items() if not _VALUES.search(key)]
        if plain:
            return max(plain, key=lambda size: size.value)
        return next(iter(self._by_name.values()))


_PART = re2.compile(
    r"\d+(?:\.\d+)?(?:[eE]\d+)?|[A-Za-z_\x{3b1}√]\w*(?:\.\w+)*|<<|>>|\*\*|//|'[a-zA-Z]'"
    r"|[-+*/^%()|\[\],!\x{d7}·⋅²³⌊⌋⌈⌉√]"
)
_MOST_PARTS = 80
_DEEPEST = 20
_MOST = 1e300
_LOGS = frozenset({"log", "log2", "lg", "ln", "log10", "logn"})
_ROOTS = frozenset({"sqrt", "isqrt", "√"})
_LENGTHS = frozenset({"len", "size", "length"})
_SIZED = frozenset({"count", "abs", "int", "ll", "ceil", "floor", "long", "sum"})
_INVERSE_ACKERMANN = frozenset({"\u03b1", "alpha", "ack"})
Resolve = Callable[[str], float | None]


def magnitude(text: str, resolve: Resolve) -> float | None:
    """Return roughly the largest value of an expression; None if all of it is unknown.

    Args:
        text: The expression; its first 80 parts are read.
        resolve: The largest value of a name, or None.
    """
    parts = _PART.findall(text[:400])[:_MOST_PARTS]
    if not parts:
        return None
    try:
        return _ExpressionReader(parts, resolve).whole()
    except _TooDeepError:
        return None


class _TooDeepError(Exception):
    pass


class _ExpressionReader:
    def __init__(self, parts: list[str], resolve: Resolve) -> None:
        self._parts = parts
        self._at = 0
        self._depth = 0
        self._resolve = resolve

    def whole(self) -> float | None:
        best = self._sum()
        while self._at < len(self._parts):
            self._at += 1
            best = _larger(best, self._sum())
        return best

    def _peek(self) -> str:
        return self._parts[self._at] if self._at < len(self._parts) else ""

    def _sum(self) -> float | None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _TooDeepError
        value = self._product()
        while self._peek() in {"+", "-"}:
            sign = self._parts[self._at]
            self._at += 1
            other = self._product()
            if sign == "+" and value is not None and other is not None:
                value = min(_MOST, value + other)
            elif sign == "+":
                value = _larger(value, other)
        self._depth -= 1
        return value

    def _product(self) -> float | None:
        value = self._power()
        while part := self._peek():
            if part in {"*", "\u00d7", "·", "⋅"}:
                self._at += 1
                value = _times(value, self._power())
            elif part in {"/", "//"}:
                self._at += 1
                other = self._power()
                if value is not None and other is not None and other > 1:
                    value = value / other
            elif part in {"%", "mod"}:
                self._at += 1
                value = _smaller(value, self._power())
            elif part == "<<":
                self._at += 1
                other = self._power()
                value = None if other is None else _times(value, _exponential(2.0, other))
            elif part == ">>":
                self._at += 1
                other = self._power()
                if value is not None and other is not None:
                    value = value / _exponential(2.0, other)
            elif part in {"(", "√"} or part[0].isalnum() or part[0] in "_\u03b1":
                value = _times(value, self._power())
            else:
                break
        return value

    def _power(self) -> float | None:
        value = self._atom()
        while self._peek() in {"^", "**", "²", "³", "!"}:
            part = self._parts[self._at]
            self._at += 1
            if part in {"²", "³"}:
                value = None if value is None else _exponential(value, 2.0 + (part == "³"))
            elif part == "!":
                value = None if value is None else factorial(value)
            else:
                exponent = self._power()
                known = value is not None and exponent is not None
                value = _exponential(value or 0.0, exponent or 0.0) if known else None
        return value

    def _atom(self) -> float | None:
        part = self._peek()
        self._at += 1
        if not part:
            return None
        if part == "-":
            return self._power()
        if part[0] in "0123456789":
            return min(_MOST, float(part))
        if part[0] == "'":
            return 26.0
        if part in {"(", "|", "⌊", "⌈"}:
            return self._grouped({"(": ")", "|": "|", "⌊": "⌋", "⌈": "⌉"}[part])
        if part.lower() in _LOGS:
            value = self._raised_argument()
            return 20.0 if value is None else max(1.0, math.log2(value + 2))
        if part.lower() in _ROOTS:
            value = self._argument()
            return None if value is None else math.sqrt(value)
        if part in _INVERSE_ACKERMANN:
            self._argument()
            return 4.0
        if part in {"min", "max"} and self._peek() == "(":
            return self._chosen(smallest=part == "min")
        if part.lower() in _LENGTHS and self._peek() == "(":
            return self._length()
        if part.lower() in _SIZED and self._peek() in {"(", "|"}:
            return self._argument()
        return self._name(part)

    def _name(self, part: str) -> float | None:
        value = self._resolve(part)
        opener = self._peek()
        if opener == "[":
            self._skip("[", "]")
            return None
        if opener == "(" and (value is None or "." in part):
            self._skip("(", ")")
        return value

    def _length(self) -> float | None:
        name = self._parts[self._at + 1] if self._at + 1 < len(self._parts) else ""
        self._skip("(", ")")
        return self._resolve(f"|{name}|")

    def _raised_argument(self) -> float | None:
        """Parse the argument of `log^2 n` like that of `log n`: the power is ignored."""
        if self._peek() in {"^", "²"}:
            self._at += 1 + (self._peek() == "^")
        return self._argument()

    def _argument(self) -> float | None:
        if self._peek() in {"(", "|"}:
            closing = ")" if self._peek() == "(" else "|"
            self._at += 1
            return self._grouped(closing)
        return self._power()

    def _grouped(self, closing: str) -> float | None:
        if closing == "|":
            name = self._peek()
            self._at += 1
            if self._peek() == "|":
                self._at += 1
            return self._resolve(f"|{name}|")
        value = self._sum()
        while self._peek() == ",":
            self._at += 1
            value = _larger(value, self._sum())
        if self._peek() == closing:
            self._at += 1
        return value

    def _chosen(self, *, smallest: bool) -> float | None:
        self._at += 1
        value = self._sum()
        while self._peek() == ",":
            self._at += 1
            other = self._sum()
            value = _smaller(value, other) if smallest else _larger(value, other)
        if self._peek() == ")":
            self._at += 1
        return value

    def _skip(self, opening: str, closing: str) -> None:
        depth = 0
        while part := self._peek():
            self._at += 1
            depth += (part == opening) - (part == closing)
            if depth <= 0:
                return


def factorial(n: float) -> float:
    """Return n!, at most 1e300."""
    return _MOST if n > 160 else math.gamma(n + 1)


def _exponential(base: float, exponent: float) -> float:
    if base <= 1:
        return base
    return _MOST if exponent * math.log10(base) > 299 else base**exponent


def _times(one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return _larger(one, other)
    return min(_MOST, one * other)


def _larger(one: float | None, other: float | None) -> float | None:
    known = [value for value in (one, other) if value is not None]
    return max(known) if known else None


def _smaller(one: float | None, other: float | None) -> float | None:
    known = [value for value in (one, other) if value is not None]
    return min(known) if known else None
