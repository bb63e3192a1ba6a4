"""Characters and numbers that few tests hold, and which of them a function's source points to.

Rewrites differ on them without a word: `splitlines` knows ten line ends and `split` by hand one,
`isdigit` takes what `int` refuses, and a float holds no whole number beyond 2**53.
"""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any

from steelyard.comparing.calls.incell.hints import called_names, literals

LINE_ENDS = ("\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\n")
SPACES = ("\u00a0", "\x0b", "\u3000", "\x1f", "\t", "\x85", "\u2009")
DIGITS = ("\u00b2", "\u0663", "\uff15", "\u2460", "\u2167", "\u00bd")
"""Raised, Arabic, wide, circled, Roman and broken: each is taken by other tests for digits."""
LETTERS = ("ß", "İ", "e\u0301", "\u017f", "\u212a", "\ufb01", "\u03a3", "\u01c5")
"""Their other case is longer, shorter or that of another letter; one is put together of two."""
_ALL_LETTERS = "".join(LETTERS) + "A\u03a3"
"""All at once, with a letter whose small form is another one where it ends a word."""
NUMERALS = ("1_0", "\u0661\u0662", "+7", " 7 ", "-0", "1e5", "nan", "inf", "0x1f", "007", "1.")
"""What `int` and `float` take, or nearly."""
_OTHERS = ("\x00", "\U0001f600", "\u200b", "\ufeff")
GENERAL = (
    tuple(piece for row in zip(LINE_ENDS, SPACES, DIGITS, LETTERS, strict=False) for piece in row)
    + _OTHERS
)
"""For any text."""

LARGE = (
    2**31,
    2**53 + 1,
    2**63,
    -(2**31) - 1,
    -(2**53) - 1,
    -(2**63) - 1,
    10**18 + 9,
    (2**53 + 1) ** 2,
)
"""Whole numbers that machine integers and floats cannot hold, and a square of one."""
LEAST_LARGE = 2**22
"""To less than this C counts in no time."""
FLOATS = (1e308, 1e-308, -0.0, 0.1 + 0.2, -1e308, 1e16, 5e-324, 1e-9)

_BY_NAME: dict[tuple[str, ...], tuple[str, ...]] = {
    ("splitlines", "readlines", "readline", "linesep"): LINE_ENDS,
    ("strip", "lstrip", "rstrip", "split", "rsplit", "isspace", "isprintable"): SPACES,
    ("isdigit", "isdecimal", "isnumeric", "isalnum", "digits"): DIGITS,
    (
        "lower",
        "upper",
        "casefold",
        "title",
        "capitalize",
        "swapcase",
        "islower",
        "isupper",
        "isalpha",
        "isalnum",
        "isidentifier",
        "normalize",
        "IGNORECASE",
        "ascii_letters",
    ): (_ALL_LETTERS, *LETTERS),
    ("int", "float", "Decimal", "Fraction"): NUMERALS + DIGITS,
}
_BY_PATTERN = {
    r"\\s|\\S": SPACES + LINE_ENDS,
    r"\\d|\\D|0-9": DIGITS,
    r"\\w|\\W|\\b|a-z|A-Z": LETTERS + DIGITS,
    r"(?<!\\)[.$^]": LINE_ENDS,
}
_LINE_END = re.compile(r"[\r\n]")
_WORD = re.compile(r"\w+")


def pointed_to(function: Callable[..., object]) -> tuple[str, ...]:
    """The odd characters, some of them several at once, that matter to what a function calls.

    Args:
        function: The original. The plain functions of its module that it names count, too, and
            so do patterns that are compiled beside it.

    Returns:
        None where nothing in it asks what characters are.
    """
    names = called_names(function)
    texts = [value for value in literals(function) if isinstance(value, str)]
    scope = getattr(inspect.unwrap(function), "__globals__", {})
    compiled = [each for name in sorted(names) if isinstance(each := scope.get(name), re.Pattern)]
    patterns = [str(each.pattern) for each in compiled] + (texts if "re" in names else [])
    found = list(characters_for(names, patterns))
    if any(each.flags & re.IGNORECASE for each in compiled):
        found += LETTERS
    if any(_LINE_END.search(text) for text in texts):
        found += LINE_ENDS
    return tuple(dict.fromkeys(found))


def characters_for(names: Collection[str], patterns: Sequence[str]) -> Iterator[str]:
    """Yield the odd characters that matter to functions and methods, and to patterns.

    Args:
        names: Of the functions and methods.
        patterns: Regular expressions.
    """
    for asking, pieces in _BY_NAME.items():
        if not set(asking).isdisjoint(names):
            yield from pieces
    for pattern, pieces in _BY_PATTERN.items():
        if any(re.search(pattern, each) for each in patterns):
            yield from pieces


def with_odd(value: Any, pieces: Sequence[Any], rng: random.Random) -> Any:
    """A text or bytes with an odd piece by or for what is of its kind, for a word, or anywhere.

    Args:
        value: A text or bytes; it may be empty.
        pieces: At least one, texts or of the value's type.
        rng: Picks.
    """
    piece: Any = rng.choice(pieces)
    kin = _kind(_texts(piece))
    places = [at for at, each in enumerate(_texts(value)) if kin and _kind(each) == kin]
    if isinstance(piece, str) and not isinstance(value, str):
        piece = type(value)(piece.encode())
    words = [] if kin in ("line end", "space") else list(_WORD.finditer(_texts(value)))
    way = rng.random()
    if places and way < 0.5:
        at = rng.choice(places)
        kept = rng.random() < 0.4
        return value[: at + kept] + piece + value[at + 1 :]
    if words and way < 0.75:
        word = rng.choice(words)
        return value[: word.start()] + piece + value[word.end() :]
    at = rng.choice((0, len(value), rng.randint(0, len(value))))
    return value[:at] + piece + value[at:]


def _texts(value: Any) -> str:
    return value if isinstance(value, str) else bytes(value).decode("latin-1")


@lru_cache(maxsize=4_096)  # the same few characters are asked about, again and again
def _kind(text: str) -> str:
    if text.isspace():
        return "line end" if len((text + "x").splitlines()) > 1 else "space"
    if any(each.isnumeric() for each in text):
        return "digit"
    return "letter" if text[:1].isalpha() else ""
