def reverse_complement(sequence: str) -> str:
    """The other strand, read in its own direction; unknown bases become N."""
    get = PAIRS.get
    return "".join([get(base, "N") for base in reversed(sequence)])
