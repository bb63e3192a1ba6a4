"""Outlines with numbers."""


def numbered(lines: list[str]) -> list[str]:
    """Headings with their numbers, such as `1.2 Setup`; other lines stay as they are."""
    counters: list[int] = []
    result = []
    for line in lines:
        level = depth(line)
        if level == 0:
            # a paragraph
            result.append(line)
            continue
        # levels above that were left out count as zero
        while len(counters) < level:
            counters.append(0)
        del counters[level:]
        counters[level - 1] += 1
        number = ".".join(str(counter) for counter in counters)
        result.append(f"{number} {line[level:].strip()}")
    return result


def depth(line: str) -> int:
    return len(line) - len(line.lstrip("#"))
