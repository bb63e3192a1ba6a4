"""What is in a service's log."""

import re

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def is_noise(line: str) -> bool:
    return not line.strip() or line.startswith("#")


def count_levels(lines: list[str]) -> dict[str, int]:
    """How many lines each level has, in the order of their weight; others count for nothing."""
    counts = {level: 0 for level in LEVELS}
    for line in lines:
        if is_noise(line):
            continue
        pattern = re.compile(r"\[(" + "|".join(re.escape(level) for level in LEVELS) + r")\]")
        found = pattern.search(line)
        if found is not None:
            counts[found.group(1)] += 1
    return counts
