"""Measure how strong a suite is, from what it kills: mutants of a solution, and planted programs.

`measure_strength` gives the certificate. `Bench` holds a suite and a solution that passes it, and
gives a `KillMatrix`: which case kills which program, and how. `mutants_of` makes the mutants,
`search_inputs` finds inputs that kill survivors, and `stress_size` finds the size of stress inputs.
"""

from steelyard._homes import publish
from steelyard.authoring.strength._authored import (
    SpecCalls,
    read_authored,
    read_specification,
)
from steelyard.authoring.strength._bench import Bench, OnRow
from steelyard.authoring.strength._growth import stress_size
from steelyard.authoring.strength._likeness import ALIKE, likeness_of
from steelyard.authoring.strength._matrix import KillMatrix, Row
from steelyard.authoring.strength._measure import ameasure_strength, measure_strength
from steelyard.authoring.strength._measurement import Measurement
from steelyard.authoring.strength._mutants import Mutant, Mutants, mutants_of, mutate
from steelyard.authoring.strength._options import StrengthOptions
from steelyard.authoring.strength._order import exact_twins, order_by_kills, ordered_by_kills
from steelyard.authoring.strength._search import KillingInput, search_inputs

__all__ = [
    "ALIKE",
    "Bench",
    "KillMatrix",
    "KillingInput",
    "Measurement",
    "Mutant",
    "Mutants",
    "OnRow",
    "Row",
    "SpecCalls",
    "StrengthOptions",
    "ameasure_strength",
    "exact_twins",
    "likeness_of",
    "measure_strength",
    "mutants_of",
    "mutate",
    "order_by_kills",
    "ordered_by_kills",
    "read_authored",
    "read_specification",
    "search_inputs",
    "stress_size",
]

publish(__name__, globals())
