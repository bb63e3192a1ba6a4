"""One object gives all inputs of a specification, by the seed alone."""

import json
from pathlib import Path

import pytest

from steelyard.constraints import Validator
from steelyard.errors import SpecificationError, UsageError
from steelyard.families import args_of
from steelyard.inputs import MainSize, inputs_of
from tests.unit.inputs.input_specs import TUNED, specification


def test_all_inputs_come_from_one_object() -> None:
    spec = specification(*TUNED["two sum"])
    inputs, validator = inputs_of(spec, seed=3), Validator.of(spec)
    small = [case.input.digest for case in inputs.small(30).cases]
    further = [case.input.digest for case in inputs.further(30)]
    assert len({*small, *further}) > 40
    assert inputs_of(spec, seed=3).further(30) == inputs.further(30)
    assert inputs.smallest(9)[0][0] == ([0, 0], 0)
    args = [args_of(case.input) for case in inputs.small(30).cases]
    broken = inputs.near_invalid(args, 5)
    assert len(broken) == 5
    assert not any(validator.is_valid(args) for args, _ in broken)
    assert inputs.size == MainSize("len(nums)", 2, 10_000)
    assert inputs.bounds == {"len(nums)": 10_000, "target": 10**9}
    kind = inputs.kinds(500)[0]
    large = inputs.args(500, kind)
    assert inputs.size_of(large) == 500
    assert validator.is_valid(large)
    assert inputs.size_of(args_of(next(inputs.large()).input)) == 10_000


def test_a_specification_is_read_from_its_file(tmp_path: Path) -> None:
    spec = specification(*TUNED["two sum"])
    file = tmp_path / "spec.json"
    file.write_text(spec.model_dump_json())
    assert inputs_of(file).spec == spec
    file.write_text(json.dumps({"title": "t"}))
    with pytest.raises(UsageError, match=r"spec\.json: .*description"):
        inputs_of(file)


def test_a_size_without_inputs_is_named_each_time_that_it_is_asked_for() -> None:
    spec = specification("a: list[int]", ["len(a) <= 100", "len(a) % 2 == 0"], [[[1, 1]]])
    inputs = inputs_of(spec)
    for _ in range(2):
        with pytest.raises(SpecificationError, match=r"no input with len\(a\) == 3 was found"):
            inputs.args(3, "0")
    assert len(inputs.args(4, "0")[0]) == 4
    with pytest.raises(UsageError, match="a kind is a number; give those"):
        inputs.cases(4, ["sorted"])


def test_what_does_not_grow_has_no_size() -> None:
    spec = specification("a: list[int]", ["1 <= len(a) <= 5", "all(0 <= x < 9 for x in a)"], [])
    with pytest.raises(SpecificationError, match="has a range of 16 or more; widen"):
        _ = inputs_of(spec).size
