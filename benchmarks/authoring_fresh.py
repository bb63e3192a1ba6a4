"""The domains of the fresh specifications, for the ways that draw inputs by hand."""

import string
from typing import Any

from authoring_peers import Args, Domain, Draw

_LETTERS = string.ascii_lowercase


def _tree(d: Draw) -> Args:
    size = d.size(0, 20_000)
    if size == 0:
        return [[]]
    tree: list[int | None] = [d.integer(-1000, 1000)]
    nodes = free = 1
    while free and nodes < size:
        free -= 1
        for _ in range(2):
            if nodes < size and (free == 0 or d.integer(0, 1)):
                tree.append(d.integer(-1000, 1000))
                nodes, free = nodes + 1, free + 1
            else:
                tree.append(None)
    while tree[-1] is None:
        tree.pop()
    return [tree]


def _orders(d: Draw) -> Args:
    names = [d.word(1, 12) for _ in range(d.size(1, 5_000))]
    stock = {name: d.integer(0, 10**6) for name in names}
    orders = [[d.choice(names), d.integer(-1000, 1000)] for _ in range(d.size(0, 100_000))]
    return [stock, orders]


def _cuts(d: Draw) -> Args:
    words = [d.word(1, 20) for _ in range(d.size(1, 200))]
    pieces = [d.choice(words) for _ in range(d.size(1, 100))]
    return [words, "".join(pieces)[:2_000]]


def _flights(d: Draw) -> Args:
    count = d.size(1, 100)
    flights: list[Any] = [
        [d.integer(0, count - 1), d.integer(0, count - 1), d.integer(0, 10**4)]
        for _ in range(d.size(0, 2_000))
    ]
    flights = [flight for flight in flights if flight[0] != flight[1]]
    return [count, flights, d.integer(0, count - 1), d.integer(0, count - 1), d.integer(0, 100)]


def _table(d: Draw) -> Args:
    rows, columns = d.size(1, 300), d.size(1, 300)
    numbers = sorted(d.integer(-(10**9), 10**9) for _ in range(rows * columns))
    table = [numbers[row * columns : (row + 1) * columns] for row in range(rows)]
    return [table, d.integer(1, rows * columns)]


def _meetings(d: Draw) -> Args:
    meetings = [[d.integer(0, 10**9), d.integer(1, 10**6)] for _ in range(d.size(0, 20_000))]
    return [d.integer(1, 5_000), meetings]


def _points(d: Draw) -> Args:
    return [[[d.real(-1e6, 1e6), d.real(-1e6, 1e6)] for _ in range(d.size(2, 10_000))]]


FRESH_DOMAINS: dict[str, Domain] = {
    "busiest-room": _meetings,
    "few-stops": _flights,
    "kth-in-table": _table,
    "nearest-pair": _points,
    "order-desk": _orders,
    "popping-runs": lambda d: [d.text(0, 100_000, _LETTERS), d.integer(1, 100_000)],
    "repeating-decimal": lambda d: [d.integer(-(10**18), 10**18), d.integer(-(10**5), 10**5)],
    "text-cuts": _cuts,
    "tree-columns": _tree,
    "typing-distance": lambda d: [d.text(0, 500, _LETTERS), d.text(0, 500, _LETTERS)],
}
