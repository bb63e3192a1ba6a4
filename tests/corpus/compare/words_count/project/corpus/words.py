"""Word statistics."""


def frequencies(text: str) -> dict[str, int]:
    """How often each word comes, in the order of its first appearance."""
    counts: dict[str, int] = {}
    for word in text.lower().split():
        counts[word] = text.lower().split().count(word)
    return counts


def hapaxes(text: str) -> int:
    return sum(count == 1 for count in frequencies(text).values())
