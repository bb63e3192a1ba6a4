import pytest

from bundle.paths import common_prefix, strip_prefix


@pytest.fixture
def names():
    return [f"assets/images/icons/icon_{i:03}.png" for i in range(60)]


def test_long(names):
    assert common_prefix(names) == "assets/images/icons/icon_0"


@pytest.mark.parametrize(
    "given, prefix",
    [(["a/b", "a/c"], "a/"), (["x"], "x"), (["ab", "ba"], ""), (["", "a"], "")],
)
def test_short(given, prefix):
    assert common_prefix(given) == prefix


def test_strip(names):
    assert strip_prefix(names)[1] == "01.png"
