"""Find the class that figures grow by, and predict them at a larger size.

Pure functions on numbers: nothing is run. Work is classified from deterministic counts
(`classify_work`, or `classify_two` over a grid of two parameters), memory from its peaks, times
only where there are no counts. Times compared with the class show drift and uncounted work; the
curve of the class through them (`fit_curve`) gives the constants of a prediction.
"""

from steelyard.profiling.fitting._class_curves import growth_between
from steelyard.profiling.fitting._class_from_counts import Observation, classify_work, noisy_share
from steelyard.profiling.fitting._class_from_times import (
    INSTRUCTION_DRIFT,
    SLOWER_DRIFT,
    TIME_DRIFT,
    agreeing_with_time,
    classify_time,
    classify_time_two,
    hidden_class,
    instruction_drift,
    of_time_from,
    time_drift,
)
from steelyard.profiling.fitting._class_names import (
    LADDER,
    UNSURE,
    canonical,
    grows_faster,
    outgrows,
    same_class,
)
from steelyard.profiling.fitting._class_of_two_sizes import classify_two
from steelyard.profiling.fitting._curves import Curve, fit_curve, predict_memory, predict_time
from steelyard.profiling.fitting._result import (
    UNCHECKED,
    WorkClass,
    WorkTerm,
    even_odds,
    less_sure,
    with_logarithm_open,
)
from steelyard.profiling.fitting._space import classify_space, classify_space_two

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
