"""A comparison as plain JSON values."""

from typing import Any

from steelyard.rendering import plain_json
from steelyard.schemas import Comparison

__all__ = ["comparison_json"]


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """A comparison as `json.dumps` takes it; every key is always there.

    Returns:
        `function`, `verdict` (`accepted` or `rejected`), `accepted` (the same as true or false).
        `reasons`: each with its `code`, `text` and `rejects`; those that reject come first.
        `behaviour`, `speed`, `memory`, `coverage`, `line_profile`: as the records of the same
            names, each null where it was not looked at. Test types are their numbers, from 1 to 6;
            speedups are times of the original over the candidate's; times are CPU nanoseconds.
        `diff`: unified. `python`, `isolation`, `seconds` (by part), `notes`: how it was measured.
        Numbers are not rounded; one that is not finite is null.
    """
    return plain_json(comparison) | {"accepted": comparison.accepted}
