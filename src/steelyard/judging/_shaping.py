"""Write down what decides a verifier's verdicts, so that runs can be compared."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

_SHAPELESS = frozenset({"test_cases", "max_workers", "binary_cache_dir"})
"""Arguments that change no verdict, and tests, which have a digest of their own."""


def shaping_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments of a verifier as JSON holds them; code is its name."""
    return {name: _plain(value) for name, value in given.items() if name not in _SHAPELESS}


def _plain(value: object) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_plain(each) for each in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
        return {"type": type(value).__qualname__, **_plain(fields)}
    return getattr(value, "__qualname__", type(value).__qualname__)
