"""Choose inputs by what solutions do with them."""

import heapq
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice

from pydantic import JsonValue

from steelyard.authoring.calls import Callee
from steelyard.authoring.evidence._traces import Trace, traces
from steelyard.constraints import Validator
from steelyard.families import args_of
from steelyard.inputs import changed_inputs, is_large, make_inputs
from steelyard.sandbox import settle_on_cell_cores
from steelyard.schemas import AuthoredCase, Specification

__all__ = ["telling_inputs"]

_DRAWN = 5
"""Inputs that are made from the specification for each one that is chosen."""
_CHANGED = 40
"""Inputs that are made by changing others for each small one that is chosen: they cost far less."""
_CHANGED_LARGE = 10
_LARGE_SHARE = 8
"""One in so many inputs that are chosen is a large one."""
_ROUNDS = 16
"""Rounds of changes, each of which starts from the best of all that were made before."""
_PARENTS = 100
_KEPT = 200
"""Inputs of the rounds so far that may be parents in the next one."""
_MOST_STEPS = 5_000
"""Steps after which a solution is ended on a small input."""
_MOST_STEPS_LARGE = 200_000
_OTHER_SEED = 1
_WORTH = 0.5
"""What a finding is worth compared with the time before."""

Args = tuple[JsonValue, ...]


def telling_inputs(
    spec: Specification,
    solutions: Sequence[Callee],
    known: Sequence[AuthoredCase],
    *,
    seed: int,
    count: int,
) -> tuple[AuthoredCase, ...]:
    """Return inputs on which solutions do what they seldom or never do on known ones.

    Far more inputs are made than are taken. Every solution runs on each, and notes its branches,
    comparisons, loops and indexes, which of them follow each other, and the kind of the answer. The
    input with most news is taken, again and again; news is worth half as much each time it is seen,
    and less if the answer was seen before. The inputs with most news are also changed, in rounds,
    so that inputs come which are seldom made from a specification.

    Args:
        spec: The specification.
        solutions: Trusted ones. Different ideas show more than one.
        known: The suite so far.
        seed: The inputs depend on it, on the specification, the solutions and the suite.
        count: Limit on the inputs.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
        InfrastructureError: if the machine failed.
    """
    made = make_inputs(spec, seed=seed + _OTHER_SEED, count=_DRAWN * count)
    digests = {case.input.digest for case in known}
    tried = _Tried(spec, solutions)
    before = tried.on(known)
    new = tried.on([case for case in made if case.input.digest not in digests])

    def chosen(are_large: bool, count: int) -> list[Shown]:
        """Return the best of the small or the large inputs, and of changes of these."""
        known, fresh = (
            [each for each in some if each.is_large is are_large] for some in (before, new)
        )
        changes = (_CHANGED_LARGE if are_large else _CHANGED) * count
        return _chosen(known, tried.with_changes(known, fresh, seed=seed, count=changes), count)

    large = chosen(True, count // _LARGE_SHARE)
    return tuple(each.case for each in (*large, *chosen(False, count - len(large))))


@dataclass(frozen=True)
class Shown:
    """An input, and what solutions do with it."""

    case: AuthoredCase
    answer: int | None
    """The first solution's answer, in a number."""
    findings: frozenset[int]
    """A number for each thing that a solution did."""
    is_large: bool = False
    """True if it has so many items that it comes last in a suite."""


@dataclass
class _Tried:
    """Runs solutions of a specification."""

    spec: Specification
    solutions: Sequence[Callee]

    def on(self, cases: Sequence[AuthoredCase]) -> list[Shown]:
        """Return what the solutions do with some inputs."""
        found: list[Shown] = []
        for are_large, most_steps in ((False, _MOST_STEPS), (True, _MOST_STEPS_LARGE)):
            some = [case for case in cases if is_large(case.input) is are_large]
            inputs = [args_of(case.input) for case in some]
            each = self._traced(inputs, most_steps)
            for at, case in enumerate(some):
                findings = frozenset(
                    i + n * len(each) for i, ways in enumerate(each) for n in ways[at].findings
                )
                found.append(Shown(case, each[0][at].answer if each else None, findings, are_large))
        return found

    def _traced(self, inputs: Sequence[Args], most_steps: int) -> list[list[Trace]]:
        """Return what each solution does with each input."""
        if not self.solutions or not inputs:
            return [[] for _ in self.solutions]
        types = tuple(Validator.of(self.spec).types.values())
        with ThreadPoolExecutor(
            len(self.solutions), "steelyard-traces", initializer=settle_on_cell_cores
        ) as run:
            return list(run.map(lambda one: traces(one, types, inputs, most_steps), self.solutions))

    def with_changes(
        self, known: Sequence[Shown], new: Sequence[Shown], *, seed: int, count: int
    ) -> list[Shown]:
        """Return the new inputs, and further ones which come from changes of the best of all."""
        every, latest = list(new), [*known, *new]
        digests = {each.case.input.digest for each in latest}
        best: list[Shown] = []
        each_round = max(count // _ROUNDS, min(count, 1))
        for number in range(_ROUNDS):
            best = _chosen((), [*best, *latest], _KEPT)
            inputs = [each.case.input for each in best[:_PARENTS]]
            found = changed_inputs(self.spec, inputs, seed=seed + number, count=each_round)
            unseen = [case for case in found if case.input.digest not in digests]
            digests.update(case.input.digest for case in unseen)
            latest = self.on(unseen)
            every += latest
        return every


def _chosen(known: Sequence[Shown], candidates: Sequence[Shown], count: int) -> list[Shown]:
    return [candidates[at] for at in islice(by_news(known, candidates), count)]


def by_news(known: Sequence[Shown], candidates: Sequence[Shown]) -> Iterator[int]:
    """Yield positions: next is always the candidate with most news, then the earlier one.

    Args:
        known: Inputs that are already taken.
        candidates: Those to take.
    """
    every = (*known, *candidates)
    worth_of = dict.fromkeys(chain.from_iterable(each.findings for each in every), 1.0)
    answers: Counter[int | None] = Counter()
    alike: dict[tuple[object, ...], deque[int]] = {}  # of equal ones, the first is taken first

    def take(one: Shown) -> None:
        answers[one.answer] += 1
        for number in one.findings:
            worth_of[number] *= _WORTH

    def worth(one: Shown) -> float:
        return sum(map(worth_of.__getitem__, one.findings)) / (1 + answers[one.answer])

    for each in known:
        take(each)
    for position, each in enumerate(candidates):
        alike.setdefault((each.answer, each.findings), deque()).append(position)
    # What an input is worth only falls, so the first one whose worth is up to date is the best.
    left = [(-worth(candidates[group[0]]), group[0], group) for group in alike.values()]
    heapq.heapify(left)
    while left:
        _, position, group = heapq.heappop(left)
        now = -worth(candidates[position])
        if left and (now, position) > left[0]:
            heapq.heappush(left, (now, position, group))
            continue
        yield group.popleft()
        take(candidates[position])
        if group:
            heapq.heappush(left, (now, group[0], group))
