import pytest

from mailing.letters import render_all

TEMPLATE = "Dear {name},\n\nthank you for your order. We hope to see you again, {name}.\n"


@pytest.fixture
def names():
    return [f"customer number {i}" for i in range(80)]


def test_one_for_each(names):
    assert len(render_all(TEMPLATE, names)) == 80


def test_names(names):
    letters = render_all(TEMPLATE, names)
    assert letters[3].startswith("Dear Customer Number 3,")


def test_equal():
    assert render_all("Hi {name}", ["kim", "lee"]) == ["Hi Kim", "Hi Lee"]


def test_none():
    assert list(render_all(TEMPLATE, [])) == []
