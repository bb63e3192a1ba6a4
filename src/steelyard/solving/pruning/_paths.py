"""Collect every path through the loops of a text, and estimate how often its statements run.

1. The tree is walked from its root. Each statement gets a path: the loops around it.
2. Each loop's rounds at the largest input are estimated from its header and body. The estimate is
   cautious: an unknown loop counts as running once.
3. A function that loops call adds its own loops to the path of the call.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import re2

from steelyard.solving.pruning._pseudocode import outside
from steelyard.solving.pruning._reading import (
    ONCE,
    WORD,
    Extent,
    Frame,
    SizedTree,
    comparisons,
    logarithm,
)
from steelyard.solving.pruning._rules import count
from steelyard.solving.pruning._sizes import Resolve, factorial, magnitude
from steelyard.solving.pruning._tree import Block, Line, blocks_under, lines_under
from steelyard.solving.pruning._while_bounds import while_extent

_CALL = re2.compile(r"([A-Za-z_]\w*)\s*\(")
_GUARD = re2.compile(
    r"(?i)visit|seen|used|colou?r|comp|done|unvisited|\bnot\b.*\[|!\w+\[|==\s*-1|prime"
)
_MOST_PATHS = 20_000
_MOST_LOOPS = 300
_MOST_CALLED = 3


@dataclass(frozen=True, slots=True)
class LoopPath:
    """The loops around a statement, outermost first."""

    frames: tuple[Frame, ...]
    line: Line
    steps: float
    guarded: bool = False
    """Whether a mark lets each round in at most once, as in `if not visited[u]`."""
    called: str = ""
    """The function whose loops the last frames are."""


def _total_steps(frames: tuple[Frame, ...], reading: SizedTree) -> float:
    """Return how often the innermost statement runs in all, at the largest input.

    Tests share the size that they sum up to: a loop over tests counts only if its work does
    not depend on the input's size.
    """
    steps = 1.0
    main = reading.sizes.main.value
    for frame in frames:
        if frame.extent.kind != "tests":
            steps = min(1e300, steps * frame.extent.steps)
    for frame in frames:
        if frame.extent.kind == "tests":
            sized = any(
                other.extent.kind == "size" and abs(other.extent.steps - main) <= main / 2
                for other in frames
            )
            if not sized:
                steps = min(1e300, steps * frame.extent.steps)
    return steps


class Paths:
    """The paths of a tree.

    Args:
        reading: The tree and its sizes.
    """

    def __init__(self, reading: SizedTree) -> None:
        self.reading = reading
        self.functions = {
            block.name: block for block in blocks_under(reading.root) if block.kind == "function"
        }
        self.recursive = {
            name
            for name, block in self.functions.items()
            if any(name in _CALL.findall(line.text) for line in lines_under(block))
        }
        self.all: list[LoopPath] = []
        self._loops = 0
        self._walk(reading.root, (), False)
        self._follow_calls()

    def _walk(self, block: Block, frames: tuple[Frame, ...], guarded: bool) -> None:
        for child in block.children:
            if len(self.all) >= _MOST_PATHS:
                return
            if isinstance(child, Line):
                self._add(frames, child, guarded)
                continue
            self._add(frames, Line(child.header, child.number), guarded)
            if child.kind == "loop":
                self._loops += 1
                extent, variables = (
                    _extent_of(child, frames, self.reading)
                    if self._loops <= _MOST_LOOPS
                    else (ONCE, ())
                )
                self._walk(child, (*frames, Frame(child, variables, extent)), guarded)
                if not child.children:
                    self._add(
                        (*frames, Frame(child, variables, extent)),
                        Line(child.header, child.number),
                        guarded,
                    )
            elif child.kind == "function":
                self._walk(child, (), False)
            else:
                once = guarded or bool(frames and _GUARD.search(child.header))
                self._walk(child, frames, once)

    def _add(self, frames: tuple[Frame, ...], line: Line, guarded: bool) -> None:
        self.all.append(LoopPath(frames, line, _total_steps(frames, self.reading), guarded))

    def _follow_calls(self) -> None:
        """Add paths of functions called in loops, without recursion: each round has a call."""
        for _ in range(_MOST_CALLED):
            worst = self._worst()
            added: list[LoopPath] = []
            for path in self.all:
                if path.guarded or path.called or len(added) + len(self.all) >= _MOST_PATHS:
                    continue
                for name in _CALL.findall(path.line.text):
                    inside = worst.get(name)
                    if inside is not None and inside.frames and name not in self.recursive:
                        frames = path.frames + inside.frames
                        steps = _total_steps(frames, self.reading)
                        added.append(LoopPath(frames[:40], path.line, steps, called=name))
            known = {(path.line, path.called, path.steps) for path in self.all}
            fresh = [path for path in added if (path.line, path.called, path.steps) not in known]
            if not fresh:
                break
            self.all.extend(fresh)

    def _worst(self) -> dict[str, LoopPath]:
        """Return the most expensive path of each function."""
        worst: dict[str, LoopPath] = {}
        owners: dict[int, str] = {}
        for name, block in self.functions.items():
            for line in lines_under(block):
                owners[line.number] = name
        for path in self.all:
            owner = owners.get(path.line.number)
            if owner is not None and (owner not in worst or path.steps > worst[owner].steps):
                worst[owner] = path
        return worst


_EACH = re2.compile(r"(?i)^for\s*(?:\(\s*)?(?:each|every|all|any)?\s*")
_IN = re2.compile(r"(?i)\s(?:in|of|from|over|∈)\s|\s*(?:←|<-|:=|=)\s*|\s:\s")
_TO = re2.compile(r"(?i)\s*(?:\.\.\.?=?|…)\s*|\s+(?:down\s?to|up\s?to|to|through|until)\s+")
_MULTIPLES = re2.compile(r"(\w+)\s*,\s*2\s*\*?\s*(\w+)\s*,")
_RANGE = re2.compile(r"^\s*(?:x?range|rep|irange)\s*\((.*)\)\s*$")
_GROWS = re2.compile(r"\*=|/=|>>=|<<=|&\s*-|\*\s*2\s*$|/\s*2\s*$|>>\s*1|<<\s*1")
_ITERATOR = re2.compile(r"\bauto\b|iterator|\bit\s*=")
_SUBMASK = re2.compile(r"-\s*1\s*\)?\s*&\s*\w+")
_SUBMASKS = re2.compile(r"(?i)\bsub-?masks?\b")
_STEPS_BY = re2.compile(r"\+=\s*([A-Za-z_]\w*|\d+)")
_ADJACENT = re2.compile(
    r"(?i)\badj|neighbo|\bg(?:raph)?\s*\[|\bchild|\bincident|\bedges\s+(?:of|from|out)"
    r"|\b(?:out|outgoing|succ|tree|to)\s*(?:\[|\()"
)
_ADJACENT_NOUN = re2.compile(r"(?i)^(?:neighbo\w*|child\w*|incident|adjacent|outgoing)\b")
_CONSTANT = re2.compile(
    r"(?i)\bdir(?:s|ection|ections)?\b|\bdelta|\bdxy?\b|\balphabet|\bmoves?\b|ascii|letters?\b"
    r"|\bdigits?\b|\bcolou?rs\b"
)
_BITS = re2.compile(r"(?i)\bbits?\b|\blevels?\b|\bpowers?\b")
_LITERAL = re2.compile(r"^\s*[\[({](.*)[\])}]\s*$")
_SLICE = re2.compile(r"\[[^\]]*(?:\.\.|:)[^\]]*\]")
_WRAPPED = re2.compile(
    r"^\s*(?:enumerate|sorted|reversed|reverse|zip|set|list|tuple|iter|map)\s*\((.*)\)\s*$"
)
_PERMUTATIONS = re2.compile(r"(?i)permutation")
_SUBSETS = re2.compile(r"(?i)\bsubsets?\b|\bbitmasks?\b|\bmasks?\b|\bpowerset")
_PAIRS = re2.compile(r"(?i)\bpairs?\b")
_TESTS = re2.compile(r"(?i)\btest|\bcases?\b")
_ENDS = frozenset(
    {"l", "r", "lo", "hi", "left", "right", "a", "b", "start", "end", "first", "last"}
)
_ARRAYS = frozenset(
    {
        "a",
        "arr",
        "array",
        "nums",
        "numbers",
        "values",
        "b",
        "s",
        "t",
        "p",
        "list",
        "elements",
        "points",
        "items",
        "v",
        "text",
        "string",
    }
)


def _extent_of(
    block: Block, frames: tuple[Frame, ...], reading: SizedTree
) -> tuple[Extent, tuple[str, ...]]:
    """Return how often the loop runs each time it is met, and the names of its variables.

    Args:
        block: The loop.
        frames: The loops around it, outermost first.
        reading: The names and sizes of the whole text.
    """
    header = block.header
    lower = header.lower()
    if lower.startswith(("while", "do", "loop")):
        return while_extent(block, frames, reading), ()
    if lower.startswith("repeat"):
        return _repeated(block, frames, reading), ()
    body = _EACH.sub("", header)
    if body.endswith(")") and body.count(")") > body.count("("):
        body = body[:-1]
    if body.count(";") >= 2:
        return _counted(body, frames, reading)
    variables, over = _split(body)
    if _SUBMASKS.search(body):
        return ONCE, variables
    extent = _over(variables, over, frames, reading)
    return extent, variables


def _repeated(block: Block, frames: tuple[Frame, ...], reading: SizedTree) -> Extent:
    text = block.header[6:].lower()
    if "until" in text or not text.strip(" :"):
        return while_extent(block, frames, reading)
    text = text.split(" time")[0]
    value = magnitude(text, reading.resolver(frames))
    return ONCE if value is None else reading.sized(value, text.strip())


def _split(body: str) -> tuple[tuple[str, ...], str]:
    """Split `(u, v) in edges` into its variables and its collection."""
    found = _IN.search(body)
    if found is None:
        return tuple(WORD.findall(body)[:6]), ""
    left, right = body[: found.start()], body[found.end() :]
    names = WORD.findall(left)
    if "[" not in left and "(" not in left and "," not in left:
        names = names[-1:]
    return tuple(names[:8]), right


def _counted(
    body: str, frames: tuple[Frame, ...], reading: SizedTree
) -> tuple[Extent, tuple[str, ...]]:
    """Return a loop of C: `i = 0; i < n; i++`."""
    init, condition, step = (part.strip() for part in body.split(";", 2))
    names = WORD.findall(init.split("=")[0])
    variable = names[-1] if names else ""
    start = init.split("=", 1)[1] if "=" in init else ""
    resolve = reading.resolver(frames)
    if _SUBMASK.search(step):
        return ONCE, (variable,)
    if _GROWS.search(step) or _GROWS.search(step.split("=", 1)[-1]):
        value = _limit(variable, start, condition, resolve)
        return logarithm(value), (variable,)
    if "next" in step or "->" in step or "begin()" in start:
        return _over((variable,), start.split(".")[0], frames, reading), (variable,)
    value = _limit(variable, start, condition, resolve)
    if value is None and not _ITERATOR.search(init):
        value = _between_ends(start + " " + condition, variable, reading)
    if value is None:
        return ONCE, (variable,)
    by = _STEPS_BY.search(step)
    extent = _stepped(value, by.group(1) if by else "", condition, frames, reading)
    return _within(extent, start + " " + condition, frames), (variable,)


def _limit(variable: str, start: str, condition: str, resolve: Resolve) -> float | None:
    """Return the larger of where a counted loop begins and where it ends."""
    ends = []
    for left, right in comparisons(condition):
        in_left = variable in WORD.findall(left)
        inside, bound = (left.strip(), right) if in_left else (right.strip(), left)
        first = start.strip()
        if first and first in WORD.findall(bound) and "+" in bound:
            bound = bound.replace(first, "0", 1)
        value = magnitude(bound, resolve)
        if value is not None:
            squared = inside.count(variable) >= 2 or inside.endswith(("²", "^2", "**2"))
            ends.append(math.sqrt(value) if squared else value)
    begin = magnitude(start, resolve) if start else None
    if not ends:
        return begin
    descends = ">" in condition or "≥" in condition
    return max(min(ends), begin or 0.0) if descends else min(ends)


def _stepped(
    value: float, by: str, bound: str, frames: tuple[Frame, ...], reading: SizedTree
) -> Extent:
    """Return a loop up to a value in steps of a number, or of an outer loop's variable."""
    if by.isdigit():
        return reading.sized(value / max(1, int(by)), bound)
    for frame in frames:
        if by and by in frame.variables:
            if frame.extent.kind == "log":
                return Extent(value, f"{bound} by {by}", "size", steps_by=by, top=value)
            return Extent(math.log(value + 2), f"multiples of {by}", "log", top=value)
    step = magnitude(by, reading.resolver(frames)) if by else None
    return reading.sized(value / step if step and step > 1 else value, bound)


def _within(extent: Extent, text: str, frames: tuple[Frame, ...]) -> Extent:
    """Blocks of doubling length together cover the array once; triangles are halved."""
    names = set(WORD.findall(text))
    for frame in frames:
        used = names.intersection(frame.variables)
        if used and any(other.extent.steps_by in used for other in frames):
            return ONCE
        if used and frame.extent.kind == "size" and extent.kind == "size" and extent.steps > 16:
            return Extent(extent.steps / 2, extent.label, extent.kind, extent.steps_by, extent.top)
    return extent


def _between_ends(text: str, variable: str, reading: SizedTree) -> float | None:
    """Loops from l to r of a query may run over the whole array."""
    names = [name for name in WORD.findall(text.lower()) if name != variable.lower()]
    ends = [name for name in names if name in _ENDS]
    return reading.sizes.main.value if ends and len(ends) == len(names) else None


def _over(
    variables: tuple[str, ...], over: str, frames: tuple[Frame, ...], reading: SizedTree
) -> Extent:
    """Return a loop over a range, over a collection, or over the items that a noun names."""
    resolve = reading.resolver(frames)
    outer = [name for frame in frames for name in frame.variables]
    if not over:
        return _noun(variables, frames, reading)
    multiples = _MULTIPLES.search(over)
    if multiples and multiples.group(1) in outer:
        return Extent(20.0, f"multiples of {multiples.group(1)}", "log")
    wrapped = _WRAPPED.search(over)
    for _ in range(3):
        if wrapped is None:
            break
        over = wrapped.group(1)
        wrapped = _WRAPPED.search(over)
    if ranged := _range(over):
        start, stop, by = ranged
        low, high = magnitude(start, resolve), magnitude(stop, resolve)
        values = [value for value in (low, high) if value is not None]
        value = max(values) if values else None
        if high is None and value is not None and value <= 64:
            value = None
        if value is None:
            value = _between_ends(f"{start} {stop}", "", reading)
        if value is None:
            return ONCE
        extent = _stepped(value, by, stop.strip() or start.strip(), frames, reading)
        return _within(extent, f"{start} {stop}", frames)
    return _collection(over, outer, frames, reading)


def _range(over: str) -> tuple[str, str, str] | None:
    """Return a range's start, end and step as written."""
    if found := _RANGE.search(over):
        parts = _arguments(found.group(1))
        if len(parts) == 1:
            return "0", parts[0], ""
        return parts[0], parts[1], (parts[2].strip().lstrip("-") if len(parts) > 2 else "")
    depth_free = over if "[" not in over.partition("..")[0] else ""
    found = _TO.search(depth_free)
    if found is None:
        return None
    return over[: found.start()], over[found.end() :].partition(",")[0], ""


def _arguments(text: str) -> list[str]:
    cuts = [at for at, depth in outside(text) if text[at] == "," and depth == 0]
    return [text[start + 1 : end] for start, end in pairwise((-1, *cuts, len(text)))]


def _collection(
    over: str,
    outer: list[str],
    frames: tuple[Frame, ...],
    reading: SizedTree,
) -> Extent:
    words = WORD.findall(over)
    if _ADJACENT.search(over):
        return _edges_share(frames, reading)
    if literal := _LITERAL.search(over):
        count = literal.group(1).count(",") + 1
        if " for " not in over:
            return Extent(float(count), str(count), "constant", top=float(count))
    if _SLICE.search(over):
        return reading.whole
    if any(word in outer for word in words):
        return ONCE
    if (named := _named(over, words, reading)) is not None:
        return named
    if not words:
        return ONCE
    if (count := reading.literal_length(words[0])) is not None:
        return Extent(float(count), str(count), "constant", top=float(count))
    known = words[0].lower() in _ARRAYS or not frames or reading.assigned_outside(words[0], frames)
    return reading.whole if known and not reading.assigned_inside(words[0], frames) else ONCE


def _noun(variables: tuple[str, ...], frames: tuple[Frame, ...], reading: SizedTree) -> Extent:
    """`for each query (l, r)`: the noun names its collection."""
    text = " ".join(variables)
    if _ADJACENT_NOUN.search(text):
        return _edges_share(frames, reading)
    if (named := _named(text, variables[:3], reading)) is not None:
        return named
    return ONCE if frames else reading.whole


def _named(text: str, words: Sequence[str], reading: SizedTree) -> Extent | None:
    """Return the loop over what words name: letters, bits, subsets, pairs, queries, tests."""
    if _CONSTANT.search(text):
        return Extent(26.0, text.strip()[:30], "constant", top=26.0)
    if _BITS.search(text):
        return Extent(60.0, "bits", "log", top=60.0)
    main = reading.sizes.main
    least = reading.sizes.least
    if _PERMUTATIONS.search(text):
        return reading.exponential(factorial(least), f"{count(least)}!")
    if _SUBSETS.search(text):
        return reading.exponential(2.0 ** min(least, 900), f"2^{count(least)}")
    if _PAIRS.search(text) and reading.sizes.named("pairs") is None:
        return reading.sized(
            main.value**2 / 2 if main.value < 1e140 else 1e290, f"pairs of {main.name}"
        )
    for word in words:
        if _TESTS.search(word):
            size = reading.sizes.of_role("test")
            return Extent(size.value, size.name, "tests", top=size.value) if size else ONCE
        if len(word) > 1 and (size := reading.sizes.of_noun(word)) is not None:
            return reading.sized(size.value, size.name)
    return None


def _edges_share(frames: tuple[Frame, ...], reading: SizedTree) -> Extent:
    """Return the edges of one vertex: m in all for each round over the vertices."""
    edges, vertices = reading.sizes.of_role("edge"), reading.sizes.of_role("vertex")
    if not frames or edges is None or vertices is None or vertices.value < 1:
        return ONCE
    share = max(1.0, 2 * edges.value / vertices.value)
    return Extent(share, "edges of a vertex", "constant", top=share)
