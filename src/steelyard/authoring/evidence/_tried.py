"""Run solutions and their mutants on inputs."""

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import chain

from pydantic import JsonValue

from steelyard.authoring.calls import Callee
from steelyard.authoring.evidence._coincidences import coincidences
from steelyard.authoring.evidence._shown import Shown
from steelyard.authoring.evidence._traces import Trace, traces
from steelyard.authoring.evidence._trends import trends
from steelyard.constraints import Validator
from steelyard.errors import UsageError
from steelyard.families import args_of
from steelyard.inputs import visits
from steelyard.plain import PlainType
from steelyard.sandbox import settle_on_cell_cores
from steelyard.schemas import AuthoredCase, Specification
from steelyard.strength import mutants_of

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

Args = tuple[JsonValue, ...]


class Tried:
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

    def on(self, cases: Sequence[AuthoredCase], *, as_large: bool = False) -> list[Shown]:
        """Return what the solutions do with some inputs: with small ones, then with large ones.

        Args:
            cases: The inputs.
            as_large: No mutants run on any of them, as on large ones.

        Raises:
            InfrastructureError: if the machine failed.
        """
        pairs = [(case, args_of(case.input)) for case in cases]
        found: list[Shown] = []
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
                self._shown(case, args, each, is_large=are_large)
                for (case, args), each in zip(some, ways, strict=True)
            ]
        return found

    def leave_out_common(self, shown: Sequence[Shown]) -> None:
        """Leave out the mutants that these inputs kill often."""
        kills = Counter(chain.from_iterable(each.kills for each in shown))
        self._mutants = [
            {number: text for number, text in some.items() if kills[self._of(i, number)] < _COMMON}
            for i, some in enumerate(self._mutants)
        ]

    def _shown(
        self, case: AuthoredCase, args: Args, ways: Sequence[Trace], *, is_large: bool
    ) -> Shown:
        findings = (self._of(i, n) for i, way in enumerate(ways) for n in way.findings)
        return Shown(
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
