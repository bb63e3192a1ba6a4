"""Match the phrases of plans: patterns for `google-re2`, which no text can make slow."""

from __future__ import annotations

from typing import Protocol, cast

import re2


class Found(Protocol):
    """A match of a pattern."""

    def start(self) -> int:
        """Return the index of the first character."""

    def group(self, number: int, /) -> str:
        """Return the matched text."""


class Phrase(Protocol):
    """A compiled pattern."""

    def search(self, text: str, /) -> Found | None:
        """Return the first match in the text."""


def _said(*ways: str, starts: str = r"\b") -> Phrase:
    return cast("Phrase", re2.compile(f"(?i){starts}(?:{'|'.join(ways)})"))


_LOOPS = r"(?:nested |for[- ])*loops?\b"
_ALL = r"(?:all|every|each)"
_EACH = r"(?:every|each)"
_TRIES = (
    r"(?:try|tries|check|test|enumerat|iterat|compar|loop|examin|generat|insert|brute|scan|go over"
    r"|go through|creat|build|simulat|look at)\w*"
)
_ROUND = r"(?:step|insertion|iteration|round|operation|query|update|removal)"
_VERTEX = r"(?:node|vert|city|cities|cell|source|point)"
_SEARCH = r"(?:bfs|dfs|dijkstra\w*|search|breadth[- ]first search|depth[- ]first search)\b"

TURNED_DOWN = _said(
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

NEGATED = _said(
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

CHEAP = _said(
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

FEW = _said("small", "tiny", r"at most \d{1,2}\b", r"constant[- ]size")

TRIPLES = _said(
    rf"(?:three|3|triple|triply)[- ](?:nested )?{_LOOPS}",
    "all (?:possible )?tripl(?:es|ets)",
    rf"{_EACH} tripl",
)
QUADRUPLES = _said(rf"(?:four|4|quadruple)[- ](?:nested )?{_LOOPS}", "all quadruples")
PAIRS_TIMES_ALL = _said(
    rf"{_EACH} pair\b[^.]*\b(?:check|test|verif|scan|loop|compar|go over)\w* (?:\w+ )?{_ALL}\b"
)
PAIRS = _said(
    rf"(?:two|2|double|doubly)[- ](?:nested )?{_LOOPS}",
    rf"{_TRIES}\b[^.]*\b{_ALL} (?:possible )?(?:pairs?(?: of \w+)?|subarrays?|substrings?)\b",
)
TABLE_OF_TWO = _said(
    r"(?:quadratic|two-dimensional|2-?d) dp\b", r"full dp table\b", "two-dimensional dynamic"
)
OVER_CAPACITY = _said(r"dp over (?:the )?(?:capacity|weights?)\b")
SCANS_VERTICES = _said(r"scan (?:all|every|the) (?:\w+ )?(?:vertices|nodes|cities) for\b")
ALL_EARLIER = _said(
    r"over (?:all )?j < i\b", r"all (?:previous|earlier) (?:elements|positions|j)\b"
)
SIEVE = _said(r"sieve\b[^.]*\bup to\b")
QUADRATIC_SORT = _said("(?:bubble|insertion|selection|gnome|cocktail)[- ]?sort")
SCHOOLBOOK = _said("school[- ]?book", r"long multiplication\b", r"every coefficient\b")
ELIMINATION = _said(r"gauss(?:ian)?\b[- ]*(?:jordan )?eliminat")
BELLMAN_FORD = _said("bellman[- ]?ford")
ALL_FOR_EACH_QUERY = _said(
    rf"(?:for|in|on|per|after) {_ALL} (?:query|queries|operation|update|request)\b[^.]*\b(?:scan"
    r"|walk|iterat\w*|loop|recomput\w*|rebuil\w*|travers\w*|go through|check|sum up|climb|copy)"
    r"\b[^.]*\b(?:whole|entire|all|every|each|range|subarray|array|list|scratch|root|one parent)\b",
    rf"(?:after|on|for) {_EACH} update,? (?:we )?(?:recompute|rebuild)",
)
PATTERN_AT_EACH = _said(
    "letter by letter at every",
    rf"compar\w* (?:the pattern|it) at {_EACH}",
    "naive (?:string|pattern) (?:match|search)",
)
TRIAL_DIVISION = _said(
    rf"try {_ALL}\b[^.]*\bfrom 2 (?:to|up to) \w+ ?- ?1",
    "divisibility by all smaller",
    "by all (?:smaller )?numbers",
)
STEP_BY_STEP = _said(
    r"simulat\w*\b[^.]*\b(?:day by day|step by step|one by one|second by second"
    r"|each (?:day|step|second|move))"
)
SUBSETS = _said(
    rf"{_ALL}(?: possible| of the)? (?:2\^n )?(?:subsets?|bitmasks?|masks?|combinations? of)\b",
    "dp over (?:subsets|masks|bitmasks)",
    "held[- ]?karp",
    r"2\^n\b",
    r"bitmask dp\b",
    r"power ?set\b",
)
SUBMASKS = _said(r"all (?:of )?(?:its |the )?submasks\b", r"submasks? of\b", r"3\^n\b")
HALVED = _said(
    "meet[- ]in[- ]the[- ]middle", r"halves\b", r"half\b", r"of at most\b", r"bits? of\b"
)
PERMUTATIONS = _said(
    rf"{_ALL}(?: possible)? (?:permutations?|orders?\b|orderings?)", "next_permutation"
)
ALL_BRANCHES = _said(
    r"backtrack\w*\b[^.]*\b(?:every|all|each) (?:possible|simple)",
    r"enumerat\w* (?:every|all) (?:simple )?paths?",
    "all (?:possible )?assignments",
    "minimax without",
    "every simple path",
)
SORTS_EACH_ROUND = _said(
    rf"(?:after|in|at|for|on) {_EACH} {_ROUND}\b[^.]*\bsort\b",
    r"sort(?:s|ing)?\b[^.]*\b(?:in|inside|within|at|after) (?:the loop"
    r"|(?:each|every) (?:step|iteration|insert\w*))",
    "re-?sort",
)
NO_MEMO = _said(
    r"(?:plain|naive|pure|direct|simple|unbounded|straightforward)\b[ \w]*\brecurs",
    r"recurs\w*\b[^.]*\b(?:without|no) (?:any )?(?:memo\w*|cach\w*|table|limit|bound|depth)",
)
FLOYD_WARSHALL = _said("floyd[- ]*warshall")
FROM_EACH_VERTEX = _said(
    rf"{_SEARCH}[^.]*\bfrom {_ALL} (?:the )?{_VERTEX}",
    rf"for {_EACH} {_VERTEX}\w*\b[^.]*\b(?:run|do|perform)s? (?:a )?{_SEARCH}",
)
ADJACENCY_MATRIX = _said("adjacency[- ]matrix", "dense (?:adjacency )?matrix")
