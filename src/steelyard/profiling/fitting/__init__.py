"""Find the class that figures grow by, and predict them at a larger size.

Pure functions on numbers: nothing is run. Work is classified from deterministic counts
(`classify_work`, or `classify_two` over a grid of two parameters), memory from its peaks, times
only where there are no counts. Times compared with the class show drift and uncounted work; the
curve of the class through them (`fit_curve`) gives the constants of a prediction.
"""

from steelyard.profiling.fitting._curves import Curve, fit_curve
from steelyard.profiling.fitting._drift import (
    INSTRUCTION_DRIFT,
    SLOWER_DRIFT,
    TIME_DRIFT,
    hidden_class,
    instruction_drift,
    time_drift,
)
from steelyard.profiling.fitting._evidence import (
    UNCHECKED,
    even_odds,
    growth_between,
    less_sure,
)
from steelyard.profiling.fitting._logarithm import with_logarithm_open
from steelyard.profiling.fitting._names import (
    LADDER,
    UNSURE,
    canonical,
    distance,
    grows_faster,
    outgrows,
    same_class,
)
from steelyard.profiling.fitting._predict import predict_memory, predict_time
from steelyard.profiling.fitting._result import WorkClass, WorkTerm
from steelyard.profiling.fitting._space import classify_space, classify_space_two
from steelyard.profiling.fitting._table import Observation, noisy_share
from steelyard.profiling.fitting._time import (
    agreeing_with_time,
    classify_time,
    classify_time_two,
    of_time_from,
)
from steelyard.profiling.fitting._two import classify_two
from steelyard.profiling.fitting._work import classify_work

__all__ = [
    "INSTRUCTION_DRIFT",
    "LADDER",
    "SLOWER_DRIFT",
    "TIME_DRIFT",
    "UNCHECKED",
    "UNSURE",
    "Curve",
    "Observation",
    "WorkClass",
    "WorkTerm",
    "agreeing_with_time",
    "canonical",
    "classify_space",
    "classify_space_two",
    "classify_time",
    "classify_time_two",
    "classify_two",
    "classify_work",
    "distance",
    "even_odds",
    "fit_curve",
    "grows_faster",
    "growth_between",
    "hidden_class",
    "instruction_drift",
    "less_sure",
    "noisy_share",
    "of_time_from",
    "outgrows",
    "predict_memory",
    "predict_time",
    "same_class",
    "time_drift",
    "with_logarithm_open",
]
