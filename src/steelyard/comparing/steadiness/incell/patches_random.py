"""Run in a cell: random numbers that are the same in each run.

A generator that is given a seed is left alone. One that is given none, also the module's own after
`random.seed()` and in a forked child, is seeded with 42. All that holds in the usual world; in
another one each question gets another answer.
"""

from __future__ import annotations

import functools
import os
import pickle
import random
import sys
import types
import uuid
from collections.abc import Callable
from typing import Any

from steelyard.comparing.steadiness.incell.patches_worlds import here, shown
from steelyard.project_runs.incell import taken_over

_SEED = 42
_SEED_BITS = 64
_BYTE = b"\x42"
_RANDOM = 0.123456789
_UUID = 0x12345678_1234_5678_9ABC_123456789012
"""All but the version, which each function has of its own."""
_Random = random.Random
_UUIDS = ("uuid1", "uuid4", "uuid6", "uuid7")  # the last two from Python 3.14


def apply() -> None:
    """Take over `random`, `uuid` and the bytes of the system."""
    for real in (os.urandom, os.getrandom):
        taken_over.replace(real, shown(taken_over.kept(real), _bytes))
    number = functools.partial(_number, taken_over.kept(random.random))
    taken_over.replace(random.random, number)
    for name in _UUIDS:
        if isinstance(function := getattr(uuid, name, None), types.FunctionType):
            named = functools.partial(_named, int(name.removeprefix("uuid")))
            _reroute(function, named)
    _reroute(vars(random.Random)["seed"], _seeded)


def restart() -> None:
    """The random states of the modules are as when the world that is shown began."""
    seed = _SEED + here.number
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy.random")
    if numpy is not None:
        source: Any = sys.modules["numpy.random.bit_generator"]
        if not isinstance(source.randbits, functools.partial):
            source.randbits = functools.partial(_entropy, source.randbits)
        numpy.seed(seed)


def is_drawn() -> bool:
    """Return if the modules' own generators have moved on since `restart`."""
    seed = _SEED + here.number
    if random.getstate() != _Random(seed).getstate():
        return True
    numpy: Any = sys.modules.get("numpy.random")
    return numpy is not None and pickle.dumps(numpy.get_state()) != pickle.dumps(
        numpy.RandomState(seed).get_state()
    )


def _reroute(function: types.FunctionType, fake: Callable[..., object]) -> None:
    """Have a stand-in do a function's work, which it gets as its first argument."""
    taken_over.reroute(function, lambda real: functools.partial(fake, real))


def _bytes(value: bytes, *_: int, **__: int) -> bytes:
    here.is_asked = True
    return here.bytes(len(value)) if here.is_varied else _BYTE * len(value)


def _number(real: Callable[[], float]) -> float:
    value = real()
    return value if here.is_varied else _RANDOM


def _named(version: int, real: Callable[..., object], *given: object) -> uuid.UUID:
    real(*given)
    here.is_asked = True
    bits = here.bits(128) if here.is_varied else _UUID
    return uuid.UUID(int=bits, version=version)


def _seeded(real: Callable[..., None], generator: object, seed: object, version: int) -> None:
    real(generator, seed, version)
    if seed is None:
        real(generator, _seed(_SEED_BITS), version)


def _entropy(real: Callable[[int], int], bits: int) -> int:
    real(bits)
    return _seed(bits)


def _seed(bits: int) -> int:
    """What the system gives to seed a generator with."""
    here.is_asked = True
    return here.bits(bits) if here.is_varied else _SEED
