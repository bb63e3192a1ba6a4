"""Run solutions and their mutants on inputs, and note what they do.

`Observer` runs all solutions of a specification, and gives an `ObservedInput` of each input.
`traces` runs one solution in cells, with the tracer of `incell/`, and gives a `Trace` of each call.
"""

import dataclasses
import json
import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any

from steelyard.authoring.calls import Args, Callee
from steelyard.authoring.evidence._features import coincidences, trends
from steelyard.constraints import Validator
from steelyard.errors import UsageError
from steelyard.families import args_of
from steelyard.inputs import visits
from steelyard.sandbox import Blob, settle_on_cell_cores
from steelyard.schemas import AuthoredCase, Entry, Limits, Specification
from steelyard.strength import mutants_of
from steelyard.toolchains import making_modules
from steelyard.values import PlainType

_LARGE = 1_500
"""Items and characters from which on an input is a large one, on which no mutants run."""
_MOST_STEPS, _MOST_STEPS_LARGE = 5_000, 30_000
"""Steps after which a solution is ended on a small input, and on a large one."""
_MOST_ROUNDS = 200_000
"""Rounds of loops of a solution, in a run that notes only how long containers and loops are."""
_TOGETHER, _FEWEST, _MOST_EACH_S = 10, 5, 2.0
"""Large inputs that are traced together, the fewest for which time is allowed, and the time that
each may take on average. A solution that needs more is traced on smaller ones only, but for the
first one, which is the fast one."""
_MUTANTS = 150
"""Mutants of each solution that run on small inputs."""
_COMMON = 6
"""Inputs that kill a mutant, after which it runs no more: almost every suite kills it. Within one
process it ends after as many (`_ENOUGH_KILLS`)."""


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


@dataclass(frozen=True)
class ObservedInput:
    """An input, and what solutions do with it."""

    case: AuthoredCase
    answer: int | None
    """The first solution's answer, in a number."""
    findings: frozenset[int]
    """A number for each thing that a solution did."""
    kills: frozenset[int] = frozenset()
    """A number for each mutant of a solution that gives another answer."""
    sizes: tuple[int, ...] = ()
    """The steps of each solution, then the first one's largest number and what can be large of its
    answer."""
    lengths: tuple[tuple[int, int], ...] = ()
    """Places where solutions use containers, each with the sum of how long these are; loops, each
    with the most rounds at once, and with these times how often it began."""
    cost: int = 0
    """The steps that solutions took together, and the items of the input."""
    trends: tuple[str, ...] = ()
    """How the items of its long lists are ordered, if it is large."""
    is_large: bool = False
    """True if it has so many items that mutants do not run on it."""

    @property
    def digest(self) -> str:
        """The input's digest."""
        return self.case.input.digest


class Observer:
    """Solutions of a specification, with their mutants.

    Args:
        spec: The specification.
        solutions: Trusted solutions.

    Raises:
        InfrastructureError: if the machine failed.
    """

    def __init__(self, spec: Specification, solutions: Sequence[Callee]) -> None:
        self._spec, self._solutions = spec, solutions
        self._mutants: list[Mapping[int, str]] = [_mutants_of(each) for each in solutions]
        self._too_large = [math.inf] * len(solutions)

    def on(self, cases: Sequence[AuthoredCase], *, as_large: bool = False) -> list[ObservedInput]:
        """Return what the solutions do with some inputs: with small ones, then with large ones.

        Args:
            cases: The inputs.
            as_large: No mutants run on any of them, as on large ones.

        Raises:
            InfrastructureError: if the machine failed.
        """
        pairs = [(case, args_of(case.input)) for case in cases]
        found: list[ObservedInput] = []
        for are_large in (False, True):
            some = [
                (case, args)
                for case, args in pairs
                if (as_large or visits(args) > _LARGE) is are_large
            ]
            inputs = [args for _, args in some]
            ways = [*zip(*self._traced(inputs, are_large=are_large), strict=True)]
            ways = ways or [()] * len(some)  # there are no solutions
            found += [
                self._observed(case, args, each, is_large=are_large)
                for (case, args), each in zip(some, ways, strict=True)
            ]
        return found

    def leave_out_common(self, shown: Sequence[ObservedInput]) -> None:
        """Leave out the mutants that these inputs kill often."""
        kills = Counter(chain.from_iterable(each.kills for each in shown))
        self._mutants = [
            {number: text for number, text in some.items() if kills[self._of(i, number)] < _COMMON}
            for i, some in enumerate(self._mutants)
        ]

    def _observed(
        self, case: AuthoredCase, args: Args, ways: Sequence[Trace], *, is_large: bool
    ) -> ObservedInput:
        findings = (self._of(i, n) for i, way in enumerate(ways) for n in way.findings)
        return ObservedInput(
            case,
            answer=ways[0].answer if ways else None,
            findings=frozenset(findings) | coincidences(args),
            kills=frozenset(self._of(i, n) for i, way in enumerate(ways) for n in way.kills),
            sizes=(*(way.steps for way in ways), *(ways[0].sizes if ways else ())),
            lengths=tuple(
                (self._of(i, at), n)
                for i, way in enumerate(ways)
                for at, n in enumerate(way.lengths)
            ),
            cost=visits(args) + sum(way.steps for way in ways),
            trends=trends(args) if is_large else (),
            is_large=is_large,
        )

    def _of(self, solution: int, number: int) -> int:
        """Return a number that no other solution's finding or mutant has."""
        return solution + len(self._solutions) * number

    @cached_property
    def _types(self) -> tuple[PlainType, ...]:
        return tuple(Validator.of(self._spec).types.values())

    def _traced(self, inputs: Sequence[Args], *, are_large: bool) -> list[list[Trace]]:
        """Return what each solution does with each input."""
        if not self._solutions or not inputs:
            return [[] for _ in self._solutions]

        def trace(number: int) -> list[Trace]:
            if are_large:
                return self._on_large(number, inputs)
            return traces(
                self._solutions[number],
                self._types,
                inputs,
                _MOST_STEPS,
                self._mutants[number],
                most_rounds=0 if number else _MOST_ROUNDS,
            )

        with ThreadPoolExecutor(
            len(self._solutions), "steelyard-traces", initializer=settle_on_cell_cores
        ) as run:
            found = list(run.map(trace, range(len(self._solutions))))
        if not are_large:  # mutants that exhaust a cell would do so in each round
            pairs = zip(self._mutants, found, strict=True)
            self._mutants = [
                mutants if all(way.with_mutants for way in ways) else {} for mutants, ways in pairs
            ]
        return found

    def _on_large(self, number: int, inputs: Sequence[Args]) -> list[Trace]:
        """Return what a solution does with large inputs, the smallest first; nothing if it is slow.

        One step may take long: that of a brute force often goes through a whole list.
        """
        sizes = [*map(visits, inputs)]
        order = sorted(range(len(inputs)), key=sizes.__getitem__)
        found = [Trace()] * len(inputs)
        for at in range(0, len(order), _TOGETHER):
            some = [i for i in order[at : at + _TOGETHER] if sizes[i] < self._too_large[number]]
            if not some:
                break
            start = time.monotonic()
            ways = traces(
                self._solutions[number],
                self._types,
                [inputs[i] for i in some],
                _MOST_STEPS_LARGE,
                most_rounds=_MOST_ROUNDS,
            )
            for i, way in zip(some, ways, strict=True):
                found[i] = way
            if number and time.monotonic() - start > _MOST_EACH_S * max(len(some), _FEWEST):
                self._too_large[number] = sizes[some[0]]
        return found


def _mutants_of(solution: Callee) -> dict[int, str]:
    """Return mutants of a solution by their numbers; none if it cannot be parsed."""
    source = solution.artifact.files[solution.artifact.source].read()
    try:
        found = mutants_of(source, most=_MUTANTS, pool=solution.pool, toolchain=solution.toolchain)
    except UsageError:
        return {}
    return {number: each.source.decode("utf-8", "replace") for number, each in enumerate(found)}


_TRACE_LIMITS = Limits(cpu_ms=10_000, wall_ms=30_000, memory_mib=1_024)
_STEPS_TOGETHER = 2_500_000
"""Steps of the calls that share a process: some 3 s."""
_CALLS_TOGETHER, _MOST_TOGETHER = 12, 250
"""Calls that share a process with mutants if it is not known what they cost, and the most that do.
To load many mutants takes longer than a call of each."""
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
    size = _CALLS_TOGETHER if mutants else max(1, _STEPS_TOGETHER // (most_steps + most_rounds))
    found: list[Trace] = []
    while len(found) < len(calls):
        found += _traced(solution, mutants or {}, calls[len(found) : len(found) + size])
        if mutants:
            each_steps = (1 + len(mutants)) * (1 + sum(each.steps for each in found) // len(found))
            size = max(_CALLS_TOGETHER, min(_MOST_TOGETHER, _STEPS_TOGETHER // each_steps))
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
        limits=_TRACE_LIMITS,
    )
    done = callee.call_in_one(calls) if mutants else callee.call_together(calls)
    if mutants and any(each.how != "ok" for each in done):
        if len(calls) <= _CALLS_TOGETHER:
            return _traced(solution, {}, calls)
        parts = (calls[at : at + _CALLS_TOGETHER] for at in range(0, len(calls), _CALLS_TOGETHER))
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
