"""Make inputs from types and constraints alone.

cases = inputs_of(spec, seed=0).small(130).cases
"""

from steelyard._homes import publish
from steelyard.inputs._make import DerivedInputs
from steelyard.inputs._meter import visits
from steelyard.inputs._spec_inputs import (
    MainSize,
    SpecInputs,
    inputs_of,
    read_specification,
)

__all__ = [
    "DerivedInputs",
    "MainSize",
    "SpecInputs",
    "inputs_of",
    "read_specification",
    "visits",
]

publish(__name__, globals())
