"""What timed calls gave, looked at after the clock has stopped: as snapshots, or as digests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from steelyard.project_runs.incell.digests import digest_of
from steelyard.values.incell.snapshot import snapshot
from steelyard.values.incell.walking import plain_bytes

Call = tuple[tuple[Any, ...], dict[str, Any]]

_MOST_LOOKED_AT = 48
"""So many values of a batch that are no plain data: a snapshot takes longer than many a call."""
_MOST_KNOWN = 20_000
_MOST_PLAIN = 4_000_000
"""What unfolds to more objects is looked at as what is no plain data is."""


def snapshot_of(result: Any, call: Call, out: str) -> bytes:
    """What one call gave, what became of its arguments, and what was printed."""
    return snapshot({"arguments": call, "result": result, "stdout": out})


class Ledger:
    """Digests of what calls gave. Plain data that is like earlier data is looked at once."""

    def __init__(self) -> None:
        self._known: dict[bytes, str] = {}

    def digests(
        self, results: Sequence[Any], calls: Sequence[Call], out: str, *, shared: int, seed: int
    ) -> list[str]:
        """One digest for each result, and one for what is around them.

        Args:
            results: What the calls gave.
            calls: The calls, one for each.
            out: What they printed.
            shared: How many different calls there are where they are made again and again with
                the same arguments; 0 where each has its own.
            seed: Decides which are looked at where not all can be.
        """
        values = list(results) if shared else list(zip(results, calls, strict=True))
        plain = [plain_bytes(value, most=_MOST_PLAIN) for value in values]
        others = [place for place, data in enumerate(plain) if data is None]
        if len(others) > _MOST_LOOKED_AT:
            rng = random.Random(seed)  # noqa: S311 - the parent tells it when all is over
            others = rng.sample(others, _MOST_LOOKED_AT)
        looked_at = set(others)
        found = [
            self._digest(values[place], data) if data is not None or place in looked_at else ""
            for place, data in enumerate(plain)
        ]
        around = [list(calls[:shared]), out]
        return [*found, self._digest(around, plain_bytes(around, most=_MOST_PLAIN))]

    def _digest(self, value: Any, data: bytes | None) -> str:
        key = None if data is None else digest_of(data)
        known = self._known.get(key) if key is not None else None
        if known is None:
            known = digest_of(snapshot({"value": value})).hex()
            if key is not None and len(self._known) < _MOST_KNOWN:
                self._known[key] = known
        return known
