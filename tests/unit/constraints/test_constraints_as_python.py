"""Constraints mean what Python means: random expressions are compared with Python's own value."""

import random
import warnings
from contextlib import suppress
from typing import Any

import pytest

from steelyard.constraints import Validator, parse_constraint
from steelyard.errors import SpecificationError
from steelyard.values import parse_type

TYPES = {"a": "list[int]", "b": "list[int]", "k": "int", "s": "str", "g": "list[list[int]]"}
OPERATORS = ("+", "-", "*", "//", "%", "**")
SIGNS = ("<", "<=", ">", ">=", "==", "!=")
IDIOMS = [
    "all(a[i] <= a[i + 1] for i in range(len(a) - 1))",
    "sorted(a) == a",
    "len(a) == len(set(a))",
    "all(a[i - 1] < a[i] for i in range(1, len(a)))",
    "sorted(a, reverse=True) == a",
    "sorted(a) == list(range(1, len(a) + 1))",
    "sorted(a) == list(range(len(a)))",
    "a == a[::-1]",
    "s == s[::-1]",
    "all(x >= y for x, y in zip(a, a[1:]))",
    "all(len(r) == len(g[0]) for r in g)",
    "sorted(a) == sorted(b)",
    "len({tuple(r) for r in g}) == len(g)",
    "all(y > x for x, y in zip(b, b[1:]))",
    "all(a[i] != a[j] for i in range(len(a)) for j in range(i + 1, len(a)))",
    "all(0 <= a[i] <= 3 for i in range(len(a)))",
    "all(a[i] != b[i] for i in range(len(a)))",
    "all(g[i][j] < 2 for i in range(len(g)) for j in range(len(g[i])))",
    "sorted(b) == list(range(1, k + 1))",
    "all(a[i + 1] > a[i] for i in range(0, len(a) - 1))",
    "all(len(g[i]) == len(g[0]) for i in range(len(g)))",
    "all(c.isalpha() for c in s)",
    "any(a.count(x) > len(a) // 2 for x in a)",
    "all(x in a for x in b)",
    "max(a) in b",
    "all(x <= max(a) for x in b)",
    "all(s.count(c) == 1 for c in s)",
    "not set(a) <= set(b)",
    "all(x not in sorted(b) for x in a if x)",
    "all(x in set(a) for x in b)",
]


class Writer:
    """Writes random expressions of the language."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def number(self, deep: int, names: tuple[str, ...]) -> str:
        pick = self.dice.randrange(14 if deep else 4)
        sub = lambda: self.number(deep - 1, names)  # noqa: E731
        if pick <= 1:
            return str(self.dice.choice((-3, -1, 0, 1, 2, 3, 7)))
        if pick <= 3:
            return self.dice.choice(("k", *names))
        if pick <= 6:
            return f"({sub()} {self.dice.choice(OPERATORS)} {sub()})"
        if pick == 7:
            return f"{self.dice.choice(('abs', 'int', '-', 'isqrt'))}({sub()})".replace(
                "isqrt", "abs"
            )
        if pick == 8:
            return f"len({self.items(deep - 1, names)})"
        if pick == 9:
            return f"{self.dice.choice(('sum', 'min', 'max'))}({self.items(deep - 1, names)})"
        if pick == 10:
            return f"{self.items(deep - 1, names)}[{sub()}]"
        if pick == 11:
            return f"({sub()} if {self.truth(deep - 1, names)} else {sub()})"
        if pick == 12:
            return f"a.count({sub()})"
        return f"sum({sub()} for v in {self.items(deep - 1, names)})"

    def items(self, deep: int, names: tuple[str, ...]) -> str:
        pick = self.dice.randrange(9 if deep else 2)
        sub = lambda: self.items(deep - 1, names)  # noqa: E731
        if pick <= 1:
            return self.dice.choice("ab")
        if pick == 2:
            return f"sorted({sub()})"
        if pick == 3:
            return f"{sub()}[{self.number(0, names)}:{self.number(0, names)}]"
        if pick == 4:
            return f"list(range({self.number(deep - 1, names)}))"
        if pick == 5:
            inner = (*names, "x")
            body, test = self.number(deep - 1, inner), self.truth(0, inner)
            return f"[{body} for x in {sub()} if {test}]"
        if pick == 6:
            return f"({sub()} + {sub()})"
        if pick == 7:
            return f"[p * q for p, q in zip({sub()}, {sub()})]"
        return f"g[{self.number(0, names)}]"

    def truth(self, deep: int, names: tuple[str, ...]) -> str:
        pick = self.dice.randrange(15 if deep else 3)
        if pick <= 2:
            left, right = self.number(deep, names), self.number(deep, names)
            return f"{left} {self.dice.choice(SIGNS)} {right}"
        if pick == 3:
            low, middle, high = (self.number(deep - 1, names) for _ in range(3))
            return f"{low} <= {middle} < {high}"
        if pick == 4:
            sign = self.dice.choice(("and", "or"))
            return f"({self.truth(deep - 1, names)} {sign} {self.truth(deep - 1, names)})"
        if pick == 5:
            return f"(not {self.truth(deep - 1, names)})"
        if pick == 6:
            name = self.dice.choice(("all", "any"))
            body = self.truth(deep - 1, (*names, "y"))
            return f"{name}({body} for y in {self.items(deep - 1, names)})"
        if pick == 7:
            sign = self.dice.choice(("in", "not in"))
            return f"{self.number(deep - 1, names)} {sign} {self.items(deep - 1, names)}"
        if pick == 8:
            return f"{self.items(deep - 1, names)} == {self.items(deep - 1, names)}"
        if pick == 9:
            return f"set({self.items(deep - 1, names)}) <= set({self.items(deep - 1, names)})"
        if pick == 10:
            letters = self.dice.choice(("s", "'ab'"))
            return f"all(c in {letters} for c in s[{self.number(0, names)}:])"
        if pick >= 13:
            return self.dice.choice(IDIOMS)
        if pick == 11:
            test = self.truth(0, (*names, "i"))
            return f"all(a[i] <= b[i] for i in range(min(len(a), len(b))) if {test})"
        return f"all(u != v for u, v in g if {self.truth(0, (*names, 'u', 'v'))})"


def python_value(text: str, args: list[Any]) -> bool:
    scope = dict(zip(TYPES, args, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return bool(eval(text, {}, scope) if not scope else eval(text, scope))
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return False


@pytest.mark.parametrize("seed", range(4))
def test_random_constraints_have_the_value_that_python_gives(seed: int) -> None:
    dice = random.Random(seed)
    types = {name: parse_type(kind) for name, kind in TYPES.items()}
    read = 0
    for _ in range(100):
        text = Writer(dice).truth(3, ())
        with suppress(SpecificationError):  # it names no parameter, or is too long
            checked = Validator(types, (parse_constraint(text, types),))
            compare(checked, text, dice)
            read += 1
    assert read > 60


def compare(checked: Validator, text: str, dice: random.Random) -> None:
    for _ in range(4):
        a = [dice.randrange(-3, 4) for _ in range(dice.randrange(4))]
        b = sorted(a) if dice.random() < 0.3 else [dice.randrange(-3, 4) for _ in range(3)]
        g = [[dice.randrange(3) for _ in range(2)] for _ in range(dice.randrange(3))]
        args: list[Any] = [a, b, dice.randrange(-3, 4), dice.choice(("", "a", "ab", "abc")), g]
        wanted = python_value(text, args)
        assert checked.is_valid(args) is wanted, (text, args)
        assert (checked.distance(args) == 0) is wanted, (text, args)
