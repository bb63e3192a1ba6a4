import pytest

from network.components import components


@pytest.mark.parametrize("groups, size", [(1, 90), (10, 9), (30, 3)])
def test_groups(groups, size):
    links = [(f"g{g}m{i}", f"g{g}m{i + 1}") for g in range(groups) for i in range(size - 1)]
    found = components(links)
    assert [len(group) for group in found] == [size] * groups


def test_order():
    assert components([("z", "y"), ("a", "b"), ("y", "x")]) == [["x", "y", "z"], ["a", "b"]]


def test_none():
    assert components([]) == []
