"""Find costly ideas in a plan's words: algorithms, all pairs, all subsets, a scan for each query.

A sentence that turns an idea down (`instead of`, `would be too slow`) describes it and does not
plan it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import re2

from steelyard.schemas import PruneFinding
from steelyard.solving.pruning import _phrases as phrases
from steelyard.solving.pruning._bounds import Sizes
from steelyard.solving.pruning._expressions import factorial
from steelyard.solving.pruning._figures import count, finding, mebibytes
from steelyard.solving.pruning._rules import Rules

_SENTENCE = re2.compile(r"[.!?;](?:\s|$)|\n")
_CLAUSE = re2.compile(r",|:|\bbut\b|\bso\b|\bhowever\b|\band\b")
_MOST_SENTENCES = 200
_LONGEST_SENTENCE = 2_000


def _main(sizes: Sizes) -> float:
    return sizes.main.value if sizes.main else 0.0


def _role(sizes: Sizes, role: str) -> float:
    size = sizes.of_role(role)
    return size.value if size else _main(sizes)


def _power(exponent: int, over: float = 1.0) -> Callable[[Sizes], float]:
    return lambda sizes: min(1e70, _main(sizes)) ** exponent / over


def _queries(sizes: Sizes) -> float:
    size = sizes.of_role("query")
    return _main(sizes) * size.value if size else 0.0


def _second(sizes: Sizes) -> float:
    size = sizes.named("m") or sizes.named("k")
    return _main(sizes) * (size.value if size else _main(sizes))


def _edges(sizes: Sizes) -> float:
    return _role(sizes, "vertex") * _role(sizes, "edge")


def _capacity(sizes: Sizes) -> float:
    size = sizes.named("W") or sizes.named("capacity")
    return _main(sizes) * size.value if size else 0.0


_DESCRIBED: tuple[tuple[phrases.Phrase, str, Callable[[Sizes], float]], ...] = (
    (phrases.TRIPLES, "triples", _power(3, over=6)),
    (phrases.QUADRUPLES, "quadruples", _power(4, over=24)),
    (phrases.PAIRS_TIMES_ALL, "pairs times all", _power(3, over=2)),
    (phrases.PAIRS, "pairs", _power(2, over=2)),
    (phrases.TABLE_OF_TWO, "a table of two sizes", _second),
    (phrases.OVER_CAPACITY, "items times capacity", _capacity),
    (phrases.SCANS_VERTICES, "all vertices in each round", _power(2)),
    (phrases.ALL_EARLIER, "all earlier ones for each", _power(2, over=2)),
    (phrases.SIEVE, "a sieve", _main),
    (phrases.QUADRATIC_SORT, "a quadratic sort", _power(2, over=4)),
    (phrases.SCHOOLBOOK, "schoolbook multiplication", _power(2)),
    (phrases.ELIMINATION, "elimination", _power(3, over=3)),
    (phrases.BELLMAN_FORD, "vertices times edges", _edges),
    (phrases.ALL_FOR_EACH_QUERY, "all for each query", _queries),
    (phrases.PATTERN_AT_EACH, "the pattern at each position", _second),
    (phrases.TRIAL_DIVISION, "trial division", _main),
    (phrases.STEP_BY_STEP, "one step at a time", _main),
)
"""The phrase, its label, and its number of steps."""


def word_findings(
    text: str, sizes: Sizes, rules: Rules, allowed: float, limit_bytes: float
) -> Iterator[PruneFinding]:
    """Yield the rules that the words of a plan break.

    Args:
        text: The plan's algorithm, in prose.
        sizes: The largest sizes.
        rules: The rules.
        allowed: Steps that the time limit allows.
        limit_bytes: The memory limit.
    """
    if sizes.main is None:
        return
    for sentence in _SENTENCE.split(text)[:_MOST_SENTENCES]:
        planned = _Planned(sentence)
        if planned.turned_down:
            continue
        yield from _described(planned, sizes, rules, allowed)
        yield from _enumerations(planned, sizes, rules, allowed)
        yield from _habits(planned, sizes.main.value, rules)
        yield from _graphs(planned, sizes, rules, limit_bytes)


class _Planned:
    """A sentence, and whether it plans what it names."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence[:_LONGEST_SENTENCE]
        self.turned_down = phrases.TURNED_DOWN.search(self.sentence) is not None
        self.cheap = phrases.CHEAP.search(self.sentence) is not None

    def says(self, phrase: phrases.Phrase) -> bool:
        """Return whether the sentence has the phrase, and its clause does not negate it before."""
        found = phrase.search(self.sentence)
        if found is None:
            return False
        before = _CLAUSE.split(self.sentence[: found.start()])[-1]
        return phrases.NEGATED.search(before) is None


def _described(
    planned: _Planned, sizes: Sizes, rules: Rules, allowed: float
) -> Iterator[PruneFinding]:
    if not rules.described_work.enabled or planned.cheap or sizes.main is None:
        return
    for phrase, label, steps_at in _DESCRIBED:
        steps = steps_at(sizes)
        if steps > allowed and planned.says(phrase):
            yield finding(
                "described-work",
                planned.sentence,
                f"{label} at {sizes.main.name} = {count(sizes.main.value)}: {count(steps)} steps, "
                f"the limit allows about {count(allowed)}",
            )
            return


def _habits(planned: _Planned, n: float, rules: Rules) -> Iterator[PruneFinding]:
    """Yield a sort in each round, and recursion without a memo."""
    sorts, recursion = rules.sort_in_loop, rules.unbounded_recursion
    few = phrases.FEW.search(planned.sentence) is not None
    if sorts.enabled and n >= sorts.min_n and not few and planned.says(phrases.SORTS_EACH_ROUND):
        yield finding(
            "sort-in-loop", planned.sentence, f"sorts in each round of a loop at n = {count(n)}"
        )
    if recursion.enabled and n >= recursion.min_n and planned.says(phrases.NO_MEMO):
        yield finding(
            "unbounded-recursion", planned.sentence, f"recursion without a memo at n = {count(n)}"
        )


def _enumerations(
    planned: _Planned, sizes: Sizes, rules: Rules, allowed: float
) -> Iterator[PruneFinding]:
    """Yield enumerations of subsets, submasks, permutations or branches of the smallest size."""
    rule = rules.enumeration
    n = sizes.least
    if not rule.enabled:
        return
    sentence = planned.sentence
    halved = phrases.HALVED.search(sentence) is not None
    if n > rule.max_subset_n and not halved and planned.says(phrases.SUBSETS):
        steps = 2.0 ** min(n, 900)
        yield finding("enumeration", sentence, f"all subsets of {count(n)}: {count(steps)} steps")
    elif n <= 600 and 3.0**n > allowed and planned.says(phrases.SUBMASKS):
        yield finding("enumeration", sentence, f"all submasks of {count(n)}: {count(3.0**n)} steps")
    if n > rule.max_permutation_n and planned.says(phrases.PERMUTATIONS):
        steps = factorial(n)
        yield finding(
            "enumeration", sentence, f"all permutations of {count(n)}: {count(steps)} steps"
        )
    if n > rule.max_subset_n and planned.says(phrases.ALL_BRANCHES):
        yield finding("enumeration", sentence, f"explores all branches of {count(n)}: exponential")


def _graphs(
    planned: _Planned, sizes: Sizes, rules: Rules, limit_bytes: float
) -> Iterator[PruneFinding]:
    vertices = sizes.of_role("vertex") or sizes.main
    if vertices is None:
        return
    n = vertices.value
    at = f"at {vertices.name} = {count(n)}"
    sentence = planned.sentence
    paths, searches, matrix = rules.all_pairs_paths, rules.search_from_each_node, rules.dense_matrix
    if paths.enabled and n >= paths.min_n and planned.says(phrases.FLOYD_WARSHALL):
        steps = count(min(1e90, n) ** 3)
        yield finding("all-pairs-paths", sentence, f"Floyd-Warshall {at}: {steps} steps")
    if searches.enabled and n >= searches.min_n and planned.says(phrases.FROM_EACH_VERTEX):
        edges = sizes.of_role("edge")
        steps = count(min(1e90, n) * (n + (edges.value if edges else n)))
        yield finding(
            "search-from-each-node", sentence, f"a search from each vertex {at}: {steps} steps"
        )
    fits = n * n <= limit_bytes
    if matrix.enabled and n >= matrix.min_n and not fits and planned.says(phrases.ADJACENCY_MATRIX):
        yield finding(
            "dense-matrix", sentence, f"an adjacency matrix {at}: {mebibytes(min(1e150, n) ** 2)}"
        )
