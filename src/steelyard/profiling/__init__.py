"""Measure how a program grows, name its complexity class and predict the largest input.

`profile` measures one program, `compare_growth` two over the same inputs. `Profiler` uses the
subpackages, which do not import one another: `inputs` provides inputs of growing size, `counting`
counts the work of a program on each, and `fitting` derives a class and a prediction from figures.
Timing and the decision on limits are modules of this package itself.
"""

from steelyard._homes import publish
from steelyard.profiling._charts import plot, time_chart
from steelyard.profiling._comparison import acompare_growth, compare_growth, compared
from steelyard.profiling._instructions import Instrument, instruments
from steelyard.profiling._job import JOB
from steelyard.profiling._plan import Plan, Wanted
from steelyard.profiling._profile import BUDGET_S, ProfileOptions, Profiler, aprofile, profile
from steelyard.profiling._records import CountedRun, Input, InputSource, Point
from steelyard.profiling._subject import Subject
from steelyard.profiling._view import comparison_view, view
from steelyard.profiling._words import headline
from steelyard.profiling.counting import CountingUnavailable
from steelyard.profiling.fitting import grows_faster
from steelyard.profiling.inputs import FolderSource, GeneratorSource, Parameter, ladder

__all__ = [
    "BUDGET_S",
    "JOB",
    "CountedRun",
    "CountingUnavailable",
    "FolderSource",
    "GeneratorSource",
    "Input",
    "InputSource",
    "Instrument",
    "Parameter",
    "Plan",
    "Point",
    "ProfileOptions",
    "Profiler",
    "Subject",
    "Wanted",
    "acompare_growth",
    "aprofile",
    "compare_growth",
    "compared",
    "comparison_view",
    "grows_faster",
    "headline",
    "instruments",
    "ladder",
    "plot",
    "profile",
    "time_chart",
    "view",
]

publish(__name__, globals())
