"""Sizes as people write them."""

UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


def parse_size(text: str) -> int:
    digits = ""
    unit = ""
    for character in text:
        if character.isdecimal() and not unit:
            digits += character
        elif character.strip():
            unit += character.upper()
    if not digits:
        raise ValueError(f"no number in {text!r}")
    for name, factor in UNITS.items():
        if name == (unit or "B"):
            return int(digits) * factor
    raise ValueError(f"no such unit: {unit}")


def parse_sizes(texts: list[str]) -> list[int]:
    """Bytes of sizes such as `12 MiB` or `512`.

    Raises:
        ValueError: One is no such size.
    """
    return [parse_size(text) for text in texts]


def total(texts: list[str]) -> int:
    return sum(parse_sizes(texts))
