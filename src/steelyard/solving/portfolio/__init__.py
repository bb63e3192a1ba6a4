"""Derive the format of a problem's inputs, and make harder inputs of the same format.

See docs/decisions/0014-evidence.md.
"""

from steelyard.solving.portfolio._format import Format
from steelyard.solving.portfolio._growing import Size, doublings, growth_fault, size_of
from steelyard.solving.portfolio._stated import bound_fault
from steelyard.solving.portfolio._transformed import Transformed, transformed
from steelyard.solving.portfolio._transforms import TRANSFORMS, Transform

__all__ = [
    "TRANSFORMS",
    "Format",
    "Size",
    "Transform",
    "Transformed",
    "bound_fault",
    "doublings",
    "growth_fault",
    "size_of",
    "transformed",
]
