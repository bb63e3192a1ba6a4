"""Make inputs from types and constraints alone, and write large ones briefly.

cases = make_inputs(spec, seed=0, count=130)
expand("[organ_pipe(100000, 0, 9, seed=3), 5]")
"""

from steelyard.inputs._compact import args_of, as_compact
from steelyard.inputs._exhaustive import exhaustive_inputs
from steelyard.inputs._expander import expand
from steelyard.inputs._make import DerivedInputs, derive_inputs, make_inputs
from steelyard.inputs._near_invalid import near_invalid
from steelyard.inputs._stress import stress_inputs

__all__ = [
    "DerivedInputs",
    "args_of",
    "as_compact",
    "derive_inputs",
    "exhaustive_inputs",
    "expand",
    "make_inputs",
    "near_invalid",
    "stress_inputs",
]
