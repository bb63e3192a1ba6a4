"""Run solutions that show what they do, on many inputs."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import JsonValue

from steelyard.authoring.calls import Callee
from steelyard.plain import PlainType
from steelyard.sandbox import Blob
from steelyard.schemas import Entry, Limits

__all__ = ["Trace", "traces"]

_LIMITS = Limits(cpu_ms=10_000, wall_ms=30_000, memory_mib=1_024)
_STEPS_TOGETHER = 2_500_000
"""Steps of the calls that share a process: some 3 s."""
_MOST_FINDINGS = 10_000

Args = tuple[JsonValue, ...]


@dataclass(frozen=True)
class Trace:
    """The way of a solution through an input, in numbers."""

    answer: int | None = None
    """Equal for equal answers; None if the solution could not be traced."""
    findings: frozenset[int] = frozenset()


def traces(
    solution: Callee, types: Sequence[PlainType], inputs: Sequence[Args], most_steps: int
) -> list[Trace]:
    """Return what a solution does with each input.

    Args:
        solution: The solution.
        types: The parameters' types.
        inputs: Valid ones.
        most_steps: Conditions, comparisons, indexes and rounds of loops, after which a call ends.

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
        [most_steps, *(kind.value_of(each) for kind, each in zip(types, args, strict=True))]
        for args in inputs
    ]
    size = max(1, _STEPS_TOGETHER // most_steps)
    return [
        _trace_of(each.value) if each.how == "ok" else Trace()
        for at in range(0, len(calls), size)
        for each in traced.call_together(calls[at : at + size])
    ]


@cache
def _tracer(entry: str) -> Blob:
    """Return the program that runs the entry of `traced.py`."""
    text = (files("steelyard.authoring.evidence") / "incell.py").read_text("utf-8")
    return Blob(f"{text}\n_load({entry!r})\n".encode())


def _trace_of(value: bytes) -> Trace:
    """Read what a traced solution returned, which may be anything."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return Trace()
    if not isinstance(found, list) or not found or not all(type(each) is int for each in found):
        return Trace()
    return Trace(found[0], frozenset(found[1:_MOST_FINDINGS]))
