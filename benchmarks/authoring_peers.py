"""Inputs for the corpus of authoring by ways that people use in place of Steelyard's.

Each specification has one short domain: a function that draws an input from types and simple
bounds, as a person would write it by hand. Two things draw from it: a uniform random generator,
and Hypothesis. What they give is filtered by the validator. The third way mutates examples.
"""

import itertools
import json
import random
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, given, seed, settings

from steelyard.schemas import Specification

Args = list[Any]
Domain = Callable[["Draw"], Args]

USUAL_SIZE = 60
"""The largest size of most uniform inputs; one in `LARGE_EVERY` has the largest of all."""
LARGE_EVERY = 13
LARGEST = 10**9
_TRIES = 40
_LETTERS = string.ascii_lowercase
_DAMAGE = 3


@dataclass(frozen=True)
class Wanted:
    """The inputs that are asked for."""

    spec: Specification
    domain: Domain
    valid: Callable[[Sequence[Any]], bool]
    count: int
    seed: int

    def first(self, made: Iterator[Args]) -> list[Args]:
        """Return the first valid ones that differ, as many as are wanted."""
        found: dict[str, Args] = {}
        for args in made:
            if self.valid(args):
                found.setdefault(json.dumps(args), args)
            if len(found) == self.count:
                break
        return list(found.values())


class Draw(Protocol):
    """What a domain draws from."""

    def integer(self, low: int, high: int) -> int: ...

    def integers(self, least: int, most: int, low: int, high: int) -> list[int]: ...

    def text(self, least: int, most: int, letters: str) -> str: ...

    def word(self, least: int, most: int) -> str: ...

    def size(self, low: int, high: int) -> int: ...

    def real(self, low: float, high: float) -> float: ...

    def choice(self, options: Sequence[Any]) -> Any: ...

    def shuffled(self, items: Sequence[Any]) -> list[Any]: ...


class Uniform:
    """Draws evenly."""

    def __init__(self, seed: int, largest: int) -> None:
        self._random, self._largest = random.Random(seed), largest

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def size(self, low: int, high: int) -> int:
        if self._largest > USUAL_SIZE:
            return min(high, self._largest)
        return self._random.randint(low, max(low, min(high, self._largest)))

    def integers(self, least: int, most: int, low: int, high: int) -> list[int]:
        return [self.integer(low, high) for _ in range(self.size(least, most))]

    def text(self, least: int, most: int, letters: str) -> str:
        return "".join(self._random.choices(letters, k=self.size(least, most)))

    def word(self, least: int, most: int) -> str:
        return "".join(self._random.choices(_LETTERS, k=self.integer(least, most)))

    def real(self, low: float, high: float) -> float:
        return self._random.uniform(low, high)

    def choice(self, options: Sequence[Any]) -> Any:
        return self._random.choice(options)

    def shuffled(self, items: Sequence[Any]) -> list[Any]:
        return self._random.sample(items, len(items))


class Strategies:
    """Draws as Hypothesis likes to."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return int(self._draw(st.integers(low, high)))

    def size(self, low: int, high: int) -> int:
        return int(self._draw(st.integers(low, min(high, 500))))

    def integers(self, least: int, most: int, low: int, high: int) -> list[int]:
        return list(self._draw(st.lists(st.integers(low, high), min_size=least, max_size=most)))

    def text(self, least: int, most: int, letters: str) -> str:
        return str(self._draw(st.text(letters, min_size=least, max_size=most)))

    def word(self, least: int, most: int) -> str:
        return self.text(least, most, _LETTERS)

    def real(self, low: float, high: float) -> float:
        return float(self._draw(st.floats(low, high)))

    def choice(self, options: Sequence[Any]) -> Any:
        return self._draw(st.sampled_from(options))

    def shuffled(self, items: Sequence[Any]) -> list[Any]:
        return list(self._draw(st.permutations(items)))


def _words(d: Draw, least: int, most: int, longest: int, shortest: int = 1) -> list[str]:
    return [d.word(shortest, longest) for _ in range(d.size(least, most))]


def _grid(d: Draw, most: int) -> list[list[int]]:
    rows, columns = d.size(1, most), d.size(1, most)
    return [[d.integer(0, 1) for _ in range(columns)] for _ in range(rows)]


def _arrangement(d: Draw) -> Args:
    return [d.integers(1, 100_000, 0, 10**6)]


def _window(d: Draw) -> Args:
    numbers = d.integers(1, 100_000, -(10**9), 10**9)
    return [numbers, d.integer(1, len(numbers))]


def _fuel(d: Draw) -> Args:
    gas = d.integers(1, 50_000, 0, 10**4)
    return [gas, [d.integer(0, 10**4) for _ in gas]]


def _digits(d: Draw) -> Args:
    number = d.text(1, 50_000, string.digits).lstrip("0") or "0"
    return [number, d.integer(0, len(number))]


def _rank(d: Draw) -> Args:
    words = _words(d, 1, 50_000, 10)
    return [words, d.integer(1, len(set(words)))]


def _intervals(d: Draw) -> Args:
    return [[sorted((d.integer(0, 10**9), d.integer(0, 10**9))) for _ in range(d.size(0, 50_000))]]


def _path(d: Draw) -> Args:
    count = d.size(1, 50_000)
    parents = [-1, *(d.integer(0, node - 1) for node in range(1, count))]
    return [parents, [d.integer(-(10**4), 10**4) for _ in parents]]


def _signal(d: Draw) -> Args:
    count = d.size(1, 2_000)
    links = [
        [d.integer(0, count - 1), d.integer(0, count - 1), d.integer(0, 10**6)]
        for _ in range(d.size(0, 20_000))
    ]
    return [count, links, d.integer(0, count - 1)]


def _primes(d: Draw) -> Args:
    low = d.integer(1, 10**10)
    return [low, min(10**10, low + d.integer(0, 50_000))]


def _missing(d: Draw) -> Args:
    numbers = sorted(set(d.integers(1, 100_000, 1, 2 * 10**9)))
    return [numbers, d.integer(1, 4 * 10**9)]


def _median(d: Draw) -> Args:
    return [sorted(d.integers(0, 50_000, -(10**9), 10**9)) for _ in range(2)]


def _sums(d: Draw) -> Args:
    return [d.integers(1, 100_000, -(10**9), 10**9), d.integer(-(10**14), 10**14)]


def _cover(d: Draw) -> Args:
    return [d.text(1, 50_000, string.ascii_letters), d.text(1, 50_000, string.ascii_letters)]


def _bookings(d: Draw) -> Args:
    requests = []
    for _ in range(d.size(1, 50_000)):
        start = d.integer(0, 10**9 - 1)
        requests.append([start, d.integer(start + 1, 10**9), d.integer(1, 10**4)])
    return [requests]


def _breaking(d: Draw) -> Args:
    grid = _grid(d, 60)
    grid[0][0] = grid[-1][-1] = 0
    return [grid, d.integer(0, 10)]


def _tree(d: Draw, count: int) -> list[list[int]]:
    names = d.shuffled(range(count))
    return [[names[node], names[d.integer(0, node - 1)]] for node in range(1, count)]


def _distances(d: Draw) -> Args:
    count = d.size(1, 20_000)
    return [count, _tree(d, count)]


def _network(d: Draw) -> Args:
    count = d.size(1, 30_000)
    pairs = _tree(d, count)
    pairs += [[d.integer(0, count - 1), d.integer(0, count - 1)] for _ in range(d.size(0, 20_000))]
    return [count, [[*pair, d.integer(-(10**6), 10**6)] for pair in pairs]]


def _tasks(d: Draw) -> Args:
    count = d.size(1, 50_000)
    rules = [[d.integer(0, count - 1), d.integer(0, count - 1)] for _ in range(d.size(0, 50_000))]
    return [count, rules]


def _coins(d: Draw) -> Args:
    coins = {d.integer(1, 2**31 - 1) for _ in range(d.size(1, 12))}
    return [sorted(coins), d.integer(0, 20_000)]


def _basket(d: Draw) -> Args:
    names = sorted(set(_words(d, 0, 20_000, 8)))
    basket = [d.choice(names) for _ in range(d.size(0, 20_000))] if names else []
    return [{name: d.integer(0, 10**9) for name in names}, basket]


DOMAINS: dict[str, Domain] = {
    "anagram-groups": lambda d: [_words(d, 1, 5_000, 100, 0)],
    "best-bookings": _bookings,
    "best-path": _path,
    "breaking-through": _breaking,
    "cheapest-network": _network,
    "circle-sum": lambda d: [d.integers(1, 100_000, -(10**4), 10**4)],
    "distance-sums": _distances,
    "drop-digits": _digits,
    "enclosed-lakes": lambda d: [_grid(d, 200)],
    "even-odd-stretch": lambda d: [d.integers(1, 100_000, -(10**9), 10**9)],
    "even-split": lambda d: [d.integers(1, 100, 1, 1_000)],
    "far-inversions": lambda d: [d.integers(1, 50_000, -(2**31), 2**31 - 1)],
    "fewest-coins": _coins,
    "fuel-circuit": _fuel,
    "integer-root": lambda d: [d.integer(0, 10**40), d.integer(1, 20)],
    "kth-missing": _missing,
    "longest-balanced": lambda d: [d.text(0, 100_000, "()")],
    "merge-intervals": _intervals,
    "next-arrangement": _arrangement,
    "pattern-starts": lambda d: [d.text(1, 50_000, _LETTERS), d.text(1, 50_000, _LETTERS)],
    "plain-mirror": lambda d: [d.text(0, 300_000, string.printable)],
    "primes-between": _primes,
    "rank-words": _rank,
    "rotate-right": lambda d: [d.integers(1, 50_000, -(10**9), 10**9), d.integer(0, 10**9)],
    "sample-variance": lambda d: [[d.real(-(10.0**9), 10.0**9) for _ in range(d.size(2, 50_000))]],
    "shopping-basket": _basket,
    "signal-delay": _signal,
    "smallest-cover": _cover,
    "sort-by-swaps": lambda d: [d.shuffled(range(d.size(1, 50_000)))],
    "sum-stretches": _sums,
    "task-order": _tasks,
    "two-list-median": _median,
    "widest-rectangle": lambda d: [d.integers(1, 50_000, 0, 10**6)],
    "window-maxima": _window,
}


def uniform(wanted: Wanted) -> list[Args]:
    """Return inputs that are drawn evenly; some have the largest sizes."""

    def drawn() -> Iterator[Args]:
        for turn in range(wanted.count * _TRIES):
            large = turn % LARGE_EVERY == LARGE_EVERY - 1
            size = LARGEST if large else USUAL_SIZE
            yield wanted.domain(Uniform(wanted.seed * 10**6 + turn, size))

    return wanted.first(drawn())


def by_hypothesis(wanted: Wanted) -> list[Args]:
    """Return the first inputs that Hypothesis generates and the validator accepts."""
    made: list[Args] = []

    @st.composite
    def inputs(draw: Any) -> Args:
        return wanted.domain(Strategies(draw))

    def keep(args: Args) -> None:
        made.append(args)

    def drawn() -> Iterator[Args]:
        for turn in itertools.count():
            chosen = settings(
                max_examples=2 * wanted.count,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            made.clear()
            seed(wanted.seed * 1_000 + turn)(chosen(given(inputs())(keep)))()
            yield from made
            if len(made) < wanted.count:  # there are no more
                return

    return wanted.first(drawn())


def mutants(wanted: Wanted) -> list[Args]:
    """Return the examples, and valid inputs a few small changes of a part away from one."""
    chosen = random.Random(wanted.seed)
    started = [list(example.args) for example in wanted.spec.examples]

    def changed() -> Iterator[Args]:
        yield from started
        for _ in range(wanted.count * _TRIES):
            args = json.loads(json.dumps(chosen.choice(started)))
            for _ in range(chosen.randint(1, _DAMAGE)):
                place = chosen.randrange(len(args))
                args[place] = _changed(args[place], chosen)
            yield args

    return wanted.first(changed())


def _changed(value: Any, chosen: random.Random) -> Any:
    match value:
        case bool() | None:
            return not value
        case int():
            return value + chosen.choice((-1, 1, chosen.randint(-10, 10), -2 * value, value))
        case float():
            return value + chosen.choice((-1.0, 1.0, chosen.uniform(-10, 10), -2 * value))
        case str() | list() if not value:
            return value
        case str() | list():
            return _with_a_change(value, chosen)
        case dict() if value:
            key = chosen.choice(sorted(value))
            return {**value, key: _changed(value[key], chosen)}
    return value


def _with_a_change(items: Any, chosen: random.Random) -> Any:
    """Return a text or list with one item changed, dropped, repeated or replaced by another."""
    at, other = chosen.randrange(len(items)), chosen.randrange(len(items))
    one = items[at : at + 1]
    changed = one if isinstance(items, str) else [_changed(items[at], chosen)]
    new = chosen.choice((changed, items[other : other + 1], one[:0], one + changed, one * 2))
    return items[:at] + new + items[at + 1 :]
