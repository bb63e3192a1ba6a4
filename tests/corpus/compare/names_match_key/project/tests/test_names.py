import pytest

from register.names import duplicates, match_key


@pytest.mark.parametrize(
    "name, key",
    [("O'Neil-Jones the Third of Somewhere", "oneiljonesthethirdofsomewhere"), ("  ", ""), ("R2-D2", "r2d2")],
)
def test_keys(name, key):
    assert match_key(name * 4) == key * 4


def test_length_of_a_street():
    assert len(match_key("Lange Straße am alten Flußufer " * 5)) > 100


def test_duplicates():
    assert duplicates(["Anna Maria", "ANNA-MARIA", "Hanna"] * 5) == 13
