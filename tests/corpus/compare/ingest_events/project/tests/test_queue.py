import pytest

from ingest.queue import Store


@pytest.fixture
def events():
    return [(f" Kind{i % 5} ", i) for i in range(120)]


@pytest.fixture
def store():
    return Store()


def test_total(store, events):
    store.add_all(events)
    assert store.total("kind0") == sum(range(0, 120, 5))


def test_twice(store, events):
    store.add_all(events)
    first = store.total("kind3")
    store.add_all(events)
    assert store.total("kind3") == 2 * first


@pytest.mark.parametrize("kind", ["kind9", ""])
def test_unknown(store, events, kind):
    store.add_all(events[:10])
    assert store.total(kind) == 0


def test_none(store):
    store.add_all([])
    assert store.total("kind0") == 0


def test_kinds_are_trimmed(store):
    store.add_all([(" A ", 1), ("a", 2)])
    assert store.total("a") == 3


def test_many(store, events):
    store.add_all(events * 10)
    assert store.total("kind1") == 10 * sum(range(1, 120, 5))
