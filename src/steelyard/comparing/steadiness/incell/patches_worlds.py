"""Run in a cell: which world the patches show, and to whom.

In world 0, the usual one, the present and what is drawn are the same at each question. Each other
world has a present of its own, later than those before it, and what is drawn there comes out of a
sequence of its own. Time stands still in each: only what is slept moves it on.

What waits needs a clock that goes on while it waits: an event loop whose clock stands still sleeps
for the same deadline again and again. So the event loops, queues and locks of the standard library
and of some packages see the real world, and so do those who run the tests: their questions must
not move the clocks of the function that is tested.
"""

from __future__ import annotations

import random
import sys
import types
from _thread import _local, get_ident
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from typing import Any

USUAL = 0
_MOMENT_NS = 1953222516_754321000
"""2031-11-23 17:48:36.754321 UTC: nothing of it is as in world 0, not the weekday either."""
_APART_NS = 90061_001003000
"""From one world to the next: a day, an hour, a minute, a second and a little more."""
_MONOTONIC_APART_NS = 100_000 * 10**9
_APART = 1_000_000
_BYTE_BITS = 8
_STANDARD = (
    "asyncio concurrent multiprocessing queue selectors socket socketserver ssl subprocess"
    " threading unittest"
)
_PACKAGES = (
    "_pytest anyio coverage curio eventlet execnet gevent pluggy pytest_asyncio pytest_timeout"
    " tornado trio twisted uvloop xdist"
)
_SERVED = frozenset(f"{_STANDARD} {_PACKAGES}".split())
"""Packages that see the real world."""
_RELAYS = frozenset({"random", "secrets", "tempfile", "uuid"})
"""Modules that ask on behalf of those who call them."""
_getframe = sys._getframe
_Random = random.Random


class World:
    """The world that is shown, one object for as long as the process lives."""

    draws_anew = False
    """Whether the usual world gives a sequence of random values too, and no constants."""

    def __init__(self) -> None:
        self._numbers = self._source = _Random(USUAL)
        self.enter(USUAL)

    def enter(self, number: int) -> None:
        """Begin a world anew; the thread that calls counts as the main one."""
        self.number = number
        self.is_asked = False
        """Whether a program was given, since then, what hangs on the world."""
        self.moment_ns = _MOMENT_NS + (number - 1) * _APART_NS if number else 0
        """The present, before what is slept; 0 in world 0, whose clocks have each their own."""
        self.monotonic_ns = number * _MONOTONIC_APART_NS
        """What a monotonic clock shows beyond what it shows in world 0."""
        self.main, self.main_slept_ns = get_ident(), 0
        self.own: Any = _local()
        """What each other thread has slept."""
        self.questions = defaultdict[str, Any](lambda: count(1))
        """How often each clock was asked."""
        self.is_varied = self.draws_anew or number != USUAL
        """Whether what is drawn comes out of a sequence."""
        if self.is_varied:
            self._numbers, self._source = _Random(number), _Random(number + _APART)

    def bits(self, size: int) -> int:
        """The next number of so many random bits, if the world is varied."""
        return self._numbers.getrandbits(size)

    def bytes(self, size: int) -> bytes:
        """The next random bytes, the same ones in whatever portions they are asked for."""
        return bytes(self._source.getrandbits(_BYTE_BITS) for _ in range(size))


here = World()


def shown(real: Callable[..., Any], fake: Callable[..., Any]) -> Callable[..., Any]:
    """Return what does a function's own work, and then gives what a world shows instead.

    Args:
        real: The function.
        fake: Takes its value and its arguments.
    """

    def answered(*args: Any, **kwargs: Any) -> Any:
        value = real(*args, **kwargs)
        return value if _is_served(_getframe(1)) else fake(value, *args, **kwargs)

    return answered


def _is_served(frame: types.FrameType | None) -> bool:
    """Return if those who ask see the real world."""
    while frame is not None:
        name = frame.f_globals.get("__name__")
        package = name.partition(".")[0] if type(name) is str else ""
        if package not in _RELAYS:
            return package in _SERVED
        frame = frame.f_back
    return False
