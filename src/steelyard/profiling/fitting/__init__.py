"""Which class do these numbers grow by, and what will they be at a larger size?

Pure functions on numbers: nothing is run here. Work is classified from deterministic counts
(`classify_work`, or `classify_two` over a grid of two parameters), memory from its peaks, times
only where there are no counts. Times against the class tell drift and work that counts do not see;
the curve of the class through them (`fit_curve`) tells constants, and so what to predict.
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
from steelyard.profiling.fitting._time import classify_time, classify_time_two
from steelyard.profiling.fitting._two import classify_two
from steelyard.profiling.fitting._work import classify_work

__all__ = [
    "INSTRUCTION_DRIFT",
    "LADDER",
    "SLOWER_DRIFT",
    "TIME_DRIFT",
    "UNSURE",
    "Curve",
    "Observation",
    "WorkClass",
    "WorkTerm",
    "canonical",
    "classify_space",
    "classify_space_two",
    "classify_time",
    "classify_time_two",
    "classify_two",
    "classify_work",
    "distance",
    "fit_curve",
    "grows_faster",
    "hidden_class",
    "instruction_drift",
    "noisy_share",
    "outgrows",
    "predict_memory",
    "predict_time",
    "same_class",
    "time_drift",
]
