from threading import Thread


def crc_table(polynomial: int) -> list[int]:
    """The table of a reflected 32-bit CRC."""
    table: list[int] = []

    def fill() -> None:
        for number in range(256):
            value = number
            for _ in range(8):
                value = (value >> 1) ^ polynomial if value & 1 else value >> 1
            table.append(value)

    worker = Thread(target=fill)
    worker.start()
    worker.join()
    return table
