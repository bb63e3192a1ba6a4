import pytest

from graph.order import CycleError, topological


def layered(width, depth):
    nodes = [f"n{level}_{i}" for level in range(depth) for i in range(width)]
    edges = [
        (f"n{level}_{i}", f"n{level + 1}_{(i * 3 + k) % width}")
        for level in range(depth - 1)
        for i in range(width)
        for k in (0, 1)
    ]
    return nodes, edges


@pytest.mark.parametrize("width, depth", [(4, 5), (8, 8), (3, 20)])
def test_layers(width, depth):
    nodes, edges = layered(width, depth)
    order = topological(nodes, edges)
    place = {node: i for i, node in enumerate(order)}
    assert all(place[a] < place[b] for a, b in edges)


def test_given_order_where_free():
    assert topological(["c", "a", "b"], []) == ["c", "a", "b"]


def test_cycle():
    with pytest.raises(CycleError):
        topological(["a", "b"], [("a", "b"), ("b", "a")])


def test_unknown_node():
    with pytest.raises(KeyError):
        topological(["a"], [("a", "z")])
