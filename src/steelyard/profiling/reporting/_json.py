"""A report as plain JSON values."""

from typing import Any

from steelyard.rendering import plain_json
from steelyard.schemas import GrowthComparison, ProfileReport

__all__ = ["comparison_json", "profile_json"]


def profile_json(report: ProfileReport) -> dict[str, Any]:
    """A report as `json.dumps` takes it.

    Returns:
        `time`, `space`: the complexity: `class` (`O(n log n)`, or `unsure`), `confidence` from 0
            to 1, `candidates` as `[class, probability]`, `runner_up` or null, `terms` (each with
            its `class`, its `share` of the work from 0 to 1, and its source `lines`), `basis` (what
            it was inferred from) and `reason` (where it is unsure, why).
        `prediction`: at the largest input: `n`, `m`; `cpu_ms`, `wall_ms` and `memory_mib`, each
            null or an interval of `low`, `mid` and `high`; `measured` (whether that input was run);
            `meets_time_limit`, `meets_memory_limit`: true, false, or null where no limit was given
            or it cannot be told.
        `measurements`: one for each size: `n`, `m`, `input_bytes`, `work` (executions of basic
            blocks), `cpu_ms` and `wall_ms` (the least of the `repetitions`), `cpu_ms_max`,
            `memory_mib` (peak resident set), `heap_bytes`, `instructions` and `stop`; null where
            it was not measured.
        `flags`, `notes`: what a reader must know, as names and in words.
        `method`: how each figure was got.
        `meets_limits`: whether every limit that was given is known to be kept.
        The rest are the fields of `ProfileReport`.
    """
    return plain_json(report) | {"meets_limits": report.meets_limits}


def comparison_json(comparison: GrowthComparison) -> dict[str, Any]:
    """Two programs side by side: `first` and `second` as `profile_json` gives them, and the rest.

    Returns:
        `ratio`: an interval: time of the first over time of the second, at `ratio_at_n`.
        `growth`: one line; `growth_ratio`: by what the ratio is multiplied when n doubles.
        `crossover_n`: the size from which the other one is faster, or null.
        `notes`: what a reader must know.
    """
    return plain_json(comparison) | {
        "first": profile_json(comparison.first),
        "second": profile_json(comparison.second),
    }
