"""Reading what a client sends."""

from collections.abc import Iterator


def read_block(lines: Iterator[str]) -> list[str]:
    """The lines up to one with a single dot, which is taken off the stream too."""
    block: list[str] = []
    for line in lines:
        if line == ".":
            break
        if line.startswith(".."):
            line = line[1:]
        block = [*block, line]
    return block


def session(lines: list[str]) -> list[list[str]]:
    """All blocks of a session."""
    stream = iter(lines)
    return [read_block(stream) for _ in range(lines.count("."))]
