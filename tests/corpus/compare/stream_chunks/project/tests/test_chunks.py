import pytest

from transfer.chunks import chunks, frames


@pytest.fixture
def data():
    return bytes(range(256)) * 40


@pytest.mark.parametrize("size", [100, 1000, 4096])
def test_nothing_gets_lost(data, size):
    assert b"".join(chunks(data, size)) == data


def test_last_is_shorter():
    assert list(chunks(b"abcdefg", 3)) == [b"abc", b"def", b"g"]


def test_no_data():
    assert list(chunks(b"", 3)) == []


def test_frames():
    assert frames(b"abc", 2) == [(0, b"ab"), (1, b"c")]
