def common_prefix(names: list[str]) -> str:
    """What all names begin with."""
    first, last = min(names), max(names)
    for place, character in enumerate(first):
        if character != last[place]:
            return first[:place]
    return first
