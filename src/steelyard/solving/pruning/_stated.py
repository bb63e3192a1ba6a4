"""Evaluate a plan's own `O(...)` at its bounds."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from steelyard.schemas import PruneFinding
from steelyard.solving.pruning._bounds import Sizes
from steelyard.solving.pruning._expressions import magnitude
from steelyard.solving.pruning._figures import count, finding
from steelyard.solving.pruning._rules import Rules

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


def stated_findings(
    stated: str, sizes: Sizes, rules: Rules, allowed: float
) -> Iterator[PruneFinding]:
    """Yield the rules that the stated complexity breaks.

    Args:
        stated: Such as `O(n log n + q)`, or several with words between.
        sizes: The largest sizes.
        rules: The rules.
        allowed: Steps that the time limit allows.
    """
    if not rules.stated_complexity.enabled or sizes.main is None:
        return
    if _EXPONENTIAL.search(stated) and sizes.main.value >= _EXPONENTIAL_FROM:
        yield finding(
            "stated-complexity",
            stated,
            f"{stated[:60]} at {sizes.main.name} = {count(sizes.main.value)}",
        )
        return
    for inside, after in _claims(stated):
        steps = complexity_at(inside, sizes)
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


def complexity_at(inside: str, sizes: Sizes) -> float | None:
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
