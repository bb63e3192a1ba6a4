"""Results of timed calls, looked at after the clock has stopped: as snapshots, or as digests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from steelyard.project_runs.incell.digests import digest_of
from steelyard.values.incell.snapshot import snapshot
from steelyard.values.incell.walking import plain_bytes

Call = tuple[tuple[Any, ...], dict[str, Any]]

_MOST_LOOKED_AT = 48
"""So many values of a batch that are not plain data: a snapshot takes longer than many a call."""
_MOST_PLAIN = 4_000_000
"""Data that unfolds to more objects is looked at as other objects are."""


def snapshot_of(result: Any, call: Call, out: str) -> bytes:
    """Return what one call gave, what became of its arguments, and what was printed."""
    return snapshot({"arguments": call, "result": result, "stdout": out})


def digests_of(
    results: Sequence[Any], calls: Sequence[Call], out: str, *, shared: int, seed: int
) -> list[str]:
    """Return one digest for each result, and one for what is around them.

    Args:
        results: What the calls gave.
        calls: The calls, one for each.
        out: What they printed.
        shared: How many different calls there are if they are made again and again with the same
            arguments; 0 if each has its own.
        seed: Decides which are looked at if not all can be.
    """
    values = list(results) if shared else list(zip(results, calls, strict=True))
    plain = [plain_bytes(value, most=_MOST_PLAIN) for value in values]
    others = [index for index, data in enumerate(plain) if data is None]
    if len(others) > _MOST_LOOKED_AT:
        rng = random.Random(seed)  # noqa: S311 - the parent draws it when all is over
        others = rng.sample(others, _MOST_LOOKED_AT)
    looked_at = set(others)
    found = [
        _digest(values[index], data) if data is not None or index in looked_at else ""
        for index, data in enumerate(plain)
    ]
    around = [list(calls[:shared]), out]
    return [*found, _digest(around, plain_bytes(around, most=_MOST_PLAIN))]


def _digest(value: Any, data: bytes | None) -> str:
    return digest_of(snapshot({"value": value}) if data is None else data).hex()
