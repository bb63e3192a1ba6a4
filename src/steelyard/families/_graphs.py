"""Families of trees and graphs, as lists of edges whose nodes are counted from `base`."""

import math

from steelyard.families._dice import Dice
from steelyard.families._table import family

Edges = list[list[int]]


def _edges(n: int, *_: object, **__: object) -> int:
    return 3 * abs(n)


def _dense(n: int, m: int = 0, *_: object, **__: object) -> int:
    return 3 * (abs(n) + abs(m))


def _padding(edges: Edges, n: int, m: int, *_: object) -> int:
    return 3 * (len(edges) + 2 * abs(m))


@family("tree", _edges)
def chain(n: int, base: int = 0, seed: int = 0) -> Edges:
    """A path: as deep as there are nodes."""
    return [[base + i, base + i + 1] for i in range(n - 1)]


@family("tree", _edges)
def star(n: int, base: int = 0, seed: int = 0) -> Edges:
    """One node joined to all others."""
    return [[base, base + i] for i in range(1, n)]


@family("tree", _edges)
def caterpillar(n: int, base: int = 0, seed: int = 0) -> Edges:
    """A path of half the nodes, with a leaf at each."""
    half = (n + 1) // 2
    return [[base + (i - 1 if i < half else i - half), base + i] for i in range(1, n)]


@family("tree", _edges)
def broom(n: int, base: int = 0, seed: int = 0) -> Edges:
    """A path of half the nodes, and all others at its end."""
    half = (n + 1) // 2
    return [[base + min(i - 1, half - 1), base + i] for i in range(1, n)]


@family("tree", _edges)
def binary(n: int, base: int = 0, seed: int = 0) -> Edges:
    """Complete and binary."""
    return [[base + (i - 1) // 2, base + i] for i in range(1, n)]


@family("tree", _edges)
def random_tree(n: int, base: int = 0, seed: int = 0) -> Edges:
    """Each node below any earlier one."""
    dice = Dice(seed)
    return [[base + dice.below(i), base + i] for i in range(1, n)]


@family("graph", _dense)
def random_graph(n: int, m: int, base: int = 0, seed: int = 0) -> Edges:
    """Different edges between different nodes, the smaller node first: no cycle if directed."""
    most = n * (n - 1) // 2
    found = []
    for rank in Dice(seed).sample(0, most - 1, min(m, most)):
        v = (1 + math.isqrt(1 + 8 * rank)) // 2
        found.append([base + rank - v * (v - 1) // 2, base + v])
    return found


@family("graph", _dense)
def connected(n: int, m: int, base: int = 0, seed: int = 0) -> Edges:
    """A random tree and further different edges; without m of them the tree alone."""
    tree = random_tree(n, base, seed)
    taken = {(u, v) for u, v in tree}
    extra = random_graph(n, max(0, min(m, n * (n - 1) // 2)), base, seed + 1) if m >= n else []
    return [*tree, *(edge for edge in extra if (edge[0], edge[1]) not in taken)][: max(m, n - 1)]


@family("graph", _dense)
def cycle(n: int, m: int = 0, base: int = 0, seed: int = 0) -> Edges:
    """A ring, each node joined to the next."""
    return [*chain(n, base), *([[base + n - 1, base]] if n > 2 else [])]


@family("graph", _dense)
def complete(n: int, m: int, base: int = 0, seed: int = 0) -> Edges:
    """All edges among the first nodes, at most m of them: m >= n * (n - 1) / 2 leaves out none."""
    edges: Edges = []
    for v in range(n):
        if len(edges) + v > m:
            break
        edges += [[base + u, base + v] for u in range(v)]
    return edges


@family("graph", _dense)
def bipartite(n: int, m: int, base: int = 0, seed: int = 0) -> Edges:
    """Different edges between the first half of the nodes and the second."""
    half, dice = n // 2, Dice(seed)
    count = min(m, half * (n - half))
    picked = dice.sample(0, half * (n - half) - 1, count) if count else []
    return [[base + each % half, base + half + each // half] for each in picked]


@family("graph", _dense)
def two_components(n: int, m: int, base: int = 0, seed: int = 0) -> Edges:
    """Two connected halves without an edge between them."""
    half = n // 2
    return [
        *connected(half, m // 2, base, seed),
        *connected(n - half, m - m // 2, base + half, seed + 1),
    ][:m]


@family("graph", _dense)
def bridge(n: int, m: int, base: int = 0, seed: int = 0) -> Edges:
    """Two connected halves with one edge between them."""
    parts = two_components(n, max(0, m - 1), base, seed)
    return [*parts, [base, base + n // 2]] if n > 1 else []


@family("graph", _dense)
def pieces(n: int, m: int = 0, base: int = 0, seed: int = 0) -> Edges:
    """Many components of one to six nodes each: rings and paths."""
    dice, found, start = Dice(seed), list[list[int]](), 0
    while start < n:
        size = min(n - start, 1 + dice.below(6))
        found += cycle(size, 0, base + start) if dice.chance(0.5) else chain(size, base + start)
        start += size
    return found


@family("graph", _dense)
def grid_graph(n: int, m: int = 0, base: int = 0, seed: int = 0) -> Edges:
    """A square grid, the rest of the nodes in its last row."""
    width = max(1, round(n**0.5))
    right = [[base + i, base + i + 1] for i in range(n - 1) if (i + 1) % width]
    return [*right, *([base + i, base + i + width] for i in range(n - width))]


@family("form", _padding)
def padded(edges: list[list[int]], n: int, m: int, base: int = 0, seed: int = 0) -> Edges:
    """The first m edges; as many new ones as are missing, and repeats where there are no more."""
    taken = {(min(edge[:2]), max(edge[:2])) for edge in edges}
    more = random_graph(n, m, base, seed) if len(edges) < m else []
    whole = [*edges, *(edge for edge in more if (edge[0], edge[1]) not in taken)]
    whole = whole or [[base, base]]
    return (whole * (m // len(whole) + 1))[:m]


@family("form", _padding)
def thickened(edges: list[list[int]], n: int, m: int, base: int = 0, seed: int = 0) -> Edges:
    """The first m edges; then edges between nodes that are three apart, so that it stays deep."""
    taken = {(min(edge[:2]), max(edge[:2])) for edge in edges}
    more = ([base + i, base + i + 3] for i in range(min(n - 3, m - len(edges))))
    whole = [*edges, *(edge for edge in more if (edge[0], edge[1]) not in taken)]
    return padded(whole, n, m, base, seed)


@family("form", lambda edges, *_: 3 * len(edges))
def relabelled(edges: list[list[int]], n: int, base: int = 0, seed: int = 0) -> Edges:
    """The same graph with its nodes and edges in random order; each edge keeps its direction."""
    dice = Dice(seed)
    to = dice.shuffled(range(base, base + n))
    return dice.shuffled([[to[edge[0] - base], to[edge[1] - base], *edge[2:]] for edge in edges])


@family("form", lambda edges, *_: 3 * len(edges))
def flipped(edges: list[list[int]], seed: int = 0) -> Edges:
    """About half the edges turned round."""
    dice = Dice(seed)
    return [[e[1], e[0], *e[2:]] if dice.chance(0.5) else e for e in edges]


@family("form", lambda edges, n, *_: len(edges) + abs(n))
def parents(edges: list[list[int]], n: int, base: int = 0, root: int = -1) -> list[int]:
    """For each node the one above it, if each edge leads down; `root` where there is none."""
    above = [root] * n
    for up, down, *_ in edges:
        above[down - base] = up
    return above


@family("form", lambda edges, n, *_: 2 * len(edges) + abs(n))
def adjacency(edges: list[list[int]], n: int, base: int = 0, both: bool = True) -> Edges:
    """For each node those that its edges lead to; in both directions if so wanted."""
    beside: Edges = [[] for _ in range(n)]
    for one, other, *_ in edges:
        beside[one - base].append(other)
        if both:
            beside[other - base].append(one)
    return beside


@family("form", lambda values, *_: len(values))
def level_order(values: list[int], form: str = "random", seed: int = 0) -> list[int | None]:
    """A binary tree level by level, with as many entries as there are values.

    `form` is `full`, `left`, `right`, `zigzag` or `random`.
    """
    dice, entries, free = Dice(seed), list[int | None](), 1
    for index, value in enumerate(values):
        first = index % 2 == 1  # the entries after the root come in pairs of children
        here = {"full": True, "left": first, "right": not first, "zigzag": first == (index % 4 < 2)}
        is_node = here.get(form, dice.chance(0.7)) or free == 1 or index in (0, len(values) - 1)
        entries.append(value if is_node else None)
        free += 1 if is_node else -1
    return entries
