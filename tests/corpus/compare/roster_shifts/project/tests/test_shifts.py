import pytest

from roster.shifts import assign, load


@pytest.fixture
def team():
    return [f"person-{i}" for i in range(9)]


@pytest.mark.parametrize("shifts", [0, 21, 200])
def test_all_are_dealt(team, shifts):
    assert sum(len(own) for own in assign(team, shifts).values()) == shifts


def test_in_turn():
    assert assign(["ann", "bob"], 3) == {"ann": [0, 2], "bob": [1]}


def test_nobody():
    assert assign([], 5) == {}


def test_load(team):
    assert load(team, 100) == 12
