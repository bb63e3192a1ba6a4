"""Small functions with cases, for benchmarks/mutants.py."""

import random
from collections.abc import Callable
from typing import Any

__all__ = ["FEW", "MANY", "Cases"]

Cases = list[dict[str, Any]]
Make = Callable[[random.Random], list[Any]]

FIRST_AT_LEAST = """
def solve(nums, target):
    lo, hi = 0, len(nums) - 1
    best = -1
    while lo <= hi:
        mid = (lo + hi) // 2
        if nums[mid] >= target:
            if nums[mid] == target:
                best = mid
            hi = mid - 1
        else:
            lo = mid + 1
    return best
"""
MERGED = """
def solve(spans):
    merged = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged
"""
BALANCED = """
def solve(text):
    opened, pairs = [], {")": "(", "]": "[", "}": "{"}
    for char in text:
        if char in "([{":
            opened.append(char)
        elif char in pairs:
            if not opened or opened.pop() != pairs[char]:
                return False
    return not opened
"""
SPIRAL = """
def solve(grid):
    found = []
    top, bottom, left, right = 0, len(grid) - 1, 0, len(grid[0]) - 1
    while top <= bottom and left <= right:
        for column in range(left, right + 1):
            found.append(grid[top][column])
        top += 1
        for row in range(top, bottom + 1):
            found.append(grid[row][right])
        right -= 1
        if top <= bottom:
            for column in range(right, left - 1, -1):
                found.append(grid[bottom][column])
            bottom -= 1
        if left <= right:
            for row in range(bottom, top - 1, -1):
                found.append(grid[row][left])
            left += 1
    return found
"""
CALCULATED = """
def solve(text):
    text = text.replace(" ", "") + "+"
    stack, number, sign, i = [], 0, "+", 0
    while i < len(text):
        char = text[i]
        if char.isdigit():
            number = number * 10 + int(char)
        elif char == "(":
            depth, j = 1, i + 1
            while depth > 0:
                depth += {"(": 1, ")": -1}.get(text[j], 0)
                j += 1
            number = solve(text[i + 1 : j - 1])
            i = j - 1
        else:
            if sign == "+":
                stack.append(number)
            elif sign == "-":
                stack.append(-number)
            elif sign == "*":
                stack[-1] = stack[-1] * number
            elif sign == "/":
                before = stack[-1]
                negative = (before < 0) != (number < 0)
                quotient = abs(before) // abs(number)
                stack[-1] = -quotient if negative else quotient
            number, sign = 0, char
        i += 1
    return sum(stack)
"""


def _sorted_and_target(dice: random.Random) -> list[Any]:
    return [sorted(dice.choices(range(20), k=dice.randint(0, 12))), dice.randint(0, 20)]


def _spans(dice: random.Random) -> list[Any]:
    starts = dice.choices(range(20), k=dice.randint(0, 8))
    return [[[start, start + dice.randint(0, 5)] for start in starts]]


def _brackets(dice: random.Random) -> list[Any]:
    return ["".join(dice.choices("()[]{}x", k=dice.randint(0, 8)))]


def _grid(dice: random.Random) -> list[Any]:
    rows, columns = dice.randint(1, 5), dice.randint(1, 5)
    return [[[dice.randint(0, 99) for _ in range(columns)] for _ in range(rows)]]


def _expression(dice: random.Random, depth: int = 2) -> str:
    if depth == 0 or dice.random() < 0.3:
        return str(dice.randint(1, 30))
    text = _expression(dice, depth - 1)
    for _ in range(dice.randint(0, 2)):
        operator = dice.choice("+-*/")
        last = str(dice.randint(1, 9)) if operator == "/" else _expression(dice, depth - 1)
        text = f"{text} {operator} {last}"
    return f"({text})" if dice.random() < 0.5 else text


def _cases(source: str, make: Make, count: int) -> Cases:
    """Return calls with the answers of the function itself."""
    names: dict[str, Any] = {}
    exec(source, names)
    dice = random.Random(len(source))
    given = [make(dice) for _ in range(count)]
    return [{"args": each, "expected": names["solve"](*each)} for each in given]


FEW = {
    name: (source, _cases(source, make, 20))
    for name, source, make in (
        ("first_at_least", FIRST_AT_LEAST, _sorted_and_target),
        ("merged", MERGED, _spans),
        ("balanced", BALANCED, _brackets),
    )
}
"""Functions that every tool mutates, each with 20 cases."""
MANY = {
    name: (source, _cases(source, make, 50))
    for name, source, make in (
        ("spiral", SPIRAL, _grid),
        ("calculated", CALCULATED, lambda dice: [_expression(dice)]),
    )
}
"""Functions with 50 cases."""
