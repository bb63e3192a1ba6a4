"""Find what a plan's prose and its stated complexity break.

1. Each sentence is searched for phrases of costly ideas: algorithms, all pairs, all subsets, a scan
   for each query. The patterns are of `google-re2`, which no text can make slow.
2. A sentence that turns an idea down (`instead of`, `would be too slow`) describes it and does not
   plan it. A phrase that its clause negates is not planned either.
3. The phrase's steps at the largest sizes are compared with what the limits allow.
4. Each `O(...)` that the plan states is evaluated at its bounds, times the rounds of `per query`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, cast

import re2

from steelyard.schemas import PruneFinding
from steelyard.solving.pruning._rules import PruningRules, count, finding, mebibytes
from steelyard.solving.pruning._sizes import Sizes, factorial, magnitude

_SENTENCE = re2.compile(r"[.!?;](?:\s|$)|\n")
_CLAUSE = re2.compile(r",|:|\bbut\b|\bso\b|\bhowever\b|\band\b")
_MOST_SENTENCES = 200
_LONGEST_SENTENCE = 2_000


def _main_value(sizes: Sizes) -> float:
    return sizes.main.value


def _role(sizes: Sizes, role: str) -> float:
    size = sizes.of_role(role)
    return size.value if size else _main_value(sizes)


def _power(exponent: int, over: float = 1.0) -> Callable[[Sizes], float]:
    return lambda sizes: min(1e70, _main_value(sizes)) ** exponent / over


def _queries(sizes: Sizes) -> float:
    size = sizes.of_role("query")
    return _main_value(sizes) * size.value if size else 0.0


def _second(sizes: Sizes) -> float:
    size = sizes.named("m") or sizes.named("k")
    return _main_value(sizes) * (size.value if size else _main_value(sizes))


def _edges(sizes: Sizes) -> float:
    return _role(sizes, "vertex") * _role(sizes, "edge")


def _capacity(sizes: Sizes) -> float:
    size = sizes.named("W") or sizes.named("capacity")
    return _main_value(sizes) * size.value if size else 0.0


class _Match(Protocol):
    """A match of a pattern."""

    def start(self) -> int:
        """Return the index of the first character."""

    def group(self, number: int, /) -> str:
        """Return the matched text."""


class _Phrase(Protocol):
    """A compiled pattern."""

    def search(self, text: str, /) -> _Match | None:
        """Return the first match in the text."""


def _phrase(*ways: str, starts: str = r"\b") -> _Phrase:
    return cast("_Phrase", re2.compile(f"(?i){starts}(?:{'|'.join(ways)})"))


_LOOPS = r"(?:nested |for[- ])*loops?\b"
_ALL = r"(?:all|every|each)"
_EACH = r"(?:every|each)"
_TRIES = (
    r"(?:try|tries|check|test|enumerat|iterat|compar|loop|examin|generat|insert|brute|scan|go over"
    r"|go through|creat|build|simulat|look at)\w*"
)
_DESCRIBED: tuple[tuple[_Phrase, str, Callable[[Sizes], float]], ...] = (
    (
        _phrase(
            rf"(?:three|3|triple|triply)[- ](?:nested )?{_LOOPS}",
            "all (?:possible )?tripl(?:es|ets)",
            rf"{_EACH} tripl",
        ),
        "triples",
        _power(3, over=6),
    ),
    (
        _phrase(rf"(?:four|4|quadruple)[- ](?:nested )?{_LOOPS}", "all quadruples"),
        "quadruples",
        _power(4, over=24),
    ),
    (
        _phrase(
            rf"{_EACH} pair\b[^.]*\b(?:check|test|verif|scan|loop|compar|go over)\w* "
            rf"(?:\w+ )?{_ALL}\b"
        ),
        "pairs times all",
        _power(3, over=2),
    ),
    (
        _phrase(
            rf"(?:two|2|double|doubly)[- ](?:nested )?{_LOOPS}",
            rf"{_TRIES}\b[^.]*\b{_ALL} (?:possible )?"
            r"(?:pairs?(?: of \w+)?|subarrays?|substrings?)\b",
        ),
        "pairs",
        _power(2, over=2),
    ),
    (
        _phrase(
            r"(?:quadratic|two-dimensional|2-?d) dp\b",
            r"full dp table\b",
            "two-dimensional dynamic",
        ),
        "a table of two sizes",
        _second,
    ),
    (_phrase(r"dp over (?:the )?(?:capacity|weights?)\b"), "items times capacity", _capacity),
    (
        _phrase(r"scan (?:all|every|the) (?:\w+ )?(?:vertices|nodes|cities) for\b"),
        "all vertices in each round",
        _power(2),
    ),
    (
        _phrase(r"over (?:all )?j < i\b", r"all (?:previous|earlier) (?:elements|positions|j)\b"),
        "all earlier ones for each",
        _power(2, over=2),
    ),
    (_phrase(r"sieve\b[^.]*\bup to\b"), "a sieve", _main_value),
    (
        _phrase("(?:bubble|insertion|selection|gnome|cocktail)[- ]?sort"),
        "a quadratic sort",
        _power(2, over=4),
    ),
    (
        _phrase("school[- ]?book", r"long multiplication\b", r"every coefficient\b"),
        "schoolbook multiplication",
        _power(2),
    ),
    (_phrase(r"gauss(?:ian)?\b[- ]*(?:jordan )?eliminat"), "elimination", _power(3, over=3)),
    (_phrase("bellman[- ]?ford"), "vertices times edges", _edges),
    (
        _phrase(
            rf"(?:for|in|on|per|after) {_ALL} (?:query|queries|operation|update|request)\b[^.]*\b"
            r"(?:scan|walk|iterat\w*|loop|recomput\w*|rebuil\w*|travers\w*|go through|check|sum up"
            r"|climb|copy)\b[^.]*\b(?:whole|entire|all|every|each|range|subarray|array|list|scratch"
            r"|root|one parent)\b",
            rf"(?:after|on|for) {_EACH} update,? (?:we )?(?:recompute|rebuild)",
        ),
        "all for each query",
        _queries,
    ),
    (
        _phrase(
            "letter by letter at every",
            rf"compar\w* (?:the pattern|it) at {_EACH}",
            "naive (?:string|pattern) (?:match|search)",
        ),
        "the pattern at each position",
        _second,
    ),
    (
        _phrase(
            rf"try {_ALL}\b[^.]*\bfrom 2 (?:to|up to) \w+ ?- ?1",
            "divisibility by all smaller",
            "by all (?:smaller )?numbers",
        ),
        "trial division",
        _main_value,
    ),
    (
        _phrase(
            r"simulat\w*\b[^.]*\b(?:day by day|step by step|one by one|second by second"
            r"|each (?:day|step|second|move))"
        ),
        "one step at a time",
        _main_value,
    ),
)
"""The phrase, its label, and its number of steps."""


def word_findings(
    text: str, sizes: Sizes, rules: PruningRules, allowed: float, limit_bytes: float
) -> Iterator[PruneFinding]:
    """Yield the rules that the words of a plan break.

    Args:
        text: The plan's algorithm, in prose.
        sizes: The largest sizes.
        rules: The rules.
        allowed: Steps that the time limit allows.
        limit_bytes: The memory limit.
    """
    for sentence in _SENTENCE.split(text)[:_MOST_SENTENCES]:
        planned = _Planned(sentence)
        if planned.turned_down:
            continue
        yield from _described(planned, sizes, allowed)
        yield from _enumerations(planned, sizes, rules, allowed)
        yield from _habits(planned, sizes.main.value, rules)
        yield from _graphs(planned, sizes, rules, limit_bytes)


class _Planned:
    """A sentence, and whether it plans what it names."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence[:_LONGEST_SENTENCE]
        self.turned_down = _TURNED_DOWN.search(self.sentence) is not None
        self.cheap = _CHEAP.search(self.sentence) is not None

    def says(self, phrase: _Phrase) -> bool:
        """Return whether the sentence has the phrase, and its clause does not negate it before."""
        found = phrase.search(self.sentence)
        if found is None:
            return False
        before = _CLAUSE.split(self.sentence[: found.start()])[-1]
        return _NEGATED.search(before) is None


def _described(planned: _Planned, sizes: Sizes, allowed: float) -> Iterator[PruneFinding]:
    if planned.cheap:
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


def _habits(planned: _Planned, n: float, rules: PruningRules) -> Iterator[PruneFinding]:
    """Yield a sort in each round, and recursion without a memo."""
    sorts, recursion = rules.sort_in_loop, rules.unbounded_recursion
    few = _FEW.search(planned.sentence) is not None
    if n >= sorts.min_n and not few and planned.says(_SORTS_EACH_ROUND):
        yield finding(
            "sort-in-loop", planned.sentence, f"sorts in each round of a loop at n = {count(n)}"
        )
    if n >= recursion.min_n and planned.says(_NO_MEMO):
        yield finding(
            "unbounded-recursion", planned.sentence, f"recursion without a memo at n = {count(n)}"
        )


def _enumerations(
    planned: _Planned, sizes: Sizes, rules: PruningRules, allowed: float
) -> Iterator[PruneFinding]:
    """Yield enumerations of subsets, submasks, permutations or branches of the smallest size."""
    rule = rules.enumeration
    n = sizes.least
    sentence = planned.sentence
    halved = _HALVED.search(sentence) is not None
    if n > rule.max_subset_n and not halved and planned.says(_SUBSETS):
        steps = 2.0 ** min(n, 900)
        yield finding("enumeration", sentence, f"all subsets of {count(n)}: {count(steps)} steps")
    elif n <= 600 and 3.0**n > allowed and planned.says(_SUBMASKS):
        yield finding("enumeration", sentence, f"all submasks of {count(n)}: {count(3.0**n)} steps")
    if n > rule.max_permutation_n and planned.says(_PERMUTATIONS):
        steps = factorial(n)
        yield finding(
            "enumeration", sentence, f"all permutations of {count(n)}: {count(steps)} steps"
        )
    if n > rule.max_subset_n and planned.says(_ALL_BRANCHES):
        yield finding("enumeration", sentence, f"explores all branches of {count(n)}: exponential")


def _graphs(
    planned: _Planned, sizes: Sizes, rules: PruningRules, limit_bytes: float
) -> Iterator[PruneFinding]:
    vertices = sizes.of_role("vertex") or sizes.main
    n = vertices.value
    at = f"at {vertices.name} = {count(n)}"
    sentence = planned.sentence
    paths, searches, matrix = rules.all_pairs_paths, rules.search_from_each_node, rules.dense_matrix
    if n >= paths.min_n and planned.says(_FLOYD_WARSHALL):
        steps = count(min(1e90, n) ** 3)
        yield finding("all-pairs-paths", sentence, f"Floyd-Warshall {at}: {steps} steps")
    if n >= searches.min_n and planned.says(_FROM_EACH_VERTEX):
        edges = sizes.of_role("edge")
        steps = count(min(1e90, n) * (n + (edges.value if edges else n)))
        yield finding(
            "search-from-each-node", sentence, f"a search from each vertex {at}: {steps} steps"
        )
    fits = n * n <= limit_bytes
    if n >= matrix.min_n and not fits and planned.says(_ADJACENCY_MATRIX):
        yield finding(
            "dense-matrix", sentence, f"an adjacency matrix {at}: {mebibytes(min(1e150, n) ** 2)}"
        )


_ROUND = r"(?:step|insertion|iteration|round|operation|query|update|removal)"
_VERTEX = r"(?:node|vert|city|cities|cell|source|point)"
_SEARCH = r"(?:bfs|dfs|dijkstra\w*|search|breadth[- ]first search|depth[- ]first search)\b"
_TURNED_DOWN = _phrase(
    r"would\b",
    "infeasible",
    "impossible",
    r"too (?:slow|large|many|big|long|expensive|deep)",
    r"(?:is|are|be) avoided",
    r"can(?:not|'t)\b",
    r"won't\b",
    r"not (?:feasible|needed|possible|necessary|an option)\b",
    r"no need\b",
    "unnecessary",
    "intractable",
    r"exceeds?\b",
    r"times? out\b",
    "hopeless",
    r"(?:the|a) naive\b",
)
"""A sentence with such a phrase describes an idea that is not planned."""
_NEGATED = _phrase(
    r"instead of\b",
    r"rather than\b",
    "avoid",
    r"without\b",
    r"not\b",
    r"never\b",
    r"unlike\b",
    r"than\b",
    "replac",
    r"no\b",
    r"does ?n[o']t\b",
    "eliminat",
    "prevent",
    "skip",
    "reduc",
    r"improves?\b",
    "spar",
)
"""Before a phrase in its clause: the phrase is not planned."""
_CHEAP = _phrase(
    r"adjacent\b",
    r"consecutive\b",
    "neighbou?r",
    r"log\b",
    "lift",
    r"bits?\b",
    r"blocks?\b",
    r"sqrt\b",
    r"levels?\b",
    r"letters of the alphabet",
    r"26\b",
    "contribut",
    r"once\b",
    r"amorti[sz]ed",
    r"of length\b",
    r"offline\b",
)
"""A sentence with such a phrase describes less work than its other words."""
_FEW = _phrase("small", "tiny", r"at most \d{1,2}\b", r"constant[- ]size")
_SUBSETS = _phrase(
    rf"{_ALL}(?: possible| of the)? (?:2\^n )?(?:subsets?|bitmasks?|masks?|combinations? of)\b",
    "dp over (?:subsets|masks|bitmasks)",
    "held[- ]?karp",
    r"2\^n\b",
    r"bitmask dp\b",
    r"power ?set\b",
)
_SUBMASKS = _phrase(r"all (?:of )?(?:its |the )?submasks\b", r"submasks? of\b", r"3\^n\b")
_HALVED = _phrase(
    "meet[- ]in[- ]the[- ]middle", r"halves\b", r"half\b", r"of at most\b", r"bits? of\b"
)
_PERMUTATIONS = _phrase(
    rf"{_ALL}(?: possible)? (?:permutations?|orders?\b|orderings?)", "next_permutation"
)
_ALL_BRANCHES = _phrase(
    r"backtrack\w*\b[^.]*\b(?:every|all|each) (?:possible|simple)",
    r"enumerat\w* (?:every|all) (?:simple )?paths?",
    "all (?:possible )?assignments",
    "minimax without",
    "every simple path",
)
_SORTS_EACH_ROUND = _phrase(
    rf"(?:after|in|at|for|on) {_EACH} {_ROUND}\b[^.]*\bsort\b",
    r"sort(?:s|ing)?\b[^.]*\b(?:in|inside|within|at|after) (?:the loop"
    r"|(?:each|every) (?:step|iteration|insert\w*))",
    "re-?sort",
)
_NO_MEMO = _phrase(
    r"(?:plain|naive|pure|direct|simple|unbounded|straightforward)\b[ \w]*\brecurs",
    r"recurs\w*\b[^.]*\b(?:without|no) (?:any )?(?:memo\w*|cach\w*|table|limit|bound|depth)",
)
_FLOYD_WARSHALL = _phrase("floyd[- ]*warshall")
_FROM_EACH_VERTEX = _phrase(
    rf"{_SEARCH}[^.]*\bfrom {_ALL} (?:the )?{_VERTEX}",
    rf"for {_EACH} {_VERTEX}\w*\b[^.]*\b(?:run|do|perform)s? (?:a )?{_SEARCH}",
)
_ADJACENCY_MATRIX = _phrase("adjacency[- ]matrix", "dense (?:adjacency )?matrix")
_CLAIM = re2.compile(r"(?:^|[^\w])[OΘθΩ]\s*\(")
_PER = re2.compile(r"(?i)^\W*(?:for\s+|on\s+)?(?:per|each|every|a)\s+(\w+)")
_SPACE = re2.compile(r"(?i)^[\s,]*(?:\w+\s+)?(?:space|memory|extra|auxiliary)")
_NOT_CLAIMED = re2.compile(
    r"(?i)\b(?:instead of|rather than|not|naive|vs\.?|versus|avoids?|from)\s*$"
)
_EXPONENTIAL = re2.compile(r"(?i)^\W*(?:super-?)?(?:exponential|factorial)\b")
_ROLES = {"v": "vertex", "e": "edge", "q": "query", "m": "edge", "t": "test"}
_MAIN = frozenset({"n", "len", "length", "size"})
_MOST_CLAIMS = 10
_EXPONENTIAL_FROM = 60


def stated_findings(stated: str, sizes: Sizes, allowed: float) -> Iterator[PruneFinding]:
    """Yield the rules that the stated complexity breaks.

    Args:
        stated: Such as `O(n log n + q)`, or several with words between.
        sizes: The largest sizes.
        allowed: Steps that the time limit allows.
    """
    if _EXPONENTIAL.search(stated) and sizes.main.value >= _EXPONENTIAL_FROM:
        yield finding(
            "stated-complexity",
            stated,
            f"{stated[:60]} at {sizes.main.name} = {count(sizes.main.value)}",
        )
        return
    for inside, after in _claims(stated):
        steps = _complexity_at(inside, sizes)
        if steps is None or _SPACE.search(after):
            continue
        times, each = _rounds(after, sizes)
        if steps * times > allowed:
            rounds = f" in each {each}" if each else ""
            yield finding(
                "stated-complexity",
                stated,
                f"O({inside[:60]}){rounds} at {sizes.main.name} = {count(sizes.main.value)}: "
                f"{count(min(1e300, steps * times))} steps, "
                f"the limit allows about {count(allowed)}",
            )
            return


def _complexity_at(inside: str, sizes: Sizes) -> float | None:
    """Return the value of a complexity's inside at the largest sizes; None if unknown."""

    def resolve(name: str) -> float | None:
        size = sizes.named(name.strip("|"))
        if size is None and name.startswith("|"):
            size = sizes.named(name.strip("|") + "_length") or sizes.main
        if size is None and name.lower() in _ROLES:
            size = sizes.of_role(_ROLES[name.lower()])
        if size is None and name.lower() in _MAIN:
            size = sizes.main
        return None if size is None else size.value

    return magnitude(inside.replace("sum of ", "").replace("sum ", ""), resolve)


def _claims(stated: str) -> Iterator[tuple[str, str]]:
    """Yield the inside of each `O(...)`, and the words behind it."""
    for found in list(_CLAIM.finditer(stated[:2_000]))[:_MOST_CLAIMS]:
        if _NOT_CLAIMED.search(stated[: found.start() + 1].rstrip("OΘθΩ ")):
            continue
        depth, start = 1, found.end()
        for position in range(start, len(stated)):
            depth += (stated[position] == "(") - (stated[position] == ")")
            if depth == 0:
                yield stated[start:position], stated[position + 1 : position + 60]
                break


def _rounds(after: str, sizes: Sizes) -> tuple[float, str]:
    """Return the number of rounds that `per query` means."""
    found = _PER.search(after)
    if found is None:
        return 1.0, ""
    noun = found.group(1)
    if noun.lower().startswith(("test", "case")):
        size = None if sizes.shared_by_tests else sizes.of_role("test")
    else:
        size = sizes.of_noun(noun) or sizes.main
    return (size.value, noun) if size else (1.0, "")
