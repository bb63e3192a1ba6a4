"""Read constraints in a closed language, and derive everything from them: checks, shapes, prose."""

from steelyard.authoring.constraints._prose import prose_of
from steelyard.authoring.constraints._reader import parse_constraint
from steelyard.authoring.constraints._tree import Constraint
from steelyard.authoring.constraints._validator import Validator

__all__ = ["Constraint", "Validator", "parse_constraint", "prose_of"]
