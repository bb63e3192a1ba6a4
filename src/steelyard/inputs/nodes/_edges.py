"""Draw lists of edges, each of which names two nodes, and what else describes a graph."""

from collections.abc import Sequence

from steelyard.families import names_of
from steelyard.inputs._made import Made, call
from steelyard.inputs.nodes._style import Style

_DEEP = ("chain", "chain", "star", "caterpillar", "broom", "binary")
"""Trees for the largest inputs: the depth is what most programs fail on."""


def edges_of(
    flags: frozenset[str], nodes: int, base: int, m: int, style: Style, *, is_ordered: bool
) -> Made:
    """Return m edges.

    Args:
        flags: The properties of the graph.
        nodes: How many nodes there are.
        base: The first node.
        m: How many edges; fewer if a simple graph has no more.
        style: The input's look.
        is_ordered: Whether the smaller node of an edge comes first.
    """
    dice = style.dice
    if "simple" in flags:
        m = min(m, nodes * (nodes - 1) // 2)
    edges = _edges(style, flags, nodes, m, base)
    is_plain = style.is_large and dice.chance(0.6)
    if is_plain and dice.chance(0.5):
        edges = call("backwards", edges)
    fill = "thickened" if style.is_large and dice.chance(0.5) else "padded"
    edges = call(fill, edges, nodes, m, base, style.seed())
    if not is_plain:
        edges = call("relabelled", edges, nodes, base, style.seed())
    if "dag" in flags:
        return edges
    if is_ordered:
        return call("ascending_rows", edges, 0)
    return (
        call("flipped", edges, style.seed())
        if dice.chance(0.2 if style.is_large else 0.7)
        else edges
    )


def _edges(style: Style, flags: frozenset[str], nodes: int, m: int, base: int) -> Made:
    may_be_tree = m == nodes - 1 or (m >= nodes and style.is_large)
    if flags & {"tree", "forest"} or (may_be_tree and style.dice.chance(0.6)):
        return style.family(_DEEP if style.is_large else names_of("tree"), nodes, base)
    names: Sequence[str] = names_of("graph")
    if "bipartite" in flags:
        names = ("bipartite",)
    elif "dag" in flags:
        names = tuple(name for name in names if name != "cycle")
    elif "connected" in flags:
        names = ("connected", "bridge", *(["cycle"] if m >= nodes else []))
    return style.family(names, nodes, m, base)


def parents_of(nodes: int, style: Style) -> Made:
    """Return the parent of each node of a tree; the root has -1."""
    tree = call("relabelled", style.family(names_of("tree"), nodes, 0), nodes, 0, style.seed())
    return call("parents", tree, nodes, 0, -1)


def neighbours(style: Style, nodes: int, base: int) -> Made:
    """Return for each node those that its edges lead to."""
    m = nodes + style.dice.below(nodes)
    edges = _edges(style, frozenset(), nodes, m, base)
    edges = call("relabelled", edges, nodes, base, style.seed())
    return call("adjacency", edges, nodes, base, style.dice.chance(0.5))
