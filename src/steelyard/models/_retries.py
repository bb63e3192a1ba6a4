"""Decide if a failed request is sent again, and after which wait."""

import asyncio
import math
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_WAIT_S = 0.5
MAX_WAIT_S = 60.0
MAX_RETRY_AFTER_S = 120.0
"""Limit on the wait that a provider asks for."""

_PASSING = frozenset({408, 409, 429})


def may_pass(status: int) -> bool:
    """Return True if a request with this HTTP status may succeed when it is sent again."""
    return status in _PASSING or status >= 500


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Waits:
    """The waits between tries: doubled each time, with jitter, or as the provider asks."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random
    """From 0 up to 1."""
    now: Callable[[], datetime] = _now

    def seconds(self, failures: int, headers: Mapping[str, str]) -> float:
        """Return the wait after this number of failures; at least what `Retry-After` asks for.

        Jitter spreads requests that failed together: over the upper half of the wait, or over
        one second after the time that the provider asked for.
        """
        asked = retry_after_s(headers, self.now())
        if asked is not None:
            return min(asked, MAX_RETRY_AFTER_S) + self.chance()
        wait = min(FIRST_WAIT_S * math.pow(2, min(failures - 1, 30)), MAX_WAIT_S)
        return wait * (1 + self.chance()) / 2


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the wait that the provider asked for, in seconds; None without a usable header.

    Args:
        headers: The response's headers, with lower-case names.
        now: The current time, with a time zone.

    Source: RFC 9110, section 10.2.3; OpenAI and Azure send `retry-after-ms`.
    """
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit_s
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        moment = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
