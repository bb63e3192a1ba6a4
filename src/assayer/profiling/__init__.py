"""How a program grows: growing inputs, counted work, measured time, a class and a prediction.

`profile` answers for one program, `compare_growth` for two over the same inputs. `Profiler` leads
the parts, none of which knows another: `inputs` gives inputs of growing size, `counting` says what
work a program does on each, `fitting` makes a class and a prediction of figures, and `reporting`
shows the answer. Timing and the decision on limits are modules of this package itself.
"""

from assayer.profiling._instruments import Instrument, instruments
from assayer.profiling._plan import Plan, Wanted
from assayer.profiling._profile import profile
from assayer.profiling._profiler import BUDGET_S, Profiler
from assayer.profiling._records import Input, InputSource, Point
from assayer.profiling._subject import Subject
from assayer.profiling._versus import compare_growth, compared
from assayer.profiling.fitting import grows_faster
from assayer.profiling.inputs import FolderSource, GeneratorSource, Parameter

__all__ = [
    "BUDGET_S",
    "FolderSource",
    "GeneratorSource",
    "Input",
    "InputSource",
    "Instrument",
    "Parameter",
    "Plan",
    "Point",
    "Profiler",
    "Subject",
    "Wanted",
    "compare_growth",
    "compared",
    "grows_faster",
    "instruments",
    "profile",
]
