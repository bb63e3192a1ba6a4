"""Generators of models: real inputs of the problem, or a reason why not. They run in cells."""

from collections.abc import Iterator

import pytest

from steelyard.errors import GeneratorError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import ProblemInput, UnitTest, main_bound
from steelyard.solving._inputs import checked_generator

NUMBERS = """
import random

def generate(n, seed):
    rng = random.Random(seed)
    return f"{n}\\n" + " ".join(str(rng.randint(0, 9)) for _ in range(n)) + "\\n"
"""


@pytest.fixture(scope="module")
def pool() -> Iterator[CellPool]:
    with CellPool(1) as made:
        yield made


def problem(*samples: str, **bounds: int) -> ProblemInput:
    tests = tuple(UnitTest(input=sample, output="") for sample in samples)
    return ProblemInput(task_id="a", prompt="p", unit_tests=tests, input_bounds=bounds)


def check(text: str, given: ProblemInput, pool: CellPool) -> int:
    return checked_generator(text, given, given.input_bounds, 1, pool)[1]


def test_inputs_as_the_samples_are_taken(pool: CellPool) -> None:
    assert check(NUMBERS, problem("3\n1 2 3\n", "1\n7\n", n=1_000), pool) == 1_000


def test_a_problem_without_samples_has_no_form_to_keep(pool: CellPool) -> None:
    assert check(NUMBERS, problem(n=100), pool) == 100


@pytest.mark.parametrize(
    ("text", "samples", "said"),
    [
        (NUMBERS, ["abc\n"], "hold words"),
        (NUMBERS, ["3 2\n1 2 3\n", "1 1\n7\n"], "first line has 1 tokens"),
        (NUMBERS.replace('f"{n}', 'f"{10 * n}'), ["3\n1 2 3\n"], "above the largest bound"),
        ("def generate(n, seed): return 5", ["3\n1\n"], "return"),
        ("def generate(n): return '1'", ["3\n1\n"], "generate"),
        ("import nothing_like_it", ["3\n1\n"], "nothing_like_it"),
        ("def generate(n, seed)", ["3\n1\n"], "generator"),
        ("def generate(n, seed): 1 / 0", ["3\n1\n"], "division"),
    ],
)
def test_what_is_wrong_is_told(text: str, samples: list[str], said: str, pool: CellPool) -> None:
    with pytest.raises(GeneratorError, match=said):
        check(text, problem(*samples, n=100), pool)


def test_without_a_bound_the_module_may_name_the_largest(pool: CellPool) -> None:
    assert check(f"N_MAX = 50\n{NUMBERS}", problem("3\n1 2 3\n"), pool) == 50
    with pytest.raises(GeneratorError, match="state a bound"):
        check(NUMBERS, problem("3\n1 2 3\n"), pool)


@pytest.mark.parametrize(
    ("bounds", "largest"),
    [
        ({"n": 5, "m": 9}, 5),
        ({"N": 5}, 5),
        ({"length": 7}, 7),
        ({"rows": 1, "cols": 2}, 1),
        ({"rows": 1, "N": 3, "n": 2}, 2),
        ({}, None),
    ],
)
def test_the_main_bound_is_that_of_n_or_the_first(
    bounds: dict[str, int], largest: int | None
) -> None:
    assert main_bound(bounds) == largest


@pytest.mark.parametrize("bounds", [{"n": -5}, {"n": 0}, {"rows": 0, "cols": 9}])
def test_a_problem_without_inputs_is_refused(bounds: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="the largest main size must be"):
        problem(**bounds)


def test_other_bounds_may_be_what_they_are() -> None:
    assert problem(n=5, low=-5).input_bounds == {"n": 5, "low": -5}


SAME = "def generate(n, seed): return '3\\n1 2 3\\n'"


def test_a_generator_that_ignores_n_is_none(pool: CellPool) -> None:
    with pytest.raises(GeneratorError, match="ignores n: its inputs for n = 5 and n"):
        check(SAME, problem("3\n1 2 3\n", n=100), pool)


def test_where_there_is_one_size_there_is_one_input(pool: CellPool) -> None:
    assert check(SAME, problem("3\n1 2 3\n", n=3), pool) == 3


def test_the_first_bound_is_the_generator_s_n(pool: CellPool) -> None:
    assert check(NUMBERS, problem("3\n1 2 3\n", rows=50, cols=70), pool) == 50


ARRAY = "import random\ndef generate(n, seed):\n    rng = random.Random(seed)\n"
CHEATS = {
    "caps its n": (
        "    n = min(n, 1000)\n    return f'{n}\\n' + '7 ' * n + '\\n'",
        "stops growing",
    ),
    "says n and prints a few": (
        "    return f'{n}\\n' + '7 ' * min(n, 500) + '\\n'",
        "stops growing",
    ),
    "says n and always prints as many": (
        "    return f'{n}\\n' + '7 ' * 500 + '\\n'",
        "first line gives 200,000",
    ),
}


@pytest.mark.parametrize(("body", "said"), CHEATS.values(), ids=CHEATS)
def test_an_input_that_does_not_follow_n_is_not_taken(body: str, said: str, pool: CellPool) -> None:
    with pytest.raises(GeneratorError, match=said):
        check(ARRAY + body, problem("3\n1 2 3\n", "2\n1 2\n", n=200_000), pool)


def test_a_size_that_is_drawn_may_follow_n_on_the_whole(pool: CellPool) -> None:
    body = "    m = rng.randint(n // 2, n)\n    return f'{m}\\n' + '7 ' * m + '\\n'"
    assert check(ARRAY + body, problem("3\n1 2 3\n", n=20_000), pool) == 20_000


def test_a_planner_s_bound_must_be_the_statement_s(pool: CellPool) -> None:
    given = problem("3\n1 2 3\n").model_copy(update={"prompt": "Add n numbers, 1 <= n <= 200000."})
    with pytest.raises(GeneratorError, match="the statement allows at most 200,000"):
        checked_generator(NUMBERS, given, {"n": 1_000_000}, 1, pool)
    with pytest.raises(GeneratorError, match="200,000"):
        checked_generator(NUMBERS, given, {"n": 1_000}, 1, pool)
    assert checked_generator(NUMBERS, given, {"n": 200_000}, 1, pool)[1] == 200_000
