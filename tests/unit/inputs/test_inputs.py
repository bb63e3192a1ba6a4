"""Inputs made without a model: valid, different, at the bounds, and the same from the same seed."""

import subprocess
import sys
from collections import Counter

import pytest

from steelyard.constraints import Validator, bounds_of
from steelyard.families import args_of
from steelyard.inputs import DerivedInputs
from steelyard.inputs._make import derive_inputs
from tests.unit.inputs.input_specs import (
    RESIDUAL,
    TUNED,
    UNSEEN,
    Spec,
    make_inputs,
    specification,
)

pytestmark = pytest.mark.xdist_group("inputs")  # one worker makes them once
COUNT = 60
MADE: dict[str, DerivedInputs] = {}


def made(name: str, spec: Spec) -> DerivedInputs:
    """The inputs of a specification, made once for all tests."""
    if name not in MADE:
        MADE[name] = derive_inputs(specification(*spec), seed=1, count=COUNT)
    return MADE[name]


ALL = {**TUNED, **UNSEEN}
ALIKE = ("coins", "flags", "knapsack", "majority", "points", "rotated", "square matrix", "window")
"""Specifications whose parts others have too; the exhaustive tests take them."""


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        pytest.param(name, spec, id=name, marks=[pytest.mark.exhaustive] if name in ALIKE else [])
        for name, spec in ALL.items()
    ],
)
def test_inputs_are_valid_and_different_and_reach_what_they_say(name: str, spec: Spec) -> None:
    derived, validator = made(name, spec), Validator.of(specification(*spec))
    assert len(derived.cases) == COUNT
    assert len({case.input.digest for case in derived.cases}) == COUNT
    assert len({case.name for case in derived.cases}) == COUNT
    args = [args_of(case.input) for case in derived.cases]
    assert [validator.broken(each) for each in args] == [()] * COUNT

    categories = Counter(case.category for case in derived.cases)
    assert set(categories) >= {"basic", "edge", "adversarial", "stress"}
    assert categories.most_common(1)[0][1] < 0.7 * COUNT
    examples = [case.origin for case in derived.cases[: len(spec[2])]]
    assert examples == [f"example {number}" for number in range(1, len(spec[2]) + 1)]

    for bound in bounds_of(validator):
        is_reached = any(map(bound.reached_by, args))
        assert is_reached is (f"{bound.where}: {bound.side} {bound.value}" not in derived.unreached)
    for each in derived.unreached:
        assert f"no input reaches the bound of {each}" in derived.notes


def test_builds_are_valid_and_bounds_are_reached() -> None:
    built = valid = led = bounds = missed = 0
    for name in ALL.keys() - ALIKE:
        derived = made(name, ALL[name])
        bounds, missed = bounds + derived.bounds, missed + len(derived.unreached)
        for origin in ("family", "bound"):
            tally = derived.tallies[origin]
            built, valid, led = built + tally.built, valid + tally.valid, led + tally.led
    assert valid >= 0.88 * built
    assert valid + led >= 0.96 * built
    assert bounds > 80
    assert bounds - missed >= 0.94 * bounds


@pytest.mark.parametrize(("name", "spec"), RESIDUAL.items(), ids=RESIDUAL)
def test_repair_leads_to_what_no_family_builds(name: str, spec: Spec) -> None:
    validator = Validator.of(specification(*spec))
    derived = derive_inputs(specification(*spec), seed=3, count=40)
    assert len(derived.cases) == 40
    assert all(validator.is_valid(args_of(case.input)) for case in derived.cases)


def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    script = (
        "import sys\n"
        "from steelyard.inputs import inputs_of\n"
        "from steelyard.schemas import Specification\n"
        "for text in sys.argv[1:]:\n"
        "    spec = Specification.model_validate_json(text)\n"
        "    for case in inputs_of(spec, seed=5).small(25).cases:\n"
        "        print(case.model_dump_json())"
    )
    specs = [specification(*ALL[name]) for name in ("words", "weighted graph")]
    command = [sys.executable, "-c", script, *(spec.model_dump_json() for spec in specs)]
    env = {"PYTHONHASHSEED": "77"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    cases = [make_inputs(spec, seed=5, count=25) for spec in specs]
    here = [case.model_dump_json() for suite in cases for case in suite]
    assert done.stdout.splitlines() == here
    assert make_inputs(specs[0], seed=6, count=25) != cases[0]


def test_large_inputs_are_compact_and_come_last() -> None:
    spec = specification(
        "nums: list[int]; k: int",
        ["1 <= len(nums) <= 10**5", "all(0 <= x <= 10**9 for x in nums)", "1 <= k <= len(nums)"],
        [[[1, 2], 1]],
    )
    cases = make_inputs(spec, seed=1, count=40)
    sizes = [len(args_of(case.input)[0]) for case in cases]  # type: ignore[arg-type]
    assert max(sizes) == 10**5
    assert sizes.index(10**5) > 25
    assert all(len(case.model_dump_json()) < 3_000 for case in cases)
    assert {"bound len(nums) = 100000", "bound k = 100000"} & {case.origin for case in cases}
