"""Evaluate an expression such as `2^(n/2) * n` or `n - m + 1` at its largest.

The reader is tolerant, bounded, and evaluates nothing but its own small grammar.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import re2

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
        return _Reader(parts, resolve).whole()
    except _TooDeepError:
        return None


class _TooDeepError(Exception):
    pass


class _Reader:
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
