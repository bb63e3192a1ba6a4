"""A traced program computes what it did before, and news decides which inputs are taken."""

import ast

import pytest

from steelyard.authoring.evidence import incell
from steelyard.authoring.evidence._choice import by_news

PROGRAM = """
def solve(numbers, limit):
    best = {}
    for at, number in enumerate(numbers):
        if 0 < number <= limit and (number not in best or best[number] is None):
            best[number] = min(at, len(numbers) - at, limit)
        else:
            limit -= 1
    rest = [n % 3 for n in numbers if n > 1 if not n == 7]
    while (limit := limit - 4) > 0:
        rest.append(numbers[limit % len(numbers)] // 2)
        if len(rest) > 12: break
    else:
        rest += [max(n, -n, key=str) for n in numbers[-2:]]
    return sorted(best.items()), rest, any(a > b for a, b in zip(rest, rest[1:])) or "none"
"""


def outcome(tree: ast.Module, *args: object) -> object:
    names = vars(incell).copy()
    exec(compile(ast.fix_missing_locations(tree), "traced", "exec"), names)
    return names["solve"](*args)


@pytest.mark.parametrize("limit", [0, 3, 9, 40])
def test_a_traced_program_gives_the_same_answer(limit: int) -> None:
    args = [3, 7, 1, 7, -2, 40, 9], limit
    incell._events.clear()
    traced = outcome(incell._Tracing().visit(ast.parse(PROGRAM)), *args)
    assert traced == outcome(ast.parse(PROGRAM), *args)
    assert len(set(incell._events)) > 10


def test_news_is_worth_half_as_much_each_time_it_is_seen() -> None:
    def found(text: str) -> frozenset[tuple[int, int]]:
        return frozenset((0, ord(letter)) for letter in text)

    candidates = [found("a"), found("ab"), found("bcd"), found("ab"), found("cd")]
    assert list(by_news([], candidates)) == [2, 1, 4, 3, 0]
    assert next(by_news([found("bcd")] * 3, candidates)) == 1
    assert list(by_news([], [found(""), found("")])) == [0, 1]
