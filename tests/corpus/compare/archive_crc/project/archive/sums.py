"""Check sums of archives."""

POLYNOMIAL = 0xEDB88320


def crc_table(polynomial: int) -> list[int]:
    """The table of a reflected 32-bit CRC."""
    table = []
    for number in range(256):
        value = number
        for _ in range(8):
            value = (value >> 1) ^ polynomial if value & 1 else value >> 1
        table.append(value)
    return table


def crc32(data: bytes) -> int:
    table = crc_table(POLYNOMIAL)
    value = 0xFFFFFFFF
    for byte in data:
        value = table[(value ^ byte) & 255] ^ (value >> 8)
    return value ^ 0xFFFFFFFF
