"""Build lists of edges: rows that name two nodes, as flags or their bounds show."""

from collections.abc import Sequence

from steelyard.families import names_of
from steelyard.inputs._choices import Choices
from steelyard.inputs._ground import ASCENDING, Ground
from steelyard.inputs._made import Made, call

_DEEP = ("chain", "chain", "star", "caterpillar", "broom", "binary")
"""Trees for the largest inputs: the depth is what most programs fail on."""
_WITH_CONNECTION = ("connected", "cycle", "bridge")


def edges_for(choices: Choices, ground: Ground, n: int) -> Made | None:
    """Return a list of n rows that are edges, None if the rows are not edges."""
    if "parents" in ground.flags:
        tree = call(choices.family(names_of("tree")), n, 0, choices.seed())
        return call("parents", call("relabelled", tree, n, 0, choices.seed()), n, 0, -1)
    graph = _nodes(choices, ground, n)
    if graph is None:
        return None
    nodes, base = graph
    if ground.items[0].kind == "list" and not ground.items[0].columns:
        return _adjacency(choices, nodes, base)
    if "simple" in ground.flags:
        n = min(n, nodes * (nodes - 1) // 2)
    if not ground.graph and choices.dice.chance(0.25):
        return None  # any rows within the bounds: self-loops and repeated edges
    edges, is_plain = _edges(choices, ground.flags, nodes, n, base), choices.mood == "edge"
    if choices.mood == "stress" and choices.dice.chance(0.6):
        is_plain = True
        edges = call("backwards", edges) if choices.dice.chance(0.5) else edges
    is_deep = choices.mood == "stress" and not choices.dice.below(2)
    edges = call("thickened" if is_deep else "padded", edges, nodes, n, base, choices.seed())
    if not is_plain:
        edges = call("relabelled", edges, nodes, base, choices.seed())
    if "dag" in ground.flags:
        pass
    elif ground.items[0].flags & ASCENDING:
        edges = call("ascending_rows", edges, 0)
    elif choices.dice.chance(0.2 if choices.mood == "stress" else 0.7):
        edges = call("flipped", edges, choices.seed())
    for column in ground.items[0].columns[2:]:
        edges = call("widened", edges, choices.numbers(column, n, different=False))
    return edges


def _nodes(choices: Choices, ground: Ground, n: int) -> tuple[int, int] | None:
    """Return the number of nodes, and the first node."""
    if ground.graph:
        return ground.graph
    item = ground.items[0]
    if item.kind == "list" and not item.columns and item.items[0].kind == "int":
        node = item.items[0]
        inside = (node.low, node.high) in ((0, n - 1), (1, n))
        return (n, int(node.low)) if inside and n > 1 and choices.dice.chance(0.6) else None
    ends = item.columns[:2]
    if len(ends) < 2 or any(end.kind != "int" for end in ends):
        return None
    low, high = ends[0].low, ends[0].high
    if (low, high) != (ends[1].low, ends[1].high) or low not in (0, 1):
        return None
    nodes = int(high - low) + 1
    return (nodes, int(low)) if nodes in choices.counts.values() else None


def _edges(choices: Choices, flags: frozenset[str], nodes: int, m: int, base: int) -> Made:
    may_be_tree = m == nodes - 1 or (m >= nodes and choices.mood == "stress")
    if flags & {"tree", "forest"} or (may_be_tree and choices.dice.chance(0.6)):
        trees = _DEEP if choices.mood == "stress" else names_of("tree")
        return call(choices.family(trees), nodes, base, choices.seed())
    names: Sequence[str] = names_of("graph")
    if "bipartite" in flags:
        names = ("bipartite",)
    elif "dag" in flags:
        names = tuple(name for name in names if name != "cycle")
    elif "connected" in flags:
        names = tuple(name for name in _WITH_CONNECTION if name != "cycle" or m >= nodes)
    return call(choices.family(names), nodes, m, base, choices.seed())


def neighbours_for(choices: Choices, nodes: int) -> Made:
    """Return for each node, counted from 0, the nodes that its edges lead to."""
    return _adjacency(choices, nodes, 0)


def _adjacency(choices: Choices, nodes: int, base: int) -> Made:
    m = nodes + choices.dice.below(nodes)
    edges = _edges(choices, frozenset(), nodes, m, base)
    edges = call("relabelled", edges, nodes, base, choices.seed())
    return call("adjacency", edges, nodes, base, choices.dice.chance(0.5))
