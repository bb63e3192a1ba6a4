import pytest

from backup.blocks import changed, digests

DATA = bytes(i * i % 251 for i in range(30_000))


@pytest.mark.parametrize("size, count", [(6_554, 5), (10_000, 3), (30_000, 1)])
def test_count(size, count):
    assert len(digests(DATA, size)) == count


def test_known():
    assert digests(b"", 10) == []
    assert digests(b"abc", 3)[0].startswith("ba7816bf")


def test_changed():
    old = digests(DATA, 6_000)
    new = digests(DATA[:8_000] + b"x" + DATA[8_001:], 6_000)
    assert changed(old, new) == [1]


def test_no_size():
    with pytest.raises(ValueError):
        digests(b"abc", 0)
