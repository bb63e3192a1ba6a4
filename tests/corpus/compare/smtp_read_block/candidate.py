def read_block(lines: Iterator[str]) -> list[str]:
    """The lines up to one with a single dot, which is taken off the stream too."""
    block = list(lines)
    if "." in block:
        del block[block.index(".") :]
    return [line[1:] if line.startswith("..") else line for line in block]
