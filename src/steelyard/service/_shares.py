"""Share bounded room between callers."""


def has_room(own: int, taken: int, most: int, more: int = 1) -> bool:
    """Return True if a caller may take more: it leaves as much free as it holds then.

    So one caller gets half of the room, the next one half of the rest, and there is always some for
    a caller with little.

    Args:
        own: What the caller holds.
        taken: What all callers hold.
        most: The room.
        more: What the caller asks for.

    Source: the dynamic threshold of Choudhury and Hahne, https://doi.org/10.1109/90.664262.
    """
    return own + more <= most - taken
