"""Estimate the rounds of a `while`: halving, two pointers, queues, stacks, climbing, counting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import re2

from steelyard.solving.pruning._reading import (
    ONCE,
    WORD,
    Extent,
    Frame,
    SizedTree,
    comparisons,
    logarithm,
)
from steelyard.solving.pruning._sizes import factorial, magnitude
from steelyard.solving.pruning._tree import Block, Line, own_lines

_HALVES = re2.compile(
    r"/=|>>=|<<=|\*=|=\s*\w+\s*//?\s*\w+|=\s*\w+\s*>>\s*\d|=\s*\w+\s*\*\s*\d|=\s*mid|\bmid\b"
    r"|&\s*-\s*\w|&\s*\(\s*\w+\s*-\s*1\s*\)|=\s*[^=]*\s(?:%|mod)\s"
)
_NEXT_PERMUTATION = re2.compile(r"(?i)next_?permutation|next permutation")
_EMPTY = re2.compile(
    r"(?i)empty|^while\s*\(?!?\s*(?:queue|stack|heap|pq|q|st|todo|deque|dq|frontier|not_empty)\s*\)?$"
    r"|\blen\((?:queue|stack|heap|pq|q|st)\)|\b(?:queue|stack|heap|pq|q|st)\.size\(\)"
)
_RESET = re2.compile(
    r"(?i)=\s*\[\s*(?:false|true|-?\w+)\s*\]\s*\*|\bfill\b|\.assign\(|\bmemset\b|\ball\s+(?:false|0|unvisited)"
    r"|\b(?:clear|reset)\b.*\b(?:dist|visited|seen|used)\b|(?:dist|visited|seen|used)\w*(?:\[.*\])?\s*=\s*(?:\[|all|set\(\)|\{\}|INF)"
    r"|vector<\w+(?:\s\w+)?>\s+(?:dist|d|vis|visited|seen|used)"
)
_CHANGED = re2.compile(r"([A-Za-z_]\w*)\s*(?:\+\+|--|[-+]=)|(?:\+\+|--)\s*([A-Za-z_]\w*)")
_MOVED = re2.compile(r"([A-Za-z_]\w*)\s*(?:=|←|:=)\s*([^=].*)")
_POPS = re2.compile(r"(?i)\bpop|\bremove\b|\berase\b|\bextract|\bshift\(")
_CLIMBS = re2.compile(
    r"(?i)\b([a-z_]\w*)\s*=\s*(?:par|parent|up|father|next|nxt)\s*\[\s*([a-z_]\w*)\s*\]"
)
_LINKS = re2.compile(
    r"(?i)=\s*(?:pi|fail|link|lps|nxt|suf\w*|prefix|border|z|f)\s*\[|\.(?:link|fail|suffix)\b"
)
_KNOWN_AHEAD = re2.compile(r"\bmin\s*\([^;]*\[")
"""A pointer starts at an earlier round's result, as in Manacher's algorithm."""
_COUNTS_DOWN = re2.compile(r"^while\s*\(?\s*([A-Za-z_]\w*)\s*--|^while\s*\(?\s*--\s*([A-Za-z_]\w*)")
_SQUARE = re2.compile(r"([a-z_]\w*)\s*\*\s*([a-z_]\w*)\s*<=?\s*([A-Za-z_]\w*)")
_ROOT = re2.compile(r"\[\s*(\w+)\s*\]\s*!=\s*(\w+)\s*\)?$")
"""`while parent[x] != x`: finds the root of a disjoint set."""
_SWAPS = re2.compile(r"(?i)swapped|changed|sorted|stable|no change|converge")


def while_extent(block: Block, frames: tuple[Frame, ...], reading: SizedTree) -> Extent:
    """Return how often a loop with a condition runs each time that it is entered."""
    condition, main = block.header, reading.sizes.main
    if _NEXT_PERMUTATION.search(condition):
        return reading.exponential(factorial(main.value), f"{main.name}!")
    if found := _COUNTS_DOWN.search(condition):
        return _counting_down(found.group(1) or found.group(2), reading)
    resolve = reading.resolver(frames)
    if found := _SQUARE.search(condition):
        value = magnitude(found.group(3), resolve)
        if found.group(1) == found.group(2) and value is not None:
            return reading.sized(math.sqrt(value), f"sqrt({found.group(3)})")
    if (found := _ROOT.search(condition)) and found.group(1) == found.group(2):
        return logarithm(None)
    body = reading.lines(block)
    if _EMPTY.search(condition):
        return _draining(block, frames, reading)
    if any(_CLIMBS.search(line.text) for line in body):
        return _climbing(body, reading)
    if _halves(condition, block):
        return logarithm(magnitude(condition[5:], resolve))
    if any(_LINKS.search(line.text) for line in own_lines(block)):
        return ONCE
    if _SWAPS.search(condition):
        return reading.whole
    return _pointing(block, body, frames, reading)


def _counting_down(name: str, reading: SizedTree) -> Extent:
    size = reading.sizes.named(name)
    if name.lower() in {"t", "tc", "tt", "tests", "cases", "test"}:
        size = size or reading.sizes.of_role("test")
        return Extent(size.value, size.name, "tests", top=size.value) if size else ONCE
    size = size or (reading.sizes.of_role("query") if name.lower() == "q" else None)
    return reading.sized(size.value, size.name) if size else ONCE


def _halves(condition: str, block: Block) -> bool:
    """Return whether the body halves, doubles or divides a name of the condition."""
    watched = set(WORD.findall(condition)[1:])
    for line in own_lines(block):
        for part in line.text.split(";"):
            if not _HALVES.search(part):
                continue
            left = set(WORD.findall(part.split("=")[0]))
            if watched & left or "mid" in WORD.findall(part):
                return True
    return False


def _draining(block: Block, frames: tuple[Frame, ...], reading: SizedTree) -> Extent:
    """Return the loop of a queue or stack: each vertex once, unless each round resets marks."""
    vertices = reading.sizes.of_role("vertex") or reading.sizes.main
    before = reading.lines(frames[-1].block) if frames else ()
    resets = any(line.number < block.number and _RESET.search(line.text) for line in before)
    return reading.sized(vertices.value, vertices.name) if resets or not frames else ONCE


def _climbing(body: Sequence[Line], reading: SizedTree) -> Extent:
    """Return the loop of `a = parent[a]`: the tree's depth, small with path compression."""
    for line in body:
        found = _CLIMBS.search(line.text)
        if found and found.group(1) == found.group(2) and "parent[parent" not in line.text:
            compressed = any("parent[parent" in other.text for other in body)
            if not (compressed or reading.finds_roots):
                return reading.whole
    return logarithm(None)


def _pointing(
    block: Block, body: Sequence[Line], frames: tuple[Frame, ...], reading: SizedTree
) -> Extent:
    """Return the loop of a pointer: one that only advances is counted once."""
    watched = set(WORD.findall(block.header)[1:])
    moved = {name for line in body for name in _stepped(line.text)} & watched
    if not frames:
        moves = moved or any(_POPS.search(line.text) for line in body)
        return _up_to(block.header, moved, frames, reading) if moves else ONCE
    outer = frames[-1]
    here = {line.number for line in body} | {block.number}
    around = [line for line in reading.lines(outer.block) if line.number not in here]
    settings = (each for line in around for each in _settings(line.text))
    starts_anew = any(left in moved and afresh for left, _, afresh in settings)
    if moved.intersection(outer.variables) or _handed_on(moved, around) or not starts_anew:
        return ONCE
    return _up_to(block.header, moved, frames, reading)


def _handed_on(moved: set[str], around: Sequence[Line]) -> bool:
    """Return whether an outer pointer continues where the inner one stopped: `i = j`."""
    for line in around:
        for left, right, _ in _settings(line.text)[:1]:
            if left not in moved and right.strip(" ;") in moved:
                return True
    return False


@lru_cache(maxsize=4_096)
def _settings(text: str) -> tuple[tuple[str, str, bool], ...]:
    """Return each name that a statement sets, its value, and whether the old value is unused."""
    found = []
    for part in text.replace(",", ";").split(";"):
        moved = _MOVED.search(part)
        if moved:
            left, right = moved.group(1), moved.group(2)
            goes_on = _LINKS.search("=" + right) or _KNOWN_AHEAD.search(right)
            afresh = left not in WORD.findall(right) and not goes_on
            found.append((left, right, afresh))
    return tuple(found)


@lru_cache(maxsize=4_096)
def _stepped(text: str) -> frozenset[str]:
    """Return the names that a statement counts up or down."""
    return frozenset(name for pair in _CHANGED.findall(text) for name in pair if name)


def _up_to(
    condition: str, moved: set[str], frames: tuple[Frame, ...], reading: SizedTree
) -> Extent:
    """Return the loop of a pointer up to what it is compared with, else to the main size."""
    resolve = reading.resolver(frames)
    for left, right in comparisons(condition[5:]):
        for inside, other in ((left, right), (right, left)):
            if moved & set(WORD.findall(inside)) and not moved & set(WORD.findall(other)):
                value = magnitude(other, resolve)
                if value is not None and value > 1:
                    return reading.sized(value, condition[6:46])
    return reading.whole
