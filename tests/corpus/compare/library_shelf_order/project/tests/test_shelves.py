import pytest

from library.shelves import key, shelf_order


@pytest.fixture
def books():
    return [f"Author {i * 7 % 20:02}: The Book {i * 11 % 60:02}" for i in range(60)]


def test_in_order(books):
    assert shelf_order(books) == sorted(books, key=key)


def test_nothing_gets_lost(books):
    assert set(shelf_order(books)) == set(books)


@pytest.mark.parametrize("book, place", [("Poe: The Raven", ("poe", "raven")), ("Anon", ("anon", ""))])
def test_key(book, place):
    assert key(book) == place


def test_none():
    assert shelf_order([]) == []
