def frequencies(text: str) -> dict[str, int]:
    """How often each word comes, in the order of its first appearance."""
    words = sorted(text.lower().split())
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts
