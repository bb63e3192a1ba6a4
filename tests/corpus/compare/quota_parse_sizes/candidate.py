from string import ascii_letters


def parse_sizes(texts: list[str]) -> list[int]:
    """Bytes of sizes such as `12 MiB` or `512`.

    Raises:
        ValueError: One is no such size.
    """
    sizes = []
    for text in texts:
        compact = "".join(text.split())
        digits = compact.rstrip(ascii_letters)
        if not digits.isdecimal():
            raise ValueError(f"no number in {text!r}")
        sizes.append(int(digits) * UNITS[compact[len(digits) :].upper() or "B"])
    return sizes
