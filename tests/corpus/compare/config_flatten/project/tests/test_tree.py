import pytest

from config.tree import flatten, lookup


@pytest.fixture
def settings():
    return {
        f"service{i}": {
            "http": {"port": 8000 + i, "host": "0.0.0.0", "tls": {"on": i % 2 == 0, "cert": None}},
            "workers": [1, 2, i],
            "name": f"svc-{i}",
        }
        for i in range(14)
    }


def test_flat_names(settings):
    flat = flatten(settings)
    assert flat["service3.http.tls.on"] is False
    assert len(flat) == 14 * 6


def test_prefix():
    assert flatten({"a": {"b": 1}}, "root") == {"root.a.b": 1}


def test_order_is_that_of_the_tree():
    assert list(flatten({"b": 1, "a": {"z": 1, "y": 2}})) == ["b", "a.z", "a.y"]


def test_empty_branches():
    assert flatten({"a": {}, "b": {"c": {}}}) == {}


def test_keys_that_are_numbers():
    assert flatten({1: {2: "x"}}) == {"1.2": "x"}


def test_lookup(settings):
    assert lookup(settings, "service9.name") == "svc-9"
    assert lookup(settings, "service9.nothing", 7) == 7
