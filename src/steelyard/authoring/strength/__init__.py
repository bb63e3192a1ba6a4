"""Measure how strong a suite is, from what it kills: mutants of a solution, and planted programs.

`Bench` holds a suite and a solution that passes it, and gives a `KillMatrix`: which case kills
which program, and how. `mutants_of` makes the mutants.
"""

from steelyard.authoring.strength._bench import Bench, OnRow
from steelyard.authoring.strength._matrix import KillMatrix, Row
from steelyard.authoring.strength._mutants import Mutant, Mutants, mutants_of, mutate

__all__ = ["Bench", "KillMatrix", "Mutant", "Mutants", "OnRow", "Row", "mutants_of", "mutate"]
