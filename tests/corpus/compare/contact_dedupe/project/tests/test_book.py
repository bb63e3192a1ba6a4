import pytest

from contacts.audit import CALLS
from contacts.book import Contact, dedupe


@pytest.fixture
def contacts():
    return [Contact(f"Person {i}", f"P{i * 3 % 40}@Example.org ") for i in range(90)]


def test_each_address_once(contacts):
    assert len(dedupe(contacts)) == 40


def test_first_is_kept():
    first, second = Contact("Ann", "a@x.org"), Contact("Anna", "A@X.org")
    assert dedupe([first, second])[0] is first


def test_nothing_to_do():
    people = [Contact(f"P{i}", f"{i}@x.org") for i in range(35)]
    assert dedupe(people) == people


def test_empty():
    assert dedupe([]) == []


def test_audited(contacts):
    before = CALLS["dedupe"]
    dedupe(contacts[:20])
    assert CALLS["dedupe"] == before + 1
