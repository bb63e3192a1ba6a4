"""A traced program computes what it did before, and news decides which inputs are taken."""

import ast
import dataclasses

import pytest

from steelyard.authoring.evidence._choice import by_news, extremes, heaviest
from steelyard.authoring.evidence._observations import ObservedInput
from steelyard.authoring.evidence.incell import measuring, running, tracing
from steelyard.families import as_compact
from steelyard.schemas import AuthoredCase

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


EACH = """
def each():
    for at in range(3): yield at
def solve(n): return [*zip(*[each() for _ in range(n)])]
"""


def outcome(tree: ast.Module, *args: object) -> object:
    names = {**vars(measuring), **vars(tracing)}
    exec(compile(ast.fix_missing_locations(tree), "traced", "exec"), names)
    return names["solve"](*args)


@pytest.mark.parametrize("limit", [0, 3, 9, 40])
def test_a_traced_program_gives_the_same_answer(limit: int) -> None:
    args = [3, 7, 1, 7, -2, 40, 9], limit
    tracing.events.clear()
    tracing.steps_left[0] = 1_000
    traced = outcome(tracing.Tracing().visit(ast.parse(PROGRAM)), *args)
    assert traced == outcome(ast.parse(PROGRAM), *args)
    assert len(set(tracing.events)) > 10


def test_news_is_worth_half_as_much_each_time_it_is_seen() -> None:
    candidates = [shown("a"), shown("ab"), shown("bcd"), shown("ab"), shown("cd")]
    assert list(by_news([], candidates)) == [2, 1, 4, 3, 0]
    assert next(by_news([shown("bcd")] * 3, candidates)) == 1
    assert list(by_news([], [shown(""), shown("")])) == [0, 1]


def test_extremes_are_the_largest_of_each_size_and_the_smallest_below_zero() -> None:
    sizes = [(1, 5), (9, -3), (4,), (2, 7)]
    some = [dataclasses.replace(shown(""), sizes=each) for each in sizes]
    some = [dataclasses.replace(each, case=case(at)) for at, each in enumerate(some)]
    assert [each.sizes for each in extremes(some, 1)] == [(9, -3), (2, 7)]
    assert len(extremes(some, 4)) == 4
    assert extremes([], 1) == []
    assert len(extremes(some[:1], 1)) == 1
    same = [dataclasses.replace(each, sizes=(5, 0)) for each in some]
    assert extremes(same, 1) == [], "of a size that all have alike none is the largest"
    one = dataclasses.replace(same[2], sizes=(5, 0, 77))
    assert extremes([*same[:2], one], 1) == [one]


def test_the_heaviest_have_most_of_what_others_do_not_have() -> None:
    lengths = [((1, 50), (2, 10)), ((1, 100),), ((1, 90), (3, 7)), ((2, 10), (3, 7)), ()]
    some = [
        dataclasses.replace(shown(""), lengths=each, case=case(at))
        for at, each in enumerate(lengths)
    ]
    # First two places whole, then the third, then the last tenth of the first.
    assert [each.lengths for each in heaviest(some, 2)] == [lengths[3], lengths[1]]
    assert [each.lengths for each in heaviest(some, 9)] == [lengths[at] for at in (3, 1, 2, 0)], (
        "the places count anew, and what has no container is not taken"
    )


def test_the_lengths_of_containers_are_summed_where_they_are_used() -> None:
    measuring.lengths.clear()
    measuring.rounds_left[0] = 1_000
    program = """
def solve(count):
    queue, seen = [], set()
    for number in range(count):
        if number not in seen:
            queue.append(number)
        seen.add(number)
    return len(queue), queue[-1]
"""
    assert outcome(measuring.Measuring().visit(ast.parse(program)), 5) == (5, 4)
    assert sorted(measuring.lengths.values()) == [5, 5, 5, 10, 10, 10], "5 rounds, and containers"
    assert measuring.rounds_left[0] == 1_000 - 6


def test_the_most_rounds_of_a_loop_at_once_are_noted() -> None:
    measuring.lengths.clear()
    measuring.rounds_left[0] = 1_000
    program = """
def solve(parents):
    for at in range(len(parents)):
        while parents[at] >= 0:
            at = parents[at]
"""
    measuring.starts.clear()
    outcome(measuring.Measuring().visit(ast.parse(program)), [3, 0, -1, 2, 2, -1])
    assert {*measuring.lengths.values()} >= {3, 6}, "from 1 over 0 and 3 to 2"
    assert sorted(measuring.starts.values()) == [1, 6], "the loop, and the one within it"


def test_a_loop_is_measured_by_its_most_rounds_times_how_often_it_began(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = """
def solve(counts):
    for count in counts:
        while count:
            count -= 1
"""
    names = {**vars(measuring), **vars(tracing)}
    tree = ast.fix_missing_locations(measuring.Measuring().visit(ast.parse(program)))
    exec(compile(tree, "traced", "exec"), names)
    monkeypatch.setattr(running, "_targets", [lambda: len, lambda: names["solve"]])
    *_, lengths = running.trace(100, 100, [0, 9, 2, 9])
    assert sorted(filter(None, lengths)) == [4, 4, 9, 36], "4 rounds once, 9 at most four times"


@pytest.mark.parametrize(
    ("program", "most"),
    [
        ("def solve(n):\n    for i in range(n):\n        solve(0)", 90),
        ("def solve(n):\n    for i in range(9):\n        if i == 8 and n: solve(n - 1)", 9),
        (EACH, 3),
    ],
)
def test_each_call_counts_its_own_rounds(program: str, most: int) -> None:
    measuring.lengths.clear()
    measuring.rounds_left[0] = 10_000
    names = {**vars(measuring), **vars(tracing)}
    tree = ast.fix_missing_locations(measuring.Measuring().visit(ast.parse(program)))
    exec(compile(tree, "traced", "exec"), names)
    names["solve"](90)
    rounds = [
        int(name.rpartition("_")[2])
        for each in ast.walk(tree)
        if isinstance(each, ast.Name) and (name := each.id).startswith("traced_rounds_")
    ]
    assert measuring.lengths[rounds[0]] == most


def noted(program: str, one: int, other: int) -> object:
    tracing.events.clear()
    tracing.steps_left[0] = 1_000
    tree = ast.parse(f"def solve(one, other):\n    return {program}")
    assert outcome(tracing.Tracing().visit(tree), one, other) == eval(program)
    ((_, found),) = tracing.events
    return found


@pytest.mark.parametrize(
    "expression",
    [
        "Flag(8) in Flag(2**35 + 8)",
        "Whole(5) < 7",
        "Whole(10**10) // Whole(3)",
        "10**400 < inf",
        "10**400 > 1.5",
        "inf > inf",
        "nan < 5",
        "big is big",
        "0.5 // 0.1",
    ],
)
def test_any_class_of_numbers_is_traced(expression: str) -> None:
    program = f"""
from enum import IntFlag
from math import inf, nan
big = 2**70
class Whole(int):
    def __abs__(self): return Whole(-self) if self < 0 else self
    def __floordiv__(self, other): return "quotient"
    __float__ = None
Flag = IntFlag("Flag", [f"B{{at}}" for at in range(40)])
def solve():
    match 1 - 2j:
        case 1-2j: return {expression}
"""
    tracing.steps_left[0] = 1_000
    assert outcome(tracing.Tracing().visit(ast.parse(program))) == outcome(ast.parse(program))


def test_numbers_are_noted_that_floats_cannot_hold() -> None:
    small, large = noted("one < other", 9, 5), noted("one < other", 3 * 10**9, 5)
    assert (small, large) == ((False, (3, None)), (False, (3, (2, True))))
    assert noted("one < other", 2**60, 2**60 + 500) == (True, (-3, (3, True)))
    assert noted("one < other", 2**60, 2**60 + 5) == (True, (-3, (3, False))), "equal as floats"
    assert noted("one // other", 2**60, 4) == (3, (3, True))
    assert noted("one // other", 10**18 + 2, 3) == (3, (3, False))
    assert noted("one // other", -7, 2) == (-3, None)


@pytest.mark.parametrize("limit", [0, 3, 9, 40])
def test_a_measured_program_gives_the_same_answer(limit: int) -> None:
    args = [3, 7, 1, 7, -2, 40, 9], limit
    measuring.rounds_left[0] = 1_000
    measured = outcome(measuring.Measuring().visit(ast.parse(PROGRAM)), *args)
    assert measured == outcome(ast.parse(PROGRAM), *args)


def case(number: int) -> AuthoredCase:
    return AuthoredCase(name="a", category="basic", origin="a", input=as_compact((number,)))


def shown(letters: str) -> ObservedInput:
    return ObservedInput(case(1), frozenset((0, ord(letter)) for letter in letters))
