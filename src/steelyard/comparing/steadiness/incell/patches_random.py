"""Run in a cell: random numbers that are the same in each run.

A generator that is given a seed is left alone. One that is given none, also the module's own after
`random.seed()` and in a forked child, is seeded with 42. All that holds in the usual world; in
another one each question gets another answer.
"""

from __future__ import annotations

import functools
import os
import random
import sys
import types
import uuid
from collections.abc import Callable
from typing import Any

from steelyard.comparing.steadiness.incell import patches_callers, patches_worlds
from steelyard.project_runs.incell import taken_over

_SEED = 42
_SEED_BITS = 64
_BYTE = b"\x42"
_RANDOM = 0.123456789
_UUID = 0x12345678_1234_5678_9ABC_123456789012
"""All but the version, which each function has of its own."""
_Random = random.Random
_UUIDS = ("uuid1", "uuid4", "uuid6", "uuid7")  # the last two from Python 3.14
_served, _asker, _getframe = (
    patches_callers.is_served_really,
    patches_callers.asker,
    sys._getframe,
)
_here = patches_worlds.here


def apply() -> None:
    """Takes over `random`, `uuid` and the bytes of the system."""
    taken_over.replace(os.urandom, _bytes(taken_over.kept(os.urandom)))
    if hasattr(os, "getrandom"):
        taken_over.replace(os.getrandom, _bytes(taken_over.kept(os.getrandom)))
    taken_over.replace(random.random, _number(taken_over.kept(random.random)))
    for name in _UUIDS:
        if isinstance(function := getattr(uuid, name, None), types.FunctionType):
            taken_over.reroute(function, functools.partial(_named, name))
    taken_over.reroute(vars(random.Random)["seed"], _seeded)


def restart() -> None:
    """The random states of the modules are as when the world that is shown began."""
    seed = _SEED + _here.number
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy.random")
    if numpy is not None:
        source: Any = sys.modules["numpy.random.bit_generator"]
        if not isinstance(source.randbits, types.FunctionType):
            source.randbits = _entropy(source.randbits)
        numpy.seed(seed)


def is_drawn() -> bool:
    """Whether the modules' own generators have moved on since `restart`."""
    fresh = _Random(_SEED + _here.number)
    if random.getstate() != fresh.getstate():
        return True
    numpy: Any = sys.modules.get("numpy.random")
    if numpy is None:
        return False
    one: Any = numpy.get_state(legacy=False)
    two: Any = numpy.RandomState(_SEED + _here.number).get_state(legacy=False)
    words = (each["state"].pop("key", b"") for each in (one, two))
    return bytes(next(words)) != bytes(next(words)) or one != two


def _bytes(real: Any) -> Callable[..., bytes]:
    def urandom(size: int, flags: int = 0) -> bytes:
        value: bytes = real(size, flags) if flags else real(size)
        if _served(_asker(_getframe(1))):  # it tries names until one is free
            return value
        _here.is_asked = True
        return _here.bytes(len(value)) if _here.is_varied() else _BYTE * len(value)

    return urandom


def _number(real: Any) -> Callable[[], float]:
    def number() -> float:
        value: float = real()
        return value if _here.is_varied() else _RANDOM

    return number


def _named(name: str, real: Callable[..., Any]) -> Callable[..., uuid.UUID]:
    version = int(name.removeprefix("uuid"))

    def named(*given: Any) -> uuid.UUID:
        real(*given)
        _here.is_asked = True
        bits = _here.bits(128) if _here.is_varied() else _UUID
        return uuid.UUID(int=bits, version=version)

    return named


def _seeded(real: Callable[..., Any]) -> Callable[..., None]:
    def seeded(generator: Any, seed: Any, version: int) -> None:
        real(generator, seed, version)
        if seed is None:
            real(generator, _taken(), version)

    return seeded


def _entropy(real: Any) -> Callable[[int], int]:
    def randbits(bits: int) -> int:
        real(bits)
        return _taken(bits)

    return randbits


def _taken(bits: int = _SEED_BITS) -> int:
    """What the system gives to seed a generator with."""
    _here.is_asked = True
    return _here.bits(bits) if _here.is_varied() else _SEED
