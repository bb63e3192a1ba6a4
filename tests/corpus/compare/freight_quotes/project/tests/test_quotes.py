import pytest

from freight.quotes import cheapest_route


@pytest.fixture
def costs():
    return [[(i * 7 + j * 11) % 23 if (i * j) % 3 else 0 for j in range(16)] for i in range(16)]


@pytest.mark.parametrize("end", [1, 5, 14])
def test_there_is_a_way(costs, end):
    assert cheapest_route(costs, 2, end) >= 0


def test_there_and_there_again(costs):
    assert cheapest_route(costs, 2, 5) == cheapest_route(costs, 2, 5)


def test_no_way():
    assert cheapest_route([[0, 0], [0, 0]], 0, 1) == -1


def test_detour():
    assert cheapest_route([[0, 9, 2], [0, 0, 0], [0, 3, 0]], 0, 1) == 5
