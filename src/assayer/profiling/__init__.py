"""How a program grows: growing inputs, counted work, measured time, a class and a prediction.

`profile` answers for one program, `compare_growth` for two over the same inputs.
"""

from assayer.profiling._profiler import BUDGET_S, Plan, Profiler, Wanted, profile
from assayer.profiling._records import Input, InputSource, Point
from assayer.profiling._versus import compare_growth, compared
from assayer.profiling.inputs import FolderSource, GeneratorSource, Parameter

__all__ = [
    "BUDGET_S",
    "FolderSource",
    "GeneratorSource",
    "Input",
    "InputSource",
    "Parameter",
    "Plan",
    "Point",
    "Profiler",
    "Wanted",
    "compare_growth",
    "compared",
    "profile",
]
