"""Growing inputs: which sizes, and where the inputs of those sizes come from.

source = GeneratorSource.from_file(Path("gen.py"), pool)
points = diagonal(ladder(16, 2_000_000), None)
source.check(points, seed=1)
given = source.get(points[0], seed=1)
"""

from steelyard.profiling.inputs._folder import FolderSource
from steelyard.profiling.inputs._generator import GENERATOR_LIMITS, Description, GeneratorSource
from steelyard.profiling.inputs._sizes import (
    Parameter,
    diagonal,
    grid,
    ladder,
    value_at,
    whole_number,
)
from steelyard.profiling.inputs._specification import SpecificationSource

__all__ = [
    "GENERATOR_LIMITS",
    "Description",
    "FolderSource",
    "GeneratorSource",
    "Parameter",
    "SpecificationSource",
    "diagonal",
    "grid",
    "ladder",
    "value_at",
    "whole_number",
]
