"""Find functions that recurse without an end, in too many branches, or too deep."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Literal

import re2

from steelyard.schemas import PruneFinding, SolutionLanguage
from steelyard.solving.pruning._paths import Paths
from steelyard.solving.pruning._pseudocode import matching
from steelyard.solving.pruning._rules import PruningRules, count, finding
from steelyard.solving.pruning._sizes import factorial, magnitude
from steelyard.solving.pruning._tree import Block, Line, lines_under, own_lines

_MEMO = re2.compile(
    r"(?i)\bmemo|\bcached?\b|lru_cache|\b(?:dp|f|best|table)\s*(?:\[[^\]]+\]\s*)+(?:!=|>=|==|=|is|<>)"
    r"|\bif\b.*\bin\s+(?:dp|memo|cache|seen)\b|\bseen\b.*\bstate"
)
_MARKS = re2.compile(r"(?i)\b(?:vis\w*|seen|used|done|colou?r\w*|mark\w*)\b")
_UNMARKS = re2.compile(
    r"(?i)\bunmark|\bundo\b|\bbacktrack|\b(?:vis\w*|seen|used|mark\w*|col\w*)\s*\[[^\]]*\]\s*=\s*"
    r"(?:false|0|-1|none)\b"
)
_TAKES_BACK = re2.compile(r"\.pop(?:_back)?\(|\.remove\(")
"""In the loop of the call: the choice is undone."""
_ENDS = re2.compile(
    r"(?i)^(?:if|when|while|for|unless|else|switch|case|base)\b|\?|\bif\b|\bor\b|\band\b|&&|\|\|"
)
_HALVED = re2.compile(r"(?i)\bmid\b|\bm\b|//?\s*2|>>\s*1|\b2\s*\*|<<\s*1|%|\bmod\b|/\s*\w")
_CHILD = re2.compile(
    r"(?i)\.(?:left|right|child\w*|next)|->|\bchild\w*|\[[^\]]*\]\s*[,)]|\b(?:lc|rc|ls|rs|lson|rson)\b"
)
_STEPPED = re2.compile(r"\b\w+\s*[-+]\s*(?:\d+|[A-Za-z_]\w*(?:\[[^\]]*\])?)")
_NUMERIC_END = re2.compile(r"^(?i:if)\s*\(?\s*(\w+)\s*(?:==|>=|>)\s*(\d+)\b")
_LIMIT = re2.compile(r"setrecursionlimit\(\s*([^()]+?)\s*\)")
_RETURNS = re2.compile(r"(?i)\b(?:return|stop|exit)\b")
_CALL = re2.compile(r"\b(\w+)\s*(\()")
_MOST_CALLS = 20
_LARGEST_INPUT = 1e8
"""No input has more items: a larger bound is that of a value, and recursion is over its digits."""


def recursion_findings(
    paths: Paths, rules: PruningRules, language: SolutionLanguage | Literal["plan"], whole: str
) -> Iterator[PruneFinding]:
    """Yield the rules that the recursion of a text breaks.

    Args:
        paths: The paths of the text.
        rules: The rules.
        language: The language; Python's stack is short.
        whole: The whole text: `setrecursionlimit` may be anywhere.
    """
    for name in sorted(paths.recursive)[:50]:
        found = _judge(name, paths, rules, language, whole)
        if found is not None:
            yield found


def _judge(
    name: str, paths: Paths, rules: PruningRules, language: str, whole: str
) -> PruneFinding | None:
    block = paths.functions[name]
    lines = [Line(block.header, block.number), *lines_under(block)]
    size = _size(block, paths)
    if size is None:
        return None
    calls = [text for line in lines[1:] for text in _arguments(line.text, name)]
    if not calls:
        return None
    shown = f"{block.header} … " + next(
        (line.text for line in lines[1:] if _arguments(line.text, name)), ""
    )
    memo = _memoised(block, lines, whole)
    ends = any(_ENDS.search(line.text) for line in lines[1:])
    n = count(size)
    unbounded = rules.unbounded_recursion
    if unbounded.enabled and not ends and size >= unbounded.min_n:
        return finding(
            "unbounded-recursion", shown, f"{name} calls itself and never terminates, n = {n}"
        )
    halves = all(_HALVED.search(call) for call in calls)
    branching = rules.branching_recursion
    if branching.enabled and not memo and not halves:
        branches, per_level = _branches(block, name)
        shallow = paths.reading.sizes.least <= branching.max_n and not _named(block, paths)
        if branches >= 2 and size > branching.max_n and not shallow:
            deepest = min(size, 300 / math.log10(branches))
            made = factorial(size) if per_level else float(branches) ** deepest
            return finding(
                "branching-recursion",
                shown,
                f"{name} calls itself in {branches} branches without a memo to depth {n}: "
                f"up to {count(made)} calls",
            )
    steps_down = any(_STEPPED.search(call) for call in calls) and not halves
    depth = rules.deep_recursion
    if depth.enabled and not halves:
        graph = bool(any(_MARKS.search(line.text) for line in lines) or "for" in shown)
        limit = depth.python_max_depth if language == "python" else depth.max_depth
        if language == "python" and (raised := _LIMIT.search(whole)):
            limit = max(limit, magnitude(raised.group(1), paths.reading.resolver(())) or 1e300)
        if (steps_down or graph) and size >= limit:
            return finding(
                "deep-recursion",
                shown,
                f"{name} may recurse {n} levels deep, about {count(limit)} is safe",
            )
    return None


def _size(block: Block, paths: Paths) -> float | None:
    """Return the depth of the recursion: a number in its end, its parameters, the input's size."""
    sizes = paths.reading.sizes
    first = [line.text for line in list(lines_under(block))[:3]]
    for text in first:
        found = _NUMERIC_END.search(text)
        if found and found.group(1) in block.params and 2 <= int(found.group(2)[:6]) <= 64:
            return float(found.group(2)[:6])
    if _named(block, paths):
        return sizes.main.value
    return sizes.main.value if sizes.main.value <= _LARGEST_INPUT else None


def _named(block: Block, paths: Paths) -> bool:
    """Return whether a parameter is named after the main size."""
    return paths.reading.sizes.main.name.lower() in map(str.lower, block.params)


def _arguments(text: str, name: str) -> list[str]:
    """Return the arguments of each call of the function in a line."""
    openings = (
        found.start(2)
        for found in _CALL.finditer(text)
        if found.group(1) == name and not text[: found.start()].endswith(".")
    )
    return [text[at : matching(text, at) + 1] for at in islice(openings, _MOST_CALLS)]


def _memoised(block: Block, lines: list[Line], whole: str) -> bool:
    if any(_MEMO.search(line.text) for line in lines):
        return True
    before = whole[: max(0, whole.find(block.header[:30]))][-200:]
    return bool(_MEMO.search(before.rsplit("\n\n", 1)[-1])) and "cache" in before.lower()


def _branches(block: Block, name: str) -> tuple[int, bool]:
    """Return how many calls one call makes at most, and whether their number is that of a loop.

    A loop whose calls are of a vertex's neighbours, with marks that stay, makes each call once.
    """
    lines = list(lines_under(block))
    marks = any(_MARKS.search(line.text) for line in lines)
    loops = [
        loop
        for loop in block.children
        if isinstance(loop, Block)
        and loop.kind == "loop"
        and any(_arguments(line.text, name) for line in lines_under(loop))
    ]
    unmarks = any(_UNMARKS.search(line.text) for line in lines) or any(
        _TAKES_BACK.search(line.text) for loop in loops for line in own_lines(loop)
    )
    in_loop = bool(loops)
    if in_loop and unmarks:
        return 2, True
    if in_loop or (marks and not unmarks):
        return 1, False
    return _heaviest(block, name, 0), False


def _heaviest(block: Block, name: str, depth: int) -> int:
    """Return the calls on the heaviest path through a block: branches exclude each other."""
    total = 0
    before_else = 0
    spared = 0
    for child in block.children:
        if isinstance(child, Line):
            made = [call for call in _arguments(child.text, name) if not _is_child(call)]
            total += max(0, len(made) - ("?" in child.text and len(made) > 0))
            continue
        inside = _heaviest(child, name, depth + 1) if depth < 20 else 0
        inside += len([call for call in _arguments(child.header, name) if not _is_child(call)])
        if child.kind == "branch" and child.header.lower().startswith(("else", "elif")):
            total += max(0, inside - before_else)
            before_else = max(inside, before_else)
        elif child.kind == "branch" and any(
            _RETURNS.search(line.text) for line in lines_under(child)
        ):
            spared = max(spared, inside)
            before_else = inside
        else:
            total += inside
            before_else = inside
    return max(total, spared)


def _is_child(call: str) -> bool:
    return bool(_CHILD.search(call)) and not _STEPPED.search(call)
