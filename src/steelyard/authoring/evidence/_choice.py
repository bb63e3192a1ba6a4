"""Choose inputs by what solutions do with them: those with most news, those with most steps.

Far more inputs are made than are taken, and solutions run on each (`Observer`). What they do is a
set of findings, each worth half as much each time it is seen.
"""

import heapq
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from steelyard.authoring.calls import Callee
from steelyard.authoring.evidence._observations import ObservedInput, Observer
from steelyard.constraints import Validator, bounds_of
from steelyard.errors import SpecificationError
from steelyard.families import args_of
from steelyard.inputs import SpecInputs, inputs_of, visits
from steelyard.schemas import AuthoredCase, Specification

_LARGE_SHARE, _COSTLY_SHARE = 6, 10
"""One in so many inputs that are chosen is a large one, and one in so many one that costs most."""
_MOST_KINDS = 40
"""Kinds of large inputs that are compared."""
_LEAST_SIZE, _MODERATE_SIZE, _MOST_SIZE = 200, 1_000, 100_000
"""No input is costly if all sizes are below the first one. Kinds are compared at the second, and
inputs of those that cost most have the largest size, at most the third."""
_ENDS_SHARE, _EXTREME_SHARE = 2, 4
"""At most one in so many of the small ones is at a bound, and one in so many is an extreme."""
_ROUNDS, _EACH_ROUND, _PARENTS = 16, 120, 100
"""Rounds of changes in a thorough choice, how many are tried in each, and their parents."""
_WORTH = 0.5
"""What a finding is worth compared with the time before."""
_TREND_WORTH = 0.3
"""What a long container is worth that is the longest of inputs with one order, not of all."""


def telling_inputs(
    spec: Specification,
    solutions: Sequence[Callee],
    made: Sequence[AuthoredCase],
    *,
    seed: int,
    count: int,
    thorough: bool = False,
) -> tuple[AuthoredCase, ...]:
    """Return the inputs on which solutions do what they seldom or never do on others.

    Every solution runs on each input, and notes its branches, comparisons, loops and indexes, which
    of them follow each other, and the kind of the answer. The input with most news is taken, again
    and again. Some reach bounds, have the largest answers or take the most steps.

    Args:
        spec: The specification.
        solutions: Trusted ones. Different ideas show more than one.
        made: Valid inputs, far more than are wanted. Examples are taken in any case.
        seed: The choice depends on it, on the specification, the solutions and the inputs alone.
        count: Limit on the inputs.
        thorough: Take all of these, and further ones from changes of the best, in rounds.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
        InfrastructureError: if the machine failed.
    """
    observer = Observer(spec, solutions)
    seen = observer.on(made)
    costly = _costly(inputs_of(spec, seed=seed), observer, count // _COSTLY_SHARE)
    if thorough:
        every = {case.input.digest: case for case in (*made, *costly)}
        return (*every.values(), *_changed(spec, observer, seen, seed, count))
    known = {case.input.digest for case in costly}
    examples = [each for each in seen if each.case.origin.startswith("example")]
    large = [each for each in seen if each.is_large and each.digest not in known]
    small = [each for each in seen if not each.is_large]
    heavy = heaviest(large, count // _COSTLY_SHARE - len(costly))
    left = count // _LARGE_SHARE - len(costly) - len(heavy)
    taken = _unique([*heavy, *most_news(heavy, large, left)])
    most_small = max(0, count - len(costly) - len(taken) - len(examples))
    ends = at_ends(spec, [*examples, *taken], small)[: most_small // _ENDS_SHARE]
    extreme = extremes(small, 1)[: most_small // _EXTREME_SHARE]
    first = _unique([*examples, *ends, *extreme])
    news = most_news(first, small, max(0, count - len(costly) - len(taken) - len(first)))
    return (*(each.case for each in _unique([*first, *news, *taken])), *costly)


def _costly(inputs: SpecInputs, observer: Observer, count: int) -> list[AuthoredCase]:
    """Return the largest inputs, of the kinds on which solutions do most at a moderate size.

    Args:
        inputs: Those of the specification.
        observer: Runs the solutions.
        count: Limit on the inputs. There are none if no list or text becomes long.
    """
    try:
        size = inputs.size
        if size.most < _LEAST_SIZE or not size.quantity.startswith("len("):
            return []
        most = min(size.most, _MOST_SIZE)
        n = min(most, max(size.least, _MODERATE_SIZE))
        kinds = inputs.kinds(n, _MOST_KINDS)
    except SpecificationError:  # nothing grows, or nothing was found
        return []
    cases = {kind: inputs.cases(n, [kind])[0] for kind in kinds}
    kind_of = {case.input.digest: kind for kind, case in cases.items()}
    chosen = heaviest(observer.on([*cases.values()]), count)
    return inputs.cases(most, [kind_of[each.digest] for each in chosen])


def _changed(
    spec: Specification,
    observer: Observer,
    seen: Sequence[ObservedInput],
    seed: int,
    count: int,
) -> list[AuthoredCase]:
    """Return further small inputs, of those that come from changes of the best in rounds."""
    known = [each for each in seen if not each.is_large]
    every = list(known)
    for number in range(_ROUNDS):
        parents = [*most_news((), every, _PARENTS), *extremes(every, 3)]
        inputs = [each.case.input for each in parents]
        cases = inputs_of(spec, seed=seed + number).changed(inputs, _EACH_ROUND)
        digests = {each.digest for each in every}
        every += observer.on([each for each in cases if each.input.digest not in digests])
    new = every[len(known) :]
    return [each.case for each in most_news(known, new, count)]


def _unique(some: Sequence[ObservedInput]) -> list[ObservedInput]:
    return list({each.digest: each for each in some}.values())


def most_news(
    known: Sequence[ObservedInput], candidates: Sequence[ObservedInput], count: int
) -> list[ObservedInput]:
    """Return the first candidates in the order of `by_news`."""
    return [candidates[at] for at in islice(by_news(known, candidates), count)]


def by_news(known: Sequence[ObservedInput], candidates: Sequence[ObservedInput]) -> Iterator[int]:
    """Yield positions: next is always the candidate with most news, then the earlier one.

    Args:
        known: Inputs that are already taken.
        candidates: Those to take.
    """
    every = (*known, *candidates)
    worth_of = dict.fromkeys(chain.from_iterable(each.findings for each in every), 1.0)
    alike: dict[frozenset[int], deque[int]] = {}  # of equal ones, the first is taken first

    def take(one: ObservedInput) -> None:
        for number in one.findings:
            worth_of[number] *= _WORTH

    def worth(one: ObservedInput) -> float:
        return sum(map(worth_of.__getitem__, one.findings))

    for each in known:
        take(each)
    for position, each in enumerate(candidates):
        alike.setdefault(each.findings, deque()).append(position)
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


def at_ends(
    spec: Specification, known: Sequence[ObservedInput], shown: Sequence[ObservedInput]
) -> list[ObservedInput]:
    """Return the smallest input, and for each bound that none so far reaches, the smallest at it.

    Args:
        spec: States the bounds.
        known: Inputs that are already taken.
        shown: Those to take.
    """
    by_size = sorted(
        ((args_of(each.case.input), each) for each in shown), key=lambda pair: visits(pair[0])
    )
    reached = [args_of(each.case.input) for each in known]
    found = by_size[:1]
    for bound in bounds_of(Validator.of(spec)):
        if not any(map(bound.reached_by, [*reached, *(args for args, _ in found)])):
            found += islice((pair for pair in by_size if bound.reached_by(pair[0])), 1)
    return [each for _, each in found]


def extremes(shown: Sequence[ObservedInput], count: int) -> list[ObservedInput]:
    """Return the inputs with the largest of each size, and with the smallest if it is negative.

    A size that is the same for all of several inputs is passed over.

    Args:
        shown: The inputs; of equal ones the earlier is preferred.
        count: Number of inputs for each size.
    """
    found: dict[str, ObservedInput] = {}
    for at in range(max((len(each.sizes) for each in shown), default=0)):
        having = [each for each in shown if len(each.sizes) > at]
        if len(having) == len(shown) > 1 and len({each.sizes[at] for each in having}) == 1:
            continue
        largest = sorted(having, key=lambda each: -each.sizes[at])[:count]
        smallest = sorted(having, key=lambda each: each.sizes[at])[:count]
        below = [each for each in smallest if each.sizes[at] < 0]
        found.update((each.digest, each) for each in (*largest, *below))
    return list(found.values())


def heaviest(shown: Sequence[ObservedInput], count: int) -> list[ObservedInput]:
    """Return inputs on which programs that go through whole containers or chains take longest.

    At each place where a solution uses a container, and in each loop, an input has a share of the
    largest number of all inputs. Next is always the input whose shares exceed those of the inputs
    taken so far by most, and counting less, those of inputs whose items are ordered likewise; once
    none exceeds any, the places count anew.

    Args:
        shown: The inputs; of equal ones the earlier is preferred.
        count: Limit on the inputs. Those without any container or loop are not taken.
    """
    most: dict[int, int] = {}
    for each in shown:
        for place, length in each.lengths:
            most[place] = max(length, most.get(place, 0))
    left = {each.digest: each for each in reversed(shown) if any(n for _, n in each.lengths)}
    found: list[ObservedInput] = []
    best: dict[tuple[object, int], float] = {}

    def worth(one: ObservedInput) -> float:
        return sum(
            weight * max(0.0, length / most[place] - best.get((group, place), 0.0))
            for place, length in one.lengths
            if length
            for group, weight in ((None, 1.0), (one.trends, _TREND_WORTH))
        )

    while left and len(found) < count:
        best.clear()
        # What an input is worth only falls, so the first one whose worth is up to date is the best.
        order = [(-worth(each), at, each) for at, each in enumerate(reversed(left.values()))]
        heapq.heapify(order)
        while order and len(found) < count:
            _, at, one = heapq.heappop(order)
            now = -worth(one)
            if order and (now, at) > order[0][:2]:
                heapq.heappush(order, (now, at, one))
                continue
            if not now:
                break
            found.append(left.pop(one.digest))
            for place, length in one.lengths:
                share = length / (most[place] or 1)
                for group in (None, one.trends):
                    best[group, place] = max(best.get((group, place), 0.0), share)
    return found
