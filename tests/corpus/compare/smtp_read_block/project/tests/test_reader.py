import pytest

from smtp.reader import read_block, session


@pytest.fixture
def lines():
    return [f"line {i}" for i in range(90)] + ["."]


def test_block(lines):
    assert len(read_block(iter(lines))) == 90


def test_stuffed_dots():
    assert read_block(iter(["..", "...x", "."])) == [".", "..x"]


def test_without_end():
    assert read_block(iter(["a", "b"])) == ["a", "b"]


def test_rest_stays(lines):
    stream = iter([*lines, "QUIT"])
    read_block(stream)
    assert next(stream) == "QUIT"


def test_session(lines):
    assert [len(block) for block in session(lines + ["x", "."])] == [90, 1]
