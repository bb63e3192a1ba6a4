"""Parse names of complexities, and compare them: different spellings of one growth are equal."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

LADDER: tuple[str, ...] = (
    "O(1)",
    "O(log n)",
    "O(sqrt n)",
    "O(n)",
    "O(n log n)",
    "O(n log^2 n)",
    "O(n sqrt n)",
    "O(n^2)",
    "O(n^2 log n)",
    "O(n^3)",
    "O(n^4)",
    "O(2^n)",
    "O(n!)",
)
"""The classes of one parameter, from the slowest growth to the fastest."""

UNSURE = "unsure"
"""The name of an undecided class."""

Family = Literal[0, 1, 2]
POLYNOMIAL: Family = 0
EXPONENTIAL: Family = 1
FACTORIAL: Family = 2


@dataclass(frozen=True, order=True)
class Monomial:
    """One term of a complexity, such as `n^2 log n`, without its constant.

    `n`, `m`: exponents. `log`: the exponent of a logarithm, of whichever parameter. In the families
    above the polynomials the exponents of n and of the logarithm are dropped: all of 2^n, phi^n and
    n 2^n are one class.
    """

    family: Family = POLYNOMIAL
    n: float = 0.0
    m: float = 0.0
    log: int = 0

    def is_below(self, other: "Monomial") -> bool:
        """Return whether it grows slower than `other` wherever every parameter grows.

        A power outweighs logarithms: `m log n` is below `n*m`.
        """
        if self == other:
            return False
        if self.family != other.family:
            return self.family < other.family and self.m <= other.m
        if self.n > other.n or self.m > other.m:
            return False
        return self.n < other.n or self.m < other.m or self.log < other.log

    def __str__(self) -> str:
        growth = {POLYNOMIAL: "", EXPONENTIAL: "2^n", FACTORIAL: "n!"}[self.family]
        powers = [_power("n", self.n), _power("m", self.m), growth]
        product = "*".join(power for power in powers if power and not power.startswith("sqrt"))
        roots = [power for power in powers if power.startswith("sqrt")]
        if self.n > 1 and self.n % 1:
            product = "*".join(p for p in (_power("n", self.n // 1), _power("m", self.m // 1)) if p)
            roots = ["sqrt n"]
        logs = ["log n" if self.log == 1 else f"log^{self.log} n"] if self.log else []
        return " ".join(part for part in [product, *roots, *logs] if part) or "1"


def _power(letter: str, exponent: float) -> str:
    if exponent == 0:
        return ""
    if exponent == 0.5:
        return f"sqrt {letter}"
    return letter if exponent == 1 else f"{letter}^{exponent:g}"


Terms = frozenset[Monomial]


def undominated(terms: Terms) -> Terms:
    """Return the terms that no other one outgrows; of nothing at all: the constant."""
    kept = frozenset(x for x in terms if not any(x.is_below(y) for y in terms))
    return kept or frozenset({Monomial()})


def name_of(terms: Terms) -> str:
    """Return the name of a sum of terms, such as `O((n+m) log n)`, the heaviest term first."""
    kept = undominated(terms)
    for logs, tail in ((0, ""), (1, " log n")):
        if kept == {Monomial(n=1, log=logs), Monomial(m=1, log=logs)}:
            return f"O((n+m){tail})" if tail else "O(n+m)"
    if kept == {Monomial(n=1.5), Monomial(n=0.5, m=1)}:
        return "O((n+m) sqrt n)"
    heaviest_first = sorted(kept, key=lambda x: (x.family, x.n + x.m, x.log, x.n), reverse=True)
    return f"O({' + '.join(str(term) for term in heaviest_first)})"


@lru_cache(maxsize=1024)
def terms_of(name: str) -> Terms:
    """Return the undominated terms of a name such as `O(m + n log n)`.

    Understood: `n` (or `V`), any other letter for the second parameter, powers, `sqrt`, `log`,
    `log^2`, `log log`, `alpha(n)`, exponentials of any base, factorials, products (by `*` or
    a space), sums, and brackets around sums.

    Raises:
        ValueError: if the text is not of that form.
    """
    match = re.fullmatch(r"\s*(?:O|Theta|Θ)\s*\((.*)\)\s*", name)
    if match is None:
        raise ValueError(f"{name!r} is not a complexity; write it like O(n log n)")
    parser = _Parser(name, match[1])
    terms = parser.sum()
    if parser.peek():
        raise parser.error()
    return undominated(terms)


@lru_cache(maxsize=1024)
def canonical(name: str) -> str:
    """Return a complexity's canonical name: `O(m+n)` gives `O(n+m)`, `O(n log log n)` `O(n)`.

    Text that is not a complexity, such as `unsure`, is returned unchanged.
    """
    try:
        return name_of(terms_of(name))
    except ValueError:
        return name


def outgrows(name: str, other: str) -> bool:
    """Return whether a term of the first class grows faster than every term of the other."""
    try:
        terms, others = terms_of(canonical(name)), terms_of(canonical(other))
    except ValueError:
        return False
    return all(any(term.is_below(own) for own in terms) for term in others)


def same_class(a: str, b: str) -> bool:
    """Return whether two names mean the same growth.

    `O(n alpha(n))` and `O(n log log n)` are `O(n)`; exponentials of all bases are one class, as are
    `O(n!)`, `O((n-1)!)` and `O(n*n!)`; the order of a sum does not matter.
    """
    return canonical(a) == canonical(b)


def grows_faster(a: str, b: str) -> bool | None:
    """Return whether the first of two classes outgrows the second; None if one is not a complexity.

    `O(n + m log n)` outgrows `O(n+m)`: one of its terms is neither in the other nor below it.
    """
    try:
        first, second = terms_of(a), terms_of(b)
    except ValueError:
        return None
    return any(not any(x == y or x.is_below(y) for y in second) for x in first)


_TOKEN = re.compile(r"\s*(sqrt|log|lg|ln|alpha|√|phi|φ|e(?=\^)|[a-zA-Z]|\d+(?:\.\d+)?|[-+*^!()·])")


class _Parser:
    """Recursive descent over sums of products."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.tokens: list[str] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise self.error()
            self.tokens.append(match[1])
            at = match.end()
        self.at = 0

    def error(self) -> ValueError:
        return ValueError(f"{self.name!r} is not a complexity; write it like O(n log n)")

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def take_if(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def sum(self) -> Terms:
        terms = self.product()
        while self.peek() in ("+", "-"):
            sign = self.take()
            following = self.product()
            if sign == "+":  # what is taken away is of lower order: (n-m)m, (n-1)!
                terms |= following
        return terms

    def product(self) -> Terms:
        terms = self.factor()
        while self.peek() not in ("", "+", "-", ")"):
            if self.peek() in ("*", "·"):
                self.take()
            factor = self.factor()
            terms = frozenset(_times(x, y) for x in terms for y in factor)
        return terms

    def factor(self) -> Terms:
        terms = self.atom()
        while self.peek() in ("^", "!"):
            if self.take() == "!":
                terms = frozenset({Monomial(family=FACTORIAL)})
            elif self.peek().replace(".", "").isdigit():
                power = float(self.take())
                terms = frozenset(_raised(x, power) for x in terms)
            else:
                self.atom()
                terms = frozenset({Monomial(family=EXPONENTIAL)})
        return terms

    def atom(self) -> Terms:
        symbol = self.take()
        if symbol == "(":
            terms = self.sum()
            if not self.take_if(")"):
                raise self.error()
            return terms
        if symbol in ("sqrt", "√"):
            return frozenset(_raised(x, 0.5) for x in self.atom())
        if symbol == "alpha":
            self.atom()
            return frozenset({Monomial()})
        if symbol in ("log", "lg", "ln"):
            return self.logarithm()
        if symbol.replace(".", "").isdigit() or symbol in ("phi", "φ", "e"):
            return frozenset({Monomial()})
        if symbol in ("n", "N", "V"):
            return frozenset({Monomial(n=1)})
        if symbol.isalpha():
            return frozenset({Monomial(m=1)})
        raise self.error()

    def logarithm(self) -> Terms:
        power = 1.0
        if self.take_if("^"):
            power = float(self.take())
        if self.peek() in ("log", "lg", "ln"):
            self.factor()
            return frozenset({Monomial()})
        self.atom()
        return frozenset({Monomial(log=int(power))})


def _times(x: Monomial, y: Monomial) -> Monomial:
    family = max(x.family, y.family)
    if family != POLYNOMIAL:
        return Monomial(family=family, m=x.m + y.m)
    return Monomial(family=family, n=x.n + y.n, m=x.m + y.m, log=x.log + y.log)


def _raised(x: Monomial, power: float) -> Monomial:
    return Monomial(x.family, x.n * power, x.m * power, round(x.log * power))
