"""Run solutions on inputs, and note what they do.

`Observer` runs all solutions of a specification, and gives an `ObservedInput` of each input.
`traces` runs one solution in cells, with the tracer of `incell/`, and gives a `Trace` of each call.
"""

import dataclasses
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

from steelyard.authoring.calls import Args, Callee
from steelyard.authoring.evidence._features import trends
from steelyard.constraints import Validator
from steelyard.families import args_of
from steelyard.inputs import visits
from steelyard.sandbox import Blob, settle_on_cell_cores
from steelyard.schemas import AuthoredCase, Entry, Limits, Specification
from steelyard.toolchains import making_modules
from steelyard.values import PlainType

_LARGE = 1_500
"""Items and characters from which on an input is a large one."""
_MOST_STEPS, _MOST_STEPS_LARGE = 5_000, 30_000
"""Steps after which a solution is ended on a small input, and on a large one."""
_MOST_ROUNDS = 200_000
"""Rounds of loops of a solution, in a run that notes only how long containers and loops are."""


@dataclass(frozen=True)
class Trace:
    """The way of a solution through an input, in numbers."""

    answer: int | None = None
    """Equal for equal answers; None if the solution could not be traced."""
    findings: frozenset[int] = frozenset()
    steps: int = 0
    """Conditions, comparisons, indexes, calls and rounds of loops: what it cost."""
    lengths: tuple[int, ...] = ()
    """For each place where a container is used, the sum of how long it is each time. For each loop,
    the most rounds that it had at once, and these times how often it began."""
    sizes: tuple[int, ...] = ()
    """The largest number that was compared or divided, from a billion on, and else 0; what can be
    large or small of the answer: a number, a length, the first numbers."""


@dataclass(frozen=True)
class ObservedInput:
    """An input, and what solutions do with it."""

    case: AuthoredCase
    findings: frozenset[int]
    """A number for each thing that a solution did."""
    sizes: tuple[int, ...] = ()
    """The steps of each solution, then the first one's largest number and what can be large of its
    answer."""
    lengths: tuple[tuple[int, int], ...] = ()
    """Places where solutions use containers, each with the sum of how long these are; loops, each
    with the most rounds at once, and with these times how often it began."""
    trends: tuple[str, ...] = ()
    """How the items of its long lists are ordered, if it is large."""
    is_large: bool = False
    """True if it has so many items that only the first solution runs on it."""

    @property
    def digest(self) -> str:
        """The input's digest."""
        return self.case.input.digest


class Observer:
    """Solutions of a specification.

    Args:
        spec: The specification.
        solutions: Trusted solutions. On large inputs only the first one runs, the fast one: one
            step of a brute force may go through a whole list.
    """

    def __init__(self, spec: Specification, solutions: Sequence[Callee]) -> None:
        self._spec, self._solutions = spec, solutions

    def on(self, cases: Sequence[AuthoredCase]) -> list[ObservedInput]:
        """Return what the solutions do with some inputs: with small ones, then with large ones.

        Raises:
            InfrastructureError: if the machine failed.
        """
        pairs = [(case, args_of(case.input)) for case in cases]
        found: list[ObservedInput] = []
        for are_large in (False, True):
            some = [(case, args) for case, args in pairs if (visits(args) > _LARGE) is are_large]
            ways = self._traced([args for _, args in some], are_large=are_large)
            found += [
                self._observed(case, args, each, is_large=are_large)
                for (case, args), each in zip(some, ways, strict=True)
            ]
        return found

    def _observed(
        self, case: AuthoredCase, args: Args, ways: Sequence[Trace], *, is_large: bool
    ) -> ObservedInput:
        return ObservedInput(
            case,
            findings=frozenset(self._of(i, n) for i, way in enumerate(ways) for n in way.findings),
            sizes=(*(way.steps for way in ways), *(ways[0].sizes if ways else ())),
            lengths=tuple(
                (self._of(i, at), n)
                for i, way in enumerate(ways)
                for at, n in enumerate(way.lengths)
            ),
            trends=trends(args) if is_large else (),
            is_large=is_large,
        )

    def _of(self, solution: int, number: int) -> int:
        """Return a number that no other solution's finding has."""
        return solution + len(self._solutions) * number

    def _traced(self, inputs: Sequence[Args], *, are_large: bool) -> list[tuple[Trace, ...]]:
        """Return for each input what each solution does with it."""
        solutions = self._solutions[:1] if are_large else self._solutions
        if not solutions:
            return [()] * len(inputs)
        types = tuple(Validator.of(self._spec).types.values())
        most_steps = _MOST_STEPS_LARGE if are_large else _MOST_STEPS

        def trace(number: int) -> list[Trace]:
            most_rounds = 0 if number else _MOST_ROUNDS
            return traces(solutions[number], types, inputs, most_steps, most_rounds=most_rounds)

        with ThreadPoolExecutor(
            len(solutions), "steelyard-traces", initializer=settle_on_cell_cores
        ) as run:
            return [*zip(*run.map(trace, range(len(solutions))), strict=True)]


_TRACE_LIMITS = Limits(cpu_ms=10_000, wall_ms=30_000, memory_mib=1_024)
_STEPS_TOGETHER = 2_500_000
"""Steps of the calls that share a process: some 3 s."""
_MOST_FINDINGS = 10_000
_MOST_SIZES, _MOST_PLACES, _LONGEST = 8, 500, 10**15
_MODULES = tuple(
    f"steelyard.authoring.evidence.incell.{name}" for name in ("measuring", "tracing", "running")
)


def traces(
    solution: Callee,
    types: Sequence[PlainType],
    inputs: Sequence[Args],
    most_steps: int,
    *,
    most_rounds: int = 0,
) -> list[Trace]:
    """Return what a solution does with each input.

    Args:
        solution: The solution.
        types: The parameters' types.
        inputs: Valid ones.
        most_steps: Conditions, comparisons, indexes, calls and rounds of loops, after which a run
            of the solution ends.
        most_rounds: Rounds of loops of a second call, which shows how long containers and loops are
            and continues where the first was ended; 0 for none.

    Raises:
        InfrastructureError: if the machine failed.
    """
    plain = [[kind.value_of(each) for kind, each in zip(types, a, strict=True)] for a in inputs]
    size = max(1, _STEPS_TOGETHER // (most_steps + most_rounds))
    found: list[Trace] = []
    for at in range(0, len(plain), size):
        calls = [[most_steps, most_rounds, *args] for args in plain[at : at + size]]
        found += _traced(solution, calls)
    lost = [at for at, each in enumerate(found) if each.answer is None] if most_rounds else []
    shorter = [[most_steps, 0, *plain[at]] for at in lost]
    for at, each in zip(lost, _traced(solution, shorter) if lost else (), strict=True):
        found[at] = each
    return found


def _traced(solution: Callee, calls: Sequence[Sequence[Any]]) -> list[Trace]:
    artifact, program = solution.artifact, solution.artifact.source
    texts = {program: _tracer(solution.entry.name), "traced.py": artifact.files[program]}
    callee = dataclasses.replace(
        solution,
        artifact=dataclasses.replace(artifact, files=texts),
        entry=Entry.parse("function:trace"),
        limits=_TRACE_LIMITS,
    )
    done = callee.call_together(calls)
    return [_trace_of(each.value) if each.how == "ok" else Trace() for each in done]


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
        case [[answer, steps, *sizes], list() as findings, list() as lengths] if all(
            type(each) is int for each in (answer, steps, *sizes, *findings, *lengths)
        ):
            some = frozenset(findings[:_MOST_FINDINGS])
            return Trace(
                answer,
                some,
                steps=max(0, steps),
                sizes=tuple(sizes[:_MOST_SIZES]),
                lengths=tuple(min(max(0, each), _LONGEST) for each in lengths[:_MOST_PLACES]),
            )
    return Trace()
