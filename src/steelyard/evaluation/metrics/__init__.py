"""Metrics as pure functions: each names its formula and its source."""

from steelyard.evaluation.metrics._efficiency import (
    beyond,
    enamel_eff_at_k,
    enamel_score,
    hodges_lehmann,
)
from steelyard.evaluation.metrics._paired import (
    Paired,
    compare_paired,
    sign_flip_p,
    smallest_difference,
)
from steelyard.evaluation.metrics._passing import pass_at_k, pass_hat_k
from steelyard.evaluation.metrics._spread import (
    DRAWS,
    LEVEL,
    bootstrap_interval,
    mean_interval,
    standard_error,
    wilson_interval,
)

__all__ = [
    "DRAWS",
    "LEVEL",
    "Paired",
    "beyond",
    "bootstrap_interval",
    "compare_paired",
    "enamel_eff_at_k",
    "enamel_score",
    "hodges_lehmann",
    "mean_interval",
    "pass_at_k",
    "pass_hat_k",
    "sign_flip_p",
    "smallest_difference",
    "standard_error",
    "wilson_interval",
]
