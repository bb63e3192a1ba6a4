"""Paths in a bundle."""


def common_prefix(names: list[str]) -> str:
    """What all names begin with."""
    prefix = ""
    for length in range(1, min((len(name) for name in names), default=0) + 1):
        start = names[0][:length]
        if all(name[:length] == start for name in names):
            prefix = start
    return prefix


def strip_prefix(names: list[str]) -> list[str]:
    size = len(common_prefix(names))
    return [name[size:] for name in names]
