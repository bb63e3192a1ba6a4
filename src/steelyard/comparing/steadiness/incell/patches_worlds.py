"""Run in a cell: which world the patches show.

In world 0, the usual one, the present and what is drawn are the same at each question. Each other
world has a present of its own, later than those before it, and what is drawn there comes out of a
sequence of its own. Time stands still in each: only what is slept moves it on.
"""

from __future__ import annotations

import random
from typing import Any

USUAL = 0
_MOMENT_NS = 1953222516_754321000
"""2031-11-23 17:48:36.754321 UTC: nothing of it is as in world 0, not the weekday either."""
_APART_NS = 90061_001003000
"""From one world to the next: a day, an hour, a minute, a second and a little more."""
_MONOTONIC_APART_NS = 100_000 * 10**9
_Random = random.Random
_PORTION_BYTES = 256
_APART = 1_000_000


class World:
    """The world that is shown, one object for as long as the process lives."""

    def __init__(self) -> None:
        self.number = USUAL
        self.draws_anew = False
        """Whether the usual world gives a sequence of random values too, and no constants."""
        self.is_asked = False
        """Whether a program was given, since the world was entered, what hangs on the world."""
        self.moment_ns = 0
        """The present, before what is slept; 0 in world 0, whose clocks have each their own."""
        self.monotonic_ns = 0
        """What a monotonic clock shows beyond what it shows in world 0."""
        self._numbers: Any = None
        self._source: Any = None
        self._bytes = b""

    def enter(self, number: int) -> None:
        """Begins a world anew."""
        self.number, self.is_asked = number, False
        if number != USUAL:
            self.moment_ns = _MOMENT_NS + (number - 1) * _APART_NS
            self.monotonic_ns = number * _MONOTONIC_APART_NS
        else:
            self.moment_ns = self.monotonic_ns = 0
        if self.is_varied():
            self._numbers, self._source = _Random(number), _Random(number + _APART)
            self._bytes = b""

    def is_varied(self) -> bool:
        """Whether what is drawn comes out of a sequence."""
        return self.draws_anew or self.number != USUAL

    def bits(self, count: int) -> int:
        """The next number of so many random bits, where the world is varied."""
        drawn: int = self._numbers.getrandbits(count)
        return drawn

    def bytes(self, count: int) -> bytes:
        """The next random bytes, the same ones in whatever portions they are asked for."""
        portions = max(0, -(-(count - len(self._bytes)) // _PORTION_BYTES))
        self._bytes += b"".join(self._source.randbytes(_PORTION_BYTES) for _ in range(portions))
        drawn, self._bytes = self._bytes[:count], self._bytes[count:]
        return drawn


here = World()
enter = here.enter
