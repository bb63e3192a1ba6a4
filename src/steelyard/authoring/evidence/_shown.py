"""Compare inputs by what solutions do with them: the most news, the largest sizes."""

import heapq
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from steelyard.schemas import AuthoredCase

_WORTH = 0.5
"""What a finding is worth compared with the time before."""
_KILL_WORTH = 10.0
"""What the death of a mutant is worth compared with other findings."""
_TREND_WORTH = 0.3
"""What a long container is worth that is the longest of inputs with one order, not of all."""


@dataclass(frozen=True)
class Shown:
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


def most_news(known: Sequence[Shown], candidates: Sequence[Shown], count: int) -> list[Shown]:
    """Return the first candidates in the order of `by_news`."""
    return [candidates[at] for at in islice(by_news(known, candidates), count)]


def by_news(known: Sequence[Shown], candidates: Sequence[Shown]) -> Iterator[int]:
    """Yield positions: next is always the candidate with most news, then the earlier one.

    Args:
        known: Inputs that are already taken.
        candidates: Those to take.
    """
    every = (*known, *candidates)
    worth_of = dict.fromkeys(chain.from_iterable(each.findings for each in every), 1.0)
    kill_worth_of = dict.fromkeys(chain.from_iterable(each.kills for each in every), _KILL_WORTH)
    answers: Counter[int | None] = Counter()
    alike: dict[tuple[object, ...], deque[int]] = {}  # of equal ones, the first is taken first

    def take(one: Shown) -> None:
        answers[one.answer] += 1
        for number in one.findings:
            worth_of[number] *= _WORTH
        for number in one.kills:
            kill_worth_of[number] *= _WORTH

    def worth(one: Shown) -> float:
        findings = sum(map(worth_of.__getitem__, one.findings)) / (1 + answers[one.answer])
        return findings + sum(map(kill_worth_of.__getitem__, one.kills))

    for each in known:
        take(each)
    for position, each in enumerate(candidates):
        alike.setdefault((each.answer, each.findings, each.kills), deque()).append(position)
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


def extremes(shown: Sequence[Shown], count: int) -> list[Shown]:
    """Return the inputs with the largest of each size, and with the smallest if it is negative.

    A size that is the same for all of several inputs is passed over.

    Args:
        shown: The inputs; of equal ones the earlier is preferred.
        count: Number of inputs for each size.
    """
    found: dict[str, Shown] = {}
    for at in range(max((len(each.sizes) for each in shown), default=0)):
        having = [each for each in shown if len(each.sizes) > at]
        if len(having) == len(shown) > 1 and len({each.sizes[at] for each in having}) == 1:
            continue
        largest = sorted(having, key=lambda each: -each.sizes[at])[:count]
        smallest = sorted(having, key=lambda each: each.sizes[at])[:count]
        below = [each for each in smallest if each.sizes[at] < 0]
        found.update((each.digest, each) for each in (*largest, *below))
    return list(found.values())


def heaviest(shown: Sequence[Shown], count: int) -> list[Shown]:
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
    found: list[Shown] = []
    best: dict[tuple[object, int], float] = {}

    def worth(one: Shown) -> float:
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
