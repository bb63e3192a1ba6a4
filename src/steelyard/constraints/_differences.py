"""Find contradictions in a circle: `a < b`, `b < c`, `c < a`."""

from collections.abc import Iterable

from steelyard.constraints._domain import Number
from steelyard.constraints._facts import Line, containers


def has_circle(lines: Iterable[Line]) -> bool:
    """Return whether differences of quantities contradict: `a < b`, `b < c`, `c < a`.

    Source:
        Bellman and Ford: a system of differences has a solution if its graph has no negative cycle.
    """
    edges: list[tuple[str, str, Number]] = []
    for line in lines:
        terms = dict(line.terms)
        if line.sign == "!=" or len(terms) != 2 or sorted(terms.values()) != [-1, 1]:
            continue
        if not isinstance(line.constant, int):
            continue  # sums of floats are rounded
        if any(containers(name) for name in terms):
            continue
        plus = next(name for name, factor in terms.items() if factor == 1)
        minus = next(name for name in terms if name != plus)
        edges.append((minus, plus, -line.constant))
        if line.sign == "==":
            edges.append((plus, minus, line.constant))
    far: dict[str, Number] = {name: 0 for start, end, _ in edges for name in (start, end)}
    for _ in range(len(far) + 1):
        changed = False
        for start, end, length in edges:
            if far[start] + length < far[end]:
                far[end] = far[start] + length
                changed = True
        if not changed:
            return False
    return True
