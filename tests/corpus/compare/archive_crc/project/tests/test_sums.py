import zlib

import pytest

from archive.sums import POLYNOMIAL, crc32, crc_table


@pytest.mark.parametrize("data", [b"", b"abc", bytes(range(256))])
def test_crc(data):
    assert crc32(data) == zlib.crc32(data)


def test_table():
    table = crc_table(POLYNOMIAL)
    assert len(set(table)) == 256
    assert table[1] == 0x77073096


def test_other_polynomial():
    assert crc_table(0x82F63B78)[1] == 0xF26B8303
