"""Choose inputs by what solutions do with them.

1. Far more inputs are made than are taken, and solutions run on each: `Observer`.
2. The best ones are changed in rounds, each of which starts from the best of all before: `Effort`.
3. Those are taken whose answers or steps are extreme, then those with most news: `extremes`,
   `heaviest`, `most_news`.
"""

import heapq
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from steelyard.authoring.calls import Callee
from steelyard.authoring.evidence._observations import ObservedInput, Observer
from steelyard.inputs import (
    MIDDLING,
    changed_inputs,
    dense_inputs,
    make_inputs,
    ordered_inputs,
    pumped_inputs,
    stretched_inputs,
)
from steelyard.schemas import AuthoredCase, Specification

_DRAWN = 5
"""Inputs that are made from the specification for each one that is chosen."""
_LARGE_SHARE = 3
"""One in so many inputs that are chosen is a large one."""
_BLOCKS_SHARE = 4
"""One in so many large inputs is made of repeated blocks."""
_DENSE_SHARE, _DENSE_TRIED, _MORE_DENSE_TRIED = 20, 40, 4
"""One in so many inputs that are chosen is a long list of few and small numbers; candidates for
each, and for each further one."""
_FURTHER_BLOCKS, _FURTHER_DENSE = 20, 12
"""One in so many further inputs is made of repeated blocks, and one in so many is such a list."""
_EXTREME_SHARE, _EXTREME_SHARE_LARGE, _HEAVIEST_SHARE = 2, 4, 3
"""One in so many at most is an extreme, and of the large ones one on which containers are long."""
_OTHER_SEED = 1


def telling_inputs(
    spec: Specification,
    solutions: Sequence[Callee],
    known: Sequence[AuthoredCase],
    *,
    seed: int,
    count: int,
    further: int = 0,
) -> tuple[AuthoredCase, ...]:
    """Return inputs on which solutions do what they seldom or never do on known ones.

    Far more inputs are made than are taken. Every solution runs on each, and notes its branches,
    comparisons, loops and indexes, which of them follow each other, the kind of the answer, and
    which of its mutants give another one. The input with most news is taken, again and again; news
    is worth half as much each time it is seen, and less if the answer was seen before. Those with
    the largest answers, and those on which solutions take most steps, are taken first.

    The best inputs are also changed, in rounds, so that inputs come which are seldom made from a
    specification. Of large ones those are best with which containers are long where they are used;
    parts of the best small ones are repeated, changed in rounds too, and stretched at the end. Some
    are long lists of few and small numbers.

    A wrong program that fails on 1 of 100 inputs is missed by half of the suites of 70, and further
    small inputs cost little: most of them are there already. So many may be taken. Some of them are
    long lists, and some large ones in blocks.

    Args:
        spec: The specification.
        solutions: Trusted ones. Different ideas show more than one.
        known: The suite so far.
        seed: The inputs depend on it, on the specification, the solutions and the suite, and on how
            many rounds of changes there is time for.
        count: Limit on the inputs, large ones among them.
        further: How many may be taken beyond these, most of them small.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
        InfrastructureError: if the machine failed.
    """
    made = make_inputs(spec, seed=seed + _OTHER_SEED, count=_DRAWN * count)
    choosing = _Choosing(spec, Observer(spec, solutions), known, made, seed)
    of_large = count // _LARGE_SHARE
    of_blocks, of_dense = of_large // _BLOCKS_SHARE, count // _DENSE_SHARE
    more_blocks, more_dense = further // _FURTHER_BLOCKS, further // _FURTHER_DENSE
    blocks = choosing.blocks(count, of_blocks, more_blocks)
    dense = choosing.dense(of_dense, more_dense)
    large = choosing.best(LARGE, of_large - min(len(blocks), of_blocks))
    found = [*blocks, *dense, *large]
    of_small = count - len(large) - min(len(blocks), of_blocks) - min(len(dense), of_dense)
    return (*found, *choosing.best(SMALL, of_small, count + further - len(found) - of_small))


@dataclass(frozen=True)
class Effort:
    """A limit on changes of inputs, each of which costs far less than one that is made anew."""

    are_large: bool
    """No mutants run on them, and those are changed too with which containers are long."""
    least: int
    """Changes for each input that is chosen, whatever they cost."""
    most: int
    """Changes at most for each input that is chosen, if they are affordable."""
    further: int
    """Changes at most for each further input that may be taken beyond these."""
    seconds: float
    """Time after which no further round begins, whatever it costs: a step may take very long."""
    each_round: int = 2
    """Changes at least in a round. Mutants are loaded anew in each, which costs as much as some ten
    changes."""
    in_blocks: bool = False
    """They are made of blocks, which are stretched later."""


SMALL, LARGE = Effort(False, 40, 120, 8, 90.0, each_round=64), Effort(True, 3, 100, 0, 30.0)
BLOCKS = Effort(True, 0, 50, 10, 45.0, in_blocks=True)

_COST_OF_CHANGES = 20_000_000
"""Steps of solutions and items of inputs, for more changes than the least: some 25 s."""
_ROUNDS = 32
"""Rounds at most."""
_PARENTS = 100
_KEPT = 200
"""Inputs of the rounds so far that may be parents in the next one."""
_EXTREMES, _HEAVIEST, _SHARE_OF_EXTREMES = 3, 20, 0.4
"""Parents for each size that is to grow, those that go through most, and the share of changes that
start from these."""


class _Choosing:
    """Chooses among known and new inputs by what solutions do with them."""

    def __init__(
        self,
        spec: Specification,
        observer: Observer,
        known: Sequence[AuthoredCase],
        made: Sequence[AuthoredCase],
        seed: int,
    ) -> None:
        self._spec, self._observer, self._seed = spec, observer, seed
        self._digests = {case.input.digest for case in known}
        self._known = observer.on(known)
        self._new = observer.on(self._unknown(made))
        observer.leave_out_common([*self._known, *self._new])

    def blocks(self, parents: int, count: int, further: int) -> list[AuthoredCase]:
        """Return large inputs of repeated blocks, those with which used containers are long.

        Those of some hundred items are changed and compared, for they cost little.

        Args:
            parents: Number of small inputs of which parts are repeated, and of lists in an order.
            count: Limit on the inputs.
            further: How many may be taken beyond these.
        """
        wanted = count + further
        if not wanted:
            return []
        small = [each for each in (*self._known, *self._new) if not each.is_large]
        inputs = [each.case.input for each in most_news((), small, parents)]
        pumped = pumped_inputs(
            self._spec, inputs, seed=self._seed, count=len(inputs), most_items=MIDDLING
        )
        ordered = ordered_inputs(self._spec, seed=self._seed, count=parents)
        middling = self._observer.on([*pumped, *ordered], as_large=True)
        found = self._with_changes((), middling, BLOCKS, count, further)
        best = extremes(found, 1)[: wanted // _EXTREME_SHARE_LARGE]
        known = {each.digest for each in best}
        # Some cannot be stretched.
        best += [each for each in heaviest(found, 2 * wanted) if each.digest not in known]
        stretched = stretched_inputs(self._spec, [each.case.input for each in best], count=wanted)
        return self._taken(self._unknown(stretched))

    def dense(self, count: int, further: int) -> list[AuthoredCase]:
        """Return long lists of few and small numbers, those with most news.

        They are compared among themselves, since each shows more than many short ones do.

        Args:
            count: Limit on the inputs.
            further: How many may be taken beyond these.
        """
        wanted = count + further
        if not wanted:
            return []
        tried = _DENSE_TRIED * count + _MORE_DENSE_TRIED * further
        made = dense_inputs(self._spec, seed=self._seed, count=tried)
        shown = self._observer.on(self._unknown(made), as_large=True)
        return self._taken([each.case for each in most_news((), shown, wanted)])

    def best(self, effort: Effort, count: int, further: int = 0) -> list[AuthoredCase]:
        """Return the best of the small or the large inputs, and of changes of these.

        Args:
            effort: How many changes are tried, of which inputs.
            count: Limit on the inputs.
            further: How many may be taken beyond these.
        """
        known, new = (
            [each for each in some if each.is_large is effort.are_large]
            for some in (self._known, self._new)
        )
        found = self._with_changes(known, new, effort, count, further)
        found = [each for each in found if each.digest not in self._digests]
        taken = {each.digest: each for each in known}
        share = _EXTREME_SHARE_LARGE if effort.are_large else _EXTREME_SHARE
        ways = [(extremes, 1, count // share)]
        if effort.are_large:
            ways.append((heaviest, count, count // _HEAVIEST_SHARE))
        for best_of, of_each, most in ways:
            best = best_of([*taken.values(), *found], of_each)
            best = [each for each in best if each.digest not in taken][:most]
            taken.update((each.digest, each) for each in best)
        first = [*taken.values()][len(known) :]
        rest = [each for each in found if each.digest not in taken]
        news = most_news([*taken.values()], rest, count + further - len(first))
        return [each.case for each in (*first, *news)]

    def _with_changes(
        self,
        known: Sequence[ObservedInput],
        new: Sequence[ObservedInput],
        effort: Effort,
        count: int,
        further: int = 0,
    ) -> list[ObservedInput]:
        """Return the new inputs, and further ones which come from changes of the best of all.

        Each round of changes starts from the best of all that were made before.

        Args:
            known: The suite so far.
            new: Those to change too.
            effort: How many changes are tried.
            count: Number of inputs that will be chosen from these.
            further: Number of those that may be taken beyond them.
        """
        most = effort.most * count + effort.further * further
        changes = max(effort.least * count, min(most, _affordable(new)))
        every, latest = list(new), [*known, *new]
        digests = {each.digest for each in latest}
        best: list[ObservedInput] = []
        extreme: list[ObservedInput] = []
        rounds = max(1, min(_ROUNDS, changes // effort.each_round))
        each_round = changes // rounds
        of_extreme = round(_SHARE_OF_EXTREMES * each_round)
        deadline = time.monotonic() + effort.seconds
        for number in range(rounds):
            if time.monotonic() > deadline:
                break
            best = most_news((), [*best, *latest], _KEPT)
            extreme = _extreme([*extreme, *latest], effort)
            found = [
                case
                for parents, wanted in (
                    (best[:_PARENTS], each_round - of_extreme),
                    (extreme, of_extreme),
                )
                for case in changed_inputs(
                    self._spec,
                    [each.case.input for each in parents],
                    seed=self._seed + number,
                    count=wanted,
                    in_blocks=effort.in_blocks,
                )
            ]
            unseen: dict[str, AuthoredCase] = {
                case.input.digest: case for case in found if case.input.digest not in digests
            }
            digests.update(unseen)
            latest = self._observer.on([*unseen.values()], as_large=effort.are_large)
            every += latest
        return every

    def _unknown(self, cases: Iterable[AuthoredCase]) -> list[AuthoredCase]:
        return [case for case in cases if case.input.digest not in self._digests]

    def _taken(self, cases: list[AuthoredCase]) -> list[AuthoredCase]:
        self._digests.update(case.input.digest for case in cases)
        return cases


def _extreme(pool: Sequence[ObservedInput], effort: Effort) -> list[ObservedInput]:
    """Return the inputs with which something grows, each once."""
    grown = extremes(pool, _EXTREMES)
    if effort.are_large:
        grown += heaviest(pool, _HEAVIEST)
    return [*{each.digest: each for each in grown}.values()]


def _affordable(made: Sequence[ObservedInput]) -> int:
    """Return how many changes of such inputs may be tried."""
    mean = sum(each.cost for each in made) // max(1, len(made))
    return _COST_OF_CHANGES // max(1, mean)


_WORTH = 0.5
"""What a finding is worth compared with the time before."""
_KILL_WORTH = 10.0
"""What the death of a mutant is worth compared with other findings."""
_TREND_WORTH = 0.3
"""What a long container is worth that is the longest of inputs with one order, not of all."""


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
    kill_worth_of = dict.fromkeys(chain.from_iterable(each.kills for each in every), _KILL_WORTH)
    answers: Counter[int | None] = Counter()
    alike: dict[tuple[object, ...], deque[int]] = {}  # of equal ones, the first is taken first

    def take(one: ObservedInput) -> None:
        answers[one.answer] += 1
        for number in one.findings:
            worth_of[number] *= _WORTH
        for number in one.kills:
            kill_worth_of[number] *= _WORTH

    def worth(one: ObservedInput) -> float:
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
