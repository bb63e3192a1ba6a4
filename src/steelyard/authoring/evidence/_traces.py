"""Run solutions that show what they do, on many inputs."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import JsonValue

from steelyard.authoring.calls import Callee
from steelyard.plain import PlainType
from steelyard.sandbox import Blob
from steelyard.schemas import Entry, Limits
from steelyard.toolchains import making_modules

_LIMITS = Limits(cpu_ms=10_000, wall_ms=30_000, memory_mib=1_024)
_STEPS_TOGETHER = 2_500_000
"""Steps of the calls that share a process: some 3 s."""
_TOGETHER, _MOST_TOGETHER = 12, 250
"""Calls that share a process with mutants if it is not known what they cost, and the most that do.
To load many mutants takes longer than a call of each."""
_MOST_FINDINGS = 10_000
_MOST_SIZES, _MOST_PLACES, _LONGEST = 8, 500, 10**15
_MODULES = tuple(
    f"steelyard.authoring.evidence.incell.{name}" for name in ("measuring", "tracing", "running")
)

Args = tuple[JsonValue, ...]


@dataclass(frozen=True)
class Trace:
    """The way of a solution through an input, in numbers."""

    answer: int | None = None
    """Equal for equal answers; None if the solution could not be traced."""
    findings: frozenset[int] = frozenset()
    kills: frozenset[int] = frozenset()
    """The positions of mutants that give another answer. Those that die often run no more."""
    with_mutants: bool = False
    """False if none ran: there were none, or they exhausted the cell."""
    steps: int = 0
    """Conditions, comparisons, indexes and rounds of loops: what it cost."""
    lengths: tuple[int, ...] = ()
    """For each place where a container is used, the sum of how long it is each time. For each loop,
    the most rounds that it had at once, and these times how often it began."""
    sizes: tuple[int, ...] = ()
    """The largest number that was compared or divided, from a billion on, and else 0; what can be
    large or small of the answer: a number, a length, the first numbers."""


def traces(
    solution: Callee,
    types: Sequence[PlainType],
    inputs: Sequence[Args],
    most_steps: int,
    mutants: Mapping[int, str] | None = None,
    *,
    most_rounds: int = 0,
) -> list[Trace]:
    """Return what a solution does with each input.

    Args:
        solution: The solution.
        types: The parameters' types.
        inputs: Valid ones.
        most_steps: Conditions, comparisons, indexes and rounds of loops, after which a call ends.
        mutants: Programs that run too, by their numbers.
        most_rounds: Rounds of loops of a second call, which shows how long containers and loops are
            and continues where the first was ended; 0 for none.

    Raises:
        InfrastructureError: if the machine failed.
    """
    plain = [[kind.value_of(each) for kind, each in zip(types, a, strict=True)] for a in inputs]
    calls = [[most_steps, most_rounds, *args] for args in plain]
    size = _TOGETHER if mutants else max(1, _STEPS_TOGETHER // (most_steps + most_rounds))
    found: list[Trace] = []
    while len(found) < len(calls):
        found += _traced(solution, mutants or {}, calls[len(found) : len(found) + size])
        if mutants:
            each_steps = (1 + len(mutants)) * (1 + sum(each.steps for each in found) // len(found))
            size = max(_TOGETHER, min(_MOST_TOGETHER, _STEPS_TOGETHER // each_steps))
    lost = [at for at, each in enumerate(found) if each.answer is None] if most_rounds else []
    shorter = [[most_steps, 0, *plain[at]] for at in lost]
    for at, each in zip(lost, _traced(solution, {}, shorter) if lost else (), strict=True):
        found[at] = each
    return found


def _traced(
    solution: Callee, mutants: Mapping[int, str], calls: Sequence[Sequence[Any]]
) -> list[Trace]:
    artifact, program = solution.artifact, solution.artifact.source
    texts = {
        program: _tracer(solution.entry.name),
        "traced.py": artifact.files[program],
        "mutants.json": Blob(json.dumps([*mutants.items()]).encode()),
    }
    callee = dataclasses.replace(
        solution,
        artifact=dataclasses.replace(artifact, files=texts),
        entry=Entry.parse("function:trace"),
        limits=_LIMITS,
    )
    done = callee.call_in_one(calls) if mutants else callee.call_together(calls)
    if mutants and any(each.how != "ok" for each in done):
        if len(calls) <= _TOGETHER:
            return _traced(solution, {}, calls)
        parts = (calls[at : at + _TOGETHER] for at in range(0, len(calls), _TOGETHER))
        return [trace for part in parts for trace in _traced(solution, mutants, part)]
    return [
        dataclasses.replace(
            _trace_of(each.value) if each.how == "ok" else Trace(),
            with_mutants=bool(mutants),
        )
        for each in done
    ]


@cache
def _tracer(entry: str) -> Blob:
    """Return the program that runs the entry of `traced.py`."""
    text = f"{making_modules(_MODULES)}module.load({entry!r})\ntrace = module.trace\n"
    return Blob(text.encode())


def _trace_of(value: bytes) -> Trace:
    """Read what a traced solution returned, which may be anything."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return Trace()
    match found:
        case [[answer, steps, *sizes], list() as kills, list() as findings, list() as lengths] if (
            all(type(each) is int for each in (answer, steps, *sizes, *kills, *findings, *lengths))
        ):
            some = frozenset(findings[:_MOST_FINDINGS])
            return Trace(
                answer,
                some,
                frozenset(kills),
                steps=max(0, steps),
                sizes=tuple(sizes[:_MOST_SIZES]),
                lengths=tuple(min(max(0, each), _LONGEST) for each in lengths[:_MOST_PLACES]),
            )
    return Trace()
