"""Named generators of values: one table, by name.

FAMILIES["organ_pipe"].make([3, 1, 2])
"""

from steelyard.inputs.families import _forms, _graphs, _orders, _parts  # noqa: F401 - they enter it
from steelyard.inputs.families._dice import Dice
from steelyard.inputs.families._rows import GRIDS, INTERVALS
from steelyard.inputs.families._slopes import SLOPES
from steelyard.inputs.families._table import FAMILIES, Family, Kind, names_of
from steelyard.inputs.families._texts import UNUSUAL, kin_of
from steelyard.inputs.families._values import notable, uniform

__all__ = [
    "FAMILIES",
    "GRIDS",
    "INTERVALS",
    "SLOPES",
    "UNUSUAL",
    "Dice",
    "Family",
    "Kind",
    "kin_of",
    "names_of",
    "notable",
    "uniform",
]
