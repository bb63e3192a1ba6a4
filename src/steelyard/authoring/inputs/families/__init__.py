"""Named generators of values: one table, by name.

FAMILIES["organ_pipe"].make([3, 1, 2])
"""

from steelyard.authoring.inputs.families import _forms, _graphs, _orders  # noqa: F401 - they enter it
from steelyard.authoring.inputs.families._dice import Dice
from steelyard.authoring.inputs.families._table import FAMILIES, Family, Kind, names_of
from steelyard.authoring.inputs.families._texts import UNUSUAL
from steelyard.authoring.inputs.families._values import notable, uniform

__all__ = ["FAMILIES", "UNUSUAL", "Dice", "Family", "Kind", "names_of", "notable", "uniform"]
