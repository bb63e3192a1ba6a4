"""List the facts that follow from a permutation, and from edges that form a graph."""

from collections.abc import Iterator

from steelyard.constraints._domain import Domain
from steelyard.constraints._facts import Fact, Line, Mark, Within
from steelyard.constraints._places import Sum

_INFINITY = float("inf")


def permutation_facts(path: str, low: int) -> tuple[Fact, ...]:
    """Return the facts about a list that is a permutation of `low` and what follows it."""
    return (
        Mark(path, "permutation", low),
        Within(f"{path}[]", Domain.span(low, _INFINITY)),
        Line(((f"{path}[]", 1), (f"len({path})", -1)), 1 - low, "<="),
    )


def graph_facts(name: str, path: str, nodes: Sum, first: int) -> Iterator[Fact]:
    """Yield the facts about the edges of a graph.

    Args:
        name: Such as `tree`.
        path: The list of edges.
        nodes: The number of nodes.
        first: The first node.
    """
    yield Mark(path, name, first, (tuple(nodes.terms.items()), nodes.constant))
    yield Within(f"len({path}[])", Domain.span(2, _INFINITY))
    for end in (f"{path}[][0]", f"{path}[][1]"):
        yield Within(end, Domain.span(first, _INFINITY))
        yield _at_most_0(Sum({end: 1}, 1 - first).plus(nodes, -1))
    edges = Sum({f"len({path})": 1})
    if name in ("tree", "connected"):
        yield _at_most_0(Sum({}, 1).plus(nodes, -1))
        yield _at_most_0(Sum({}, -1).plus(nodes).plus(edges, -1))
    if name in ("tree", "forest"):  # no nodes form a forest too
        yield _at_most_0(Sum({}, int(name == "tree")).plus(edges).plus(nodes, -1))


def _at_most_0(total: Sum) -> Fact:
    return Line(tuple(total.terms.items()), total.constant, "<=")
