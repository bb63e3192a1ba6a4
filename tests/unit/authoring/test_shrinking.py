"""An input becomes smaller while it stays valid and still shows the fault."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from steelyard.authoring.references import shrink
from steelyard.constraints import Validator
from steelyard.schemas import Specification


def validator(*constraints: str, **parameters: str) -> Validator:
    return Validator.of(
        Specification.model_validate(
            {
                "title": "t",
                "description": "d",
                "returns": "int",
                "constraints": constraints,
                "parameters": [{"name": name, "type": kind} for name, kind in parameters.items()],
            }
        )
    )


@pytest.mark.parametrize(
    ("given", "args", "shows", "smallest"),
    [
        (validator(nums="list[int]"), ([*range(100)],), lambda a: 77 in a[0], ([77],)),
        (validator(nums="list[int]"), ([5] * 50,), lambda a: len(a[0]) >= 3, ([0, 0, 0],)),
        (validator("len(nums) >= 2", nums="list[int]"), ([9, 8, 7],), lambda a: True, ([0, 0],)),
        (
            validator("n == len(nums)", n="int", nums="list[int]"),
            (6, [1, 2, 3, 4, 5, 6]),
            lambda a: 4 in a[1],
            (1, [4]),
        ),
        (
            validator("len(a) == len(b)", a="list[int]", b="str"),
            ([1, 2, 3, 4], "wxyz"),
            lambda a: "y" in a[1],
            ([0], "y"),
        ),
        (validator("sorted(x) == x", x="list[int]"), ([1, 5, 9],), lambda a: 5 in a[0], ([5],)),
        (
            validator(x="list[list[int]]"),
            ([[1, 2], [3, 4]],),
            lambda a: any(map(sum, a[0])),
            ([[1]],),
        ),
        (validator(x="dict[str, int]"), ({"a": 5, "b": 6},), lambda a: "b" in a[0], ({"b": 0},)),
        (validator(x="int"), (10**9,), lambda a: a[0] > 5, (6,)),
        (validator(x="bool"), (True,), lambda a: True, (False,)),
        (validator(x="int | None"), (None,), lambda a: True, (None,)),
        (validator(x="int"), (-(2**63),), lambda a: a[0] < -7, (-8,)),
        (validator(x="float"), (-17.25,), lambda a: a[0] < 0, (-1.0,)),
        (validator(x="float"), (10**300,), lambda a: a[0] > 1, (2,)),
        (
            validator("len(nums) == n", "n >= 1", n="int", nums="list[int]"),
            (6, [5, 700, 12, 9, 700, 41]),
            lambda a: len(set(a[1])) < len(a[1]),
            (2, [0, 0]),
        ),
        (
            validator(
                "1 <= n <= 50",
                "all(0 <= e[0] < n and 0 <= e[1] < n for e in edges)",
                n="int",
                edges="list[list[int]]",
            ),
            (40, [[30, 31], [3, 3], [1, 2], [39, 0]]),
            lambda a: any(one == other for one, other in a[1]),
            (1, [[0, 0]]),
        ),
        (
            validator("1 <= n <= 50", "is_tree(n, edges)", n="int", edges="list[tuple[int, int]]"),
            (7, [[0, 1], [0, 2], [2, 3], [2, 4], [4, 5], [4, 6]]),
            lambda a: a[0] >= 3,
            (3, [[0, 1], [0, 2]]),
        ),
        (
            validator(x="list[int]"),
            ([0] * 6_000 + [-5] + [0] * 3_999,),
            lambda a: -5 in a[0],
            ([-5],),
        ),
    ],
)
def test_the_smallest_input(
    given: Validator, args: Any, shows: Callable[[Any], bool], smallest: Any
) -> None:
    asked: list[Any] = []

    def all_show(inputs: Sequence[Any]) -> list[bool]:
        asked.extend(inputs)
        return [shows(each) for each in inputs]

    assert shrink(args, all_show, given) == smallest
    assert all(given.is_valid(each) for each in asked)


def test_the_search_ends() -> None:
    tried: list[Any] = []

    def none_shows(inputs: Sequence[Any]) -> list[bool]:
        tried.extend(inputs)
        return [False] * len(inputs)

    args = ([*range(5_000)],)
    given = validator("len(x) >= 2500", x="list[int]")
    assert shrink(args, none_shows, given) == args
    assert 1 <= len(tried) <= 1_000
    assert all(map(given.is_valid, tried))


def test_an_input_that_cannot_shrink_stays() -> None:
    args = ([3, 1, 2],)
    assert shrink(args, lambda inputs: [False] * len(inputs), validator(nums="list[int]")) == args
