"""Limits of each token: requests per minute, and requests under way."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from steelyard.service._problems import Problem

_MOST_REMEMBERED = 10_000


@dataclass(slots=True)
class _Use:
    allowance: float
    """Requests that may come at once now."""
    updated: float = field(default_factory=time.monotonic)
    under_way: int = 0


class Rates:
    """Counts the requests of each token. Used from one event loop.

    A token may use up a minute's requests at once; its allowance then grows evenly.
    """

    def __init__(self) -> None:
        self._uses: dict[str, _Use] = {}

    def spend(self, token_id: str, per_minute: int) -> None:
        """Count one request.

        Raises:
            Problem: 429 if the token has made too many.
        """
        now = time.monotonic()
        use = self._use(token_id, per_minute)
        grown = use.allowance + (now - use.updated) * per_minute / 60
        use.allowance, use.updated = min(grown, float(per_minute)), now
        if use.allowance < 1:
            wait_s = (1 - use.allowance) * 60 / per_minute
            raise Problem(
                429,
                "rate-exceeded",
                "Too many requests in a minute",
                f"this token may make {per_minute:,} requests per minute; wait {wait_s:.1f} s",
                headers={"Retry-After": str(max(1, round(wait_s + 0.5)))},
            )
        use.allowance -= 1

    @contextmanager
    def under_way(self, token_id: str, most: int) -> Iterator[None]:
        """Count a request as long as the block runs.

        Raises:
            Problem: 429 if too many of the token's requests are under way.
        """
        use = self._use(token_id, most)
        if use.under_way >= most:
            raise Problem(
                429,
                "concurrency-exceeded",
                "Too many requests at once",
                f"this token may have {most:,} requests under way; wait for one to end",
                headers={"Retry-After": "1"},
            )
        use.under_way += 1
        try:
            yield
        finally:
            use.under_way -= 1

    def _use(self, token_id: str, allowance: int) -> _Use:
        use = self._uses.get(token_id)
        if use is None:
            if len(self._uses) >= _MOST_REMEMBERED:
                self._uses = {name: each for name, each in self._uses.items() if each.under_way}
            use = self._uses[token_id] = _Use(float(allowance))
        return use
