import pytest

from store.cache import Cache


@pytest.fixture
def cache():
    return Cache({f"k{i}": i for i in range(200)})


@pytest.mark.parametrize("step", [1, 2, 3])
def test_found(cache, step):
    keys = [f"k{i}" for i in range(0, 300, step)]
    assert len(cache.get_many(keys)) == len(range(0, 200, step))


def test_values(cache):
    assert cache.get_many(["k3", "x", "k1"]) == {"k3": 3, "k1": 1}


def test_nothing_asked(cache):
    assert cache.get_many([]) == {}
    assert cache.rate == 0.0
