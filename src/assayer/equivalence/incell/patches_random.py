"""Run in a cell: random numbers that are the same in each run.

A generator that is given a seed is left alone. One that is given none, also the module's own after
`random.seed()` and in a forked child, is seeded with 42.
"""

from __future__ import annotations

import os
import random
import sys
import types
import uuid
from collections.abc import Callable
from typing import Any

from assayer.equivalence.incell import patches_builtins, patches_callers

__all__ = ["apply", "restart", "seed_numpy"]

_SEED = 42
_BYTE = b"\x42"
_RANDOM = 0.123456789
_UUID = uuid.UUID("12345678-1234-5678-9abc-123456789012")
_UUIDS = ("uuid1", "uuid4", "uuid6", "uuid7")  # the last two from Python 3.14
_served, _asker, _getframe = (
    patches_callers.is_served_really,
    patches_callers.asker,
    sys._getframe,
)


def apply() -> None:
    """Takes over `random`, `uuid` and the bytes of the system."""
    patches_builtins.replace(os.urandom, _bytes(patches_builtins.kept(os.urandom)))
    if hasattr(os, "getrandom"):
        patches_builtins.replace(os.getrandom, _bytes(patches_builtins.kept(os.getrandom)))
    patches_builtins.replace(random.random, _number(patches_builtins.kept(random.random)))
    for name in _UUIDS:
        if isinstance(function := getattr(uuid, name, None), types.FunctionType):
            patches_builtins.reroute(function, _named)
    patches_builtins.reroute(vars(random.Random)["seed"], _seeded)
    if "numpy.random" in sys.modules:
        seed_numpy()


def restart() -> None:
    """The random states of the modules are as after `apply`."""
    random.seed(_SEED)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed(_SEED)


def seed_numpy() -> None:
    """What numpy would take from the system is 42, which is what its generators start from."""
    source: Any = sys.modules["numpy.random.bit_generator"]
    source.randbits = _entropy(source.randbits)
    sys.modules["numpy.random"].seed(_SEED)


def _bytes(real: Any) -> Callable[..., bytes]:
    def urandom(size: int, flags: int = 0) -> bytes:
        value: bytes = real(size, flags) if flags else real(size)
        if _served(_asker(_getframe(1))):  # it tries names until one is free
            return value
        return _BYTE * len(value)

    return urandom


def _number(real: Any) -> Callable[[], float]:
    def number() -> float:
        real()
        return _RANDOM

    return number


def _named(real: Callable[..., Any]) -> Callable[..., uuid.UUID]:
    def named(*given: Any) -> uuid.UUID:
        real(*given)
        return _UUID

    return named


def _seeded(real: Callable[..., Any]) -> Callable[..., None]:
    def seeded(generator: Any, seed: Any, version: int) -> None:
        real(generator, seed, version)
        if seed is None:
            real(generator, _SEED, version)

    return seeded


def _entropy(real: Any) -> Callable[[int], int]:
    def randbits(bits: int) -> int:
        real(bits)
        return _SEED

    return randbits
