"""Alignment of sequences."""

MATCH, MISMATCH, GAP = 1, -1, -2


def align(a: str, b: str) -> int:
    """The best score of a global alignment (Needleman and Wunsch)."""
    above = [j * GAP for j in range(len(b) + 1)]
    for i, x in enumerate(a, start=1):
        row = [i * GAP]
        for j, y in enumerate(b, start=1):
            diagonal = above[j - 1] + (MATCH if x == y else MISMATCH)
            row.append(max(diagonal, above[j] + GAP, row[j - 1] + GAP))
        above = row
    return above[-1]
