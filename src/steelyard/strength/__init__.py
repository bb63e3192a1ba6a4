"""Measure how strong a suite is, from what it kills: mutants of a solution, and planted programs.

`measure_strength` gives the certificate. `Bench` holds a suite and a solution that passes it, and
gives a `KillMatrix`: which case kills which program, and how. `mutants_of` makes the mutants,
`search_inputs` finds inputs that kill survivors, and `growth_of` finds the size of stress inputs.
"""

from steelyard._homes import publish
from steelyard.strength._bench import Bench, OnRow
from steelyard.strength._job import JOB
from steelyard.strength._matrix import (
    KillMatrix,
    ProgramVerdicts,
    exact_twins,
    order_by_kills,
    ordered_by_kills,
)
from steelyard.strength._measure import StrengthMeasurement, ameasure_strength, measure_strength
from steelyard.strength._mutants import ALIKE, Mutant, Mutants, likeness_of, mutants_of, mutate
from steelyard.strength._reading import (
    SpecCalls,
    StrengthOptions,
    read_authored,
)
from steelyard.strength._spec_growth import (
    Growth,
    growth_of,
)
from steelyard.strength._stress_size import fit_limit, stress_size
from steelyard.strength._survivors import KillingInput, search_inputs
from steelyard.strength._view import strength_blocks, strength_figures, view

__all__ = [
    "ALIKE",
    "JOB",
    "Bench",
    "Growth",
    "KillMatrix",
    "KillingInput",
    "Mutant",
    "Mutants",
    "OnRow",
    "ProgramVerdicts",
    "SpecCalls",
    "StrengthMeasurement",
    "StrengthOptions",
    "ameasure_strength",
    "exact_twins",
    "fit_limit",
    "growth_of",
    "likeness_of",
    "measure_strength",
    "mutants_of",
    "mutate",
    "order_by_kills",
    "ordered_by_kills",
    "read_authored",
    "search_inputs",
    "strength_blocks",
    "strength_figures",
    "stress_size",
    "view",
]

publish(__name__, globals())
