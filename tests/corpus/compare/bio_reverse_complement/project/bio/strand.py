"""DNA strands."""

PAIRS = {"A": "T", "C": "G", "G": "C", "T": "A", "a": "t", "c": "g", "g": "c", "t": "a", "-": "-"}


def reverse_complement(sequence: str) -> str:
    """The other strand, read in its own direction; unknown bases become N."""
    result = ""
    for base in sequence:
        if base in PAIRS:
            result = PAIRS[base] + result
        else:
            result = "N" + result
    return result


def is_palindrome(sequence: str) -> bool:
    return bool(sequence) and sequence == reverse_complement(sequence)
