"""Inputs of each size, for measuring growth."""

import pytest

from steelyard.errors import SpecificationError
from steelyard.strength._spec_growth import _Inputs, main_size
from tests.unit.inputs.input_specs import specification


def test_a_size_without_inputs_is_named_each_time_that_it_is_asked_for() -> None:
    spec = specification("a: list[int]", ["len(a) <= 100", "len(a) % 2 == 0"], [[[1, 1]]])
    main = main_size(spec, 0)
    assert main is not None
    inputs = _Inputs(main)
    for _ in range(2):
        with pytest.raises(SpecificationError, match=r"no input with len\(a\) == 3 was found"):
            inputs.args(3, "")
    assert len(inputs.args(4, "")[0]) == 4
