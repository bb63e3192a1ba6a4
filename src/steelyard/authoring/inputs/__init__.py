"""Make inputs from types and constraints alone, and write large ones briefly.

expand("[organ_pipe(100000, 0, 9, seed=3), 5]")
"""

from steelyard.authoring.inputs._compact import args_of, as_compact
from steelyard.authoring.inputs._expander import expand

__all__ = ["args_of", "as_compact", "expand"]
