"""Make inputs from types and constraints alone.

cases = make_inputs(spec, seed=0, count=130)
"""

from steelyard.inputs._changed import changed_inputs
from steelyard.inputs._exhaustive import exhaustive_inputs
from steelyard.inputs._make import DerivedInputs, derive_inputs, make_inputs
from steelyard.inputs._meter import visits
from steelyard.inputs._near_invalid import near_invalid
from steelyard.inputs._stress import stress_inputs

__all__ = [
    "DerivedInputs",
    "changed_inputs",
    "derive_inputs",
    "exhaustive_inputs",
    "make_inputs",
    "near_invalid",
    "stress_inputs",
    "visits",
]
