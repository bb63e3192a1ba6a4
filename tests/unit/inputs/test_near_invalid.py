"""Inputs that break one constraint each, and all inputs of a small problem."""

import json
from typing import Any

import pytest

from steelyard.constraints import Validator
from steelyard.families import args_of
from steelyard.inputs._exhaustive import exhaustive_inputs
from steelyard.inputs._near_invalid import near_invalid
from steelyard.schemas import Specification
from tests.unit.inputs.input_specs import TUNED, make_inputs, specification


def nearly(spec: Specification, count: int) -> tuple[tuple[tuple[Any, ...], str], ...]:
    """Inputs close to those of a suite, each with the constraint that it breaks."""
    inputs = [args_of(case.input) for case in make_inputs(spec, seed=1, count=60)]
    return near_invalid(spec, inputs, seed=1, count=count)


def test_near_invalid_inputs_break_one_constraint_each() -> None:
    covered = constraints = 0
    for name in ("two sum", "coins", "matrix", "intervals", "floats"):
        spec = specification(*TUNED[name])
        validator = Validator.of(spec)
        found = nearly(spec, 20)
        assert len({json.dumps(args) for args, _ in found}) == len(found)
        for args, text in found:
            assert validator.broken(args) == (text,)
        covered += len({text for _, text in found})
        constraints += len(spec.constraints)
    assert covered >= 0.76 * constraints


def test_near_invalid_inputs_miss_a_bound_by_one() -> None:
    spec = specification("n: int; k: int", ["3 <= n <= 10", "1 <= k <= n"], [[5, 2]])
    found = {args for args, _ in nearly(spec, 60)}
    assert {n for n, _ in found} >= {2, 11}
    assert {(n, k) for n, k in found if 3 <= n <= 10} >= {(n, 0) for n in (3, 10)}
    assert any(k == n + 1 for n, k in found)


def test_all_tiny_inputs_are_listed_in_order() -> None:
    spec = specification("nums: list[int]; k: int", ["0 <= len(nums) <= 3", "0 <= k <= 1"], [])
    found, reach = exhaustive_inputs(spec, 40)
    assert reach == "len(nums) <= 1, values -1..1, values 0..1"
    assert found[0] == ([], 0)
    assert set(map(repr, found)) == {
        repr((nums, k)) for nums in ([], [-1], [0], [1]) for k in (0, 1)
    }
    more, reach = exhaustive_inputs(spec, 400)
    assert len(more) > len(found)
    assert reach.startswith("len(nums) <= ")


@pytest.mark.parametrize(
    ("parameters", "constraints", "count"),
    [
        ("n: int", ["1 <= n <= 3"], 3),
        ("flag: bool; other: bool | None", [], 6),
        ("s: str", ["len(s) == 2", "set(s) <= set('ab')"], 4),
        ("d: dict[str, bool]", ["len(d) <= 1", "all(k == 'a' for k in d)"], 3),
        ("n: int; edges: list[list[int]]", ["n == 3", "is_tree(n, edges)"], 24),
        ("p: list[int]", ["len(p) == 3", "is_permutation(p)"], 6),
    ],
)
def test_all_inputs_of_a_small_problem_are_listed(
    parameters: str, constraints: list[str], count: int
) -> None:
    found, reach = exhaustive_inputs(specification(parameters, constraints, []), 500)
    assert len(found) == count
    assert reach
