"""Write large values briefly: named generators, and expressions that call them.

FAMILIES["organ_pipe"].make([3, 1, 2])
expand("[organ_pipe(100000, 0, 9, seed=3), 5]")
"""

from steelyard.families import _forms, _graphs, _orders, _parts  # noqa: F401 - they enter it
from steelyard.families._compact import args_of, as_compact, literal, parts_of
from steelyard.families._dice import Dice
from steelyard.families._expander import expand
from steelyard.families._slopes import SLOPES
from steelyard.families._table import FAMILIES, Family, Kind, names_of
from steelyard.families._texts import UNUSUAL, kin_of
from steelyard.families._values import notable, uniform

__all__ = [
    "FAMILIES",
    "SLOPES",
    "UNUSUAL",
    "Dice",
    "Family",
    "Kind",
    "args_of",
    "as_compact",
    "expand",
    "kin_of",
    "literal",
    "names_of",
    "notable",
    "parts_of",
    "uniform",
]
