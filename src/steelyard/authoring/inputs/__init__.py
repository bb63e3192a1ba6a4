"""Make inputs from types and constraints alone, and write large ones briefly.

cases = make_inputs(spec, seed=0, count=130)
expand("[organ_pipe(100000, 0, 9, seed=3), 5]")
"""

from steelyard.authoring.inputs._compact import args_of, as_compact
from steelyard.authoring.inputs._exhaustive import exhaustive_inputs
from steelyard.authoring.inputs._expander import expand
from steelyard.authoring.inputs._make import DerivedInputs, derive_inputs, make_inputs
from steelyard.authoring.inputs._near_invalid import near_invalid

__all__ = [
    "DerivedInputs",
    "args_of",
    "as_compact",
    "derive_inputs",
    "exhaustive_inputs",
    "expand",
    "make_inputs",
    "near_invalid",
]
