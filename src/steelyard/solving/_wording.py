"""Put findings of the static rules into words."""

from steelyard.schemas import PruneFinding


def first_of(found: tuple[PruneFinding, ...]) -> str:
    """Return the first finding as one line."""
    return f"{found[0].rule}: {found[0].message}"


def in_words(found: tuple[PruneFinding, ...]) -> str:
    """Return all findings, one a line."""
    return "\n".join(f"{each.message} ({each.evidence})" for each in found)
