"""Run solutions that show what they do, on many inputs."""

import dataclasses
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import JsonValue

from steelyard.authoring.calls import Callee
from steelyard.plain import PlainType
from steelyard.sandbox import Blob
from steelyard.schemas import Entry, Limits

__all__ = ["traces"]

_LIMITS = Limits(cpu_ms=10_000, wall_ms=30_000, memory_mib=1_024)
_MOST_FINDINGS = 10_000

Args = tuple[JsonValue, ...]


def traces(
    solution: Callee, types: Sequence[PlainType], inputs: Sequence[Args]
) -> list[frozenset[int]]:
    """Return a number for each thing that a solution does with each input.

    An input is without any if the solution could not be traced with it.

    Args:
        solution: The solution.
        types: The parameters' types.
        inputs: Valid ones.

    Raises:
        InfrastructureError: if the machine failed.
    """
    artifact, program = solution.artifact, solution.artifact.source
    traced = dataclasses.replace(
        solution,
        artifact=dataclasses.replace(
            artifact,
            files={program: _tracer(solution.entry.name), "traced.py": artifact.files[program]},
        ),
        entry=Entry.parse("function:trace"),
        limits=_LIMITS,
    )
    calls = [
        [kind.value_of(each) for kind, each in zip(types, args, strict=True)] for args in inputs
    ]
    return [
        _numbers(each.value) if each.how == "ok" else frozenset()
        for each in traced.call_together(calls)
    ]


@cache
def _tracer(entry: str) -> Blob:
    """Return the program that runs the entry of `traced.py`."""
    text = (files("steelyard.authoring.evidence") / "incell.py").read_text("utf-8")
    return Blob(f"{text}\n_load({entry!r})\n".encode())


def _numbers(value: bytes) -> frozenset[int]:
    """Read what a traced solution returned, which may be anything."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return frozenset()
    plain = isinstance(found, list) and all(type(each) is int for each in found)
    return frozenset(found[:_MOST_FINDINGS]) if plain else frozenset()
