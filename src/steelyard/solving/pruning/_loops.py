"""Find nested loops that are too deep or too long, and sorts or costly calls in each round."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from steelyard.schemas import PruneFinding
from steelyard.solving.pruning._paths import LoopPath, Paths
from steelyard.solving.pruning._reading import WORD, Frame, SizedTree
from steelyard.solving.pruning._rules import PruningRules, count, finding

_SORT = re2.compile(
    r"(?i)\b(?:stable_|re-?|partial_)?sort(?:ed)?\s*\(\s*([^()]*(?:\([^()]*\))?[^()]*)\)?"
    r"|([\w.\[\]]+)\.sort\(|\b(?:re-?)?sort\s+(?:the\s+)?(\w+(?:\[[^\]]*\])?)"
)
_SORTS_NOT = re2.compile(r"(?i)^\s*(?:def|void|function|int)\b|sorted\s*(?:set|list|map|dict)\b")
_SMALL = re2.compile(
    r"(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|few|letters|digits|bits|neighbo\w*"
    r"|adj\w*|child\w*|each)\b|\{|\b[2-9]\b"
)
_COPY = re2.compile(
    r"(?i)\bcopy\b|\[[^\]]*(?:\.\.|:)[^\]]*\]|\blist\(|\bbegin\(|\bsub(?:array|list|vec)\b"
)
_FRONT = re2.compile(
    r"([A-Za-z_]\w*)\s*\.\s*(?:pop\(\s*0\s*\)|erase\(\s*0\s*,\s*1\s*\)|insert\(\s*0\s*,|erase\(\s*\w+\.begin\(\)\s*\)"
    r"|insert\(\s*\w+\.begin\(\)\s*,|shift\(\)|unshift\(|remove\(\s*0\s*\))"
)
_LIST_TEST = re2.compile(r"\b(?:not\s+)?in\s+([A-Za-z_]\w*)\b(?:\s*(?::|and|or|\)|$))")
_FOUND = re2.compile(
    r"([A-Za-z_]\w*)\.(?:index|count|remove)\(|\bfind\(\s*([A-Za-z_]\w*)\.begin\(\)"
)
_IS_LIST = re2.compile(
    r"^\s*\[\s*\]|^\s*\[.*\]\s*\*|^\s*list\(|^\s*\[.* for .*\]|^\s*\[\s*\w+\s*\]$"
)
_CLEARED = re2.compile(
    r"(?i)\b(?:memset|fill)\s*\(\s*([A-Za-z_]\w*)|\b(?:clear|reset|zero)\s+(?:the\s+)?(?:whole\s+)?(\w+)"
)
_REBUILT = re2.compile(
    r"^\s*([A-Za-z_]\w*)\s*=\s*(?:[^;=]*\+\s*([A-Za-z_]\w*)|([A-Za-z_]\w*)\s*\+)"
)
_STRING = re2.compile(r"^\s*(?:\"|'|str\(|$)|^\s*;")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_SIZED = frozenset({"size", "exponential"})
_MOST_SORTS = 200


def loop_findings(
    paths: Paths, rules: PruningRules, seconds: float, *, python: bool
) -> Iterator[PruneFinding]:
    """Yield the rules that the loops of a text break.

    Args:
        paths: The paths of the text.
        rules: The rules.
        seconds: The time limit.
        python: Whether it is Python: its steps are slower than those of C++ and of plans.
    """
    budget = rules.budget
    rate = budget.python_steps_per_second if python else budget.cpp_steps_per_second
    yield from _depth(paths, rules)
    yield from _steps(paths, seconds * rate)
    yield from _sorts(paths, rules)
    yield from _costly(paths, rules, seconds, python=python)


def _sized(frames: tuple[Frame, ...], least: float) -> list[Frame]:
    return [
        frame
        for frame in frames
        if frame.extent.kind in _SIZED and (frame.extent.top or frame.extent.steps) >= least
    ]


def _shown(frames: tuple[Frame, ...] | list[Frame]) -> str:
    return " / ".join(frame.block.header for frame in frames)


def _over(frames: tuple[Frame, ...] | list[Frame]) -> str:
    labels = dict.fromkeys(frame.extent.label or frame.block.header[:30] for frame in frames)
    return ", ".join([*labels][:4])


def _number(many: int) -> str:
    return _NUMBERS[many] if many < len(_NUMBERS) else str(many)


def _depth(paths: Paths, rules: PruningRules) -> Iterator[PruneFinding]:
    rule = rules.loop_depth
    for path in paths.all:
        deep = _sized(path.frames, rule.min_n)
        if len(deep) > rule.max_depth:
            size = max(frame.extent.top or frame.extent.steps for frame in deep)
            yield finding(
                "loop-depth",
                _shown(deep),
                f"{_number(len(deep))} nested loops over {_over(deep)} at n = {count(size)}: "
                f"{count(path.steps)} steps",
            )
            return


def _steps(paths: Paths, allowed: float) -> Iterator[PruneFinding]:
    worst = max(paths.all, key=lambda path: path.steps, default=None)
    if worst is None or worst.steps <= allowed:
        return
    frames = [frame for frame in worst.frames if frame.extent.steps > 1]
    enumerates = [frame for frame in frames if frame.extent.kind == "exponential"]
    if enumerates:
        yield finding(
            "enumeration",
            _shown(frames),
            f"enumerates {_over(enumerates)}: {count(worst.steps)} steps, "
            f"the limit allows about {count(allowed)}",
        )
    elif frames:
        loops = "a loop" if len(frames) == 1 else f"{_number(len(frames))} nested loops"
        yield finding(
            "nested-loops",
            _shown(frames),
            f"{loops} over {_over(frames)}: {count(worst.steps)} steps, "
            f"the limit allows about {count(allowed)}",
        )


def _sorts(paths: Paths, rules: PruningRules) -> Iterator[PruneFinding]:
    rule = rules.sort_in_loop
    looked = 0
    for path in paths.all:
        if path.called or not _sized(path.frames, rule.min_n):
            continue
        if looked >= _MOST_SORTS:
            return
        found = _SORT.search(path.line.text)
        if found is None or _SORTS_NOT.search(path.line.text):
            continue
        if any(frame.extent.kind == "tests" for frame in path.frames):
            continue
        looked += 1
        target = next((group for group in found.groups() if group), "")
        size = _sorted_size(target or found.group(0), path, paths.reading)
        if size >= rule.min_n:
            outer = _sized(path.frames, rule.min_n)
            yield finding(
                "sort-in-loop",
                f"{_shown(outer)} / {path.line.text}",
                f"sorts {count(size)} items in each of {count(path.steps)} rounds over "
                f"{_over(outer)}",
            )
            return


def _sorted_size(text: str, path: LoopPath, reading: SizedTree) -> float:
    """Return how many items a sort in a loop takes at most; 0 if that is small or unknown."""
    if _SMALL.search(text):
        return 0.0
    most = reading.sizes.main.value
    variables = {name for frame in path.frames for name in frame.variables}
    if _COPY.search(text) and "begin(" not in text:
        return most
    words = WORD.findall(text)
    if not words or "[" in text or variables.intersection(words):
        return 0.0
    name = words[0]
    inside = _set_inside(name, path, reading)
    if not inside:
        return most if reading.met_outside(name, path.frames[0].block) else 0.0
    return most if any(_COPY.search(right) for right in inside) else 0.0


def _set_inside(name: str, path: LoopPath, reading: SizedTree) -> list[str]:
    numbers = reading.line_numbers(path.frames[-1].block)
    return [right for right, number in reading.assigned.get(name, ()) if number in numbers]


def _costly(
    paths: Paths, rules: PruningRules, seconds: float, *, python: bool
) -> Iterator[PruneFinding]:
    """Yield calls in a loop that walk a whole container."""
    reported: set[str] = set()
    for path in paths.all:
        if not path.frames or path.called:
            continue
        for rule, name, weight in _calls_of(path, paths.reading, rules, python=python):
            size = _container_size(name, path, paths.reading, rule)
            taken = path.steps * size * weight / 1e9
            if rule not in reported and size > 1 and taken > seconds:
                reported.add(rule)
                yield finding(
                    rule,
                    f"{_shown(path.frames)} / {path.line.text}",
                    f"walks up to {count(size)} items of {name} in each of {count(path.steps)} "
                    f"rounds over {_over(path.frames)}: about {count(taken)} s",
                )


def _calls_of(
    path: LoopPath, reading: SizedTree, rules: PruningRules, *, python: bool
) -> Iterator[tuple[str, str, float]]:
    text = path.line.text
    if found := _FRONT.search(text):
        yield "front-of-array", found.group(1), rules.front_of_array.ns(python=python)
    tested = None if text.startswith("for") else _LIST_TEST.search(text)
    if tested and _is_list(tested.group(1), reading):
        yield "list-search", tested.group(1), rules.list_search.ns(python=python)
    if found := _FOUND.search(text):
        name = found.group(1) or found.group(2)
        if _is_list(name, reading) or found.group(2):
            yield "list-search", name, rules.list_search.ns(python=python)
    if found := _CLEARED.search(text):
        yield (
            "whole-array-per-round",
            found.group(1) or found.group(2),
            (rules.whole_array_per_round.ns(python=python)),
        )
    if found := _REBUILT.search(text):
        name = found.group(1)
        if name in {found.group(2), found.group(3)} and _is_string(name, reading):
            yield "string-rebuilt", name, rules.string_rebuilt.ns(python=python)


def _is_list(name: str, reading: SizedTree) -> bool:
    rights = [right for right, _ in reading.assigned.get(name, ())]
    return bool(rights) and all(_IS_LIST.search(right) for right in rights)


def _is_string(name: str, reading: SizedTree) -> bool:
    rights = [right for right, _ in reading.assigned.get(name, ())]
    return any(_STRING.search(right) and right.strip()[:1] in {'"', "'", "s"} for right in rights)


def _container_size(name: str, path: LoopPath, reading: SizedTree, rule: str) -> float:
    """Return how long a container may be: what the loops fill, or the input's own size."""
    if (short := reading.literal_length(name)) is not None:
        return float(short)
    if rule != "string-rebuilt" and _set_inside(name, path, reading):
        return 0.0
    return reading.sizes.main.value
